import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { inside } from './paths.ts';
import { HERE } from './platform.ts';
import { quietly } from './quietly.ts';

/** Most links followed, as in the system, so that a loop of links ends. */
const MOST_LINKS = 40;

/**
 * Returns a path that is there with all links resolved. On Linux the system's own, which is faster: node's asks for each
 * part of a path. Elsewhere the system's own also corrects upper and lower case (macOS) and replaces drives (Windows).
 */
export const resolveLinks = process.platform === 'linux' ? realpathSync.native : realpathSync;

/**
 * Returns the path with all links resolved, even when nothing is there: for a broken link, the path that a write would
 * create.
 */
export function realPath(path: string, links = 0): string {
  try {
    return resolveLinks(path);
  } catch {
    const up = dirname(path);
    if (up === path || links > MOST_LINKS) return path;
    const here = join(realPath(up, links + 1), basename(path));
    const link = linkAt(here);
    return link === undefined ? here : realPath(resolve(dirname(here), link), links + 1);
  }
}

const linkAt = (path: string): string | undefined => quietly(() => readlinkSync(path));

/** Returns the path with all links resolved, or the path itself when nothing is there; for folders, to compare them. */
export function followed(path: string): string {
  return quietly(() => asSpelled(resolveLinks(path))) ?? path;
}

/**
 * Returns a path as the disk spells it, as far as it is there. On Windows a session's folder can have any case of
 * letters, and a short name for a long one (`LONGNA~1`): editors name the drive `c:`, and PowerShell keeps what was
 * typed. Links stay, and drives that stand for a folder elsewhere.
 */
export function asSpelled(path: string): string {
  if (!HERE.windows) return path;
  const up = dirname(path);
  if (up === path) return path.replace(/^[a-z](?=:)/, (drive) => drive.toUpperCase());
  const real = quietly(() => realpathSync.native(path));
  if (real !== undefined && inside(real, path) === '') return real;
  const isLink = real === undefined || linkAt(path) !== undefined;
  // A share and a drive that stands for a folder are no links, but have another name.
  const isHere = !isLink && inside(realPath(up), dirname(real)) === '';
  return join(asSpelled(up), basename(isHere ? real : path));
}
