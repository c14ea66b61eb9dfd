import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** As the system follows links, so that it ends. */
const MOST_LINKS = 40;

/** With all links followed, whether or not there is anything: a link to nothing leads to what a write would make. */
export function realPath(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const up = dirname(path);
    if (up === path || links > MOST_LINKS) return path;
    const here = join(realPath(up, links + 1), basename(path));
    const link = linkAt(here);
    return link === undefined ? here : realPath(resolve(dirname(here), link), links + 1);
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** With all links followed; the path itself where there is nothing. */
export function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
