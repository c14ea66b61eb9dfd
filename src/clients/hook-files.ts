import { basename, dirname, join } from 'node:path';
import { type Files, filesBelow, namesIn } from '../base/files.ts';
import { slashed } from '../base/paths.ts';
import { isSlug } from '../base/slug.ts';
import type { HookFile } from './hook-config.ts';

/** Placeholder for the server in the path of a file that each server has separately. */
export const ANY_SLUG = '{slug}';

/** Returns the path of a server's file; unchanged for a file that all servers share. */
export const hookPath = ({ path }: Pick<HookFile, 'path'>, slug: string): string =>
  path.replace(ANY_SLUG, () => slug);

/** True when a path can be that of the hook file for some server. */
export function isHookPath(path: string, { path: template }: Pick<HookFile, 'path'>): boolean {
  return path === template || slugIn(path, template) !== undefined;
}

/** True when a path can be that of the hook file for some server, in any folder. */
export function endsInHookPath(path: string, place: Pick<HookFile, 'path'>): boolean {
  const steps = slashed(path).split('/');
  return isHookPath(steps.slice(-place.path.split('/').length).join('/'), place);
}

function slugIn(path: string, template: string): string | undefined {
  const [head = '', tail] = template.split(ANY_SLUG);
  if (tail === undefined || !path.startsWith(head) || !path.endsWith(tail)) return undefined;
  const slug = path.slice(head.length, path.length - tail.length);
  return isSlug(slug) ? slug : undefined;
}

/** Returns the existing files for a path with `ANY_SLUG`, one per server; any other file unchanged. */
export function existingFiles<T extends HookFile & { file: string }>(
  place: T,
  files: Pick<Files, 'list'>,
): T[] {
  if (!place.path.includes(ANY_SLUG)) return [place];
  const [folder, template] = [dirname(place.file), basename(place.file)];
  return namesIn(folder, files).flatMap((name) => {
    const slug = slugIn(name, template);
    return slug === undefined ? [] : [{ ...place, path: hookPath(place, slug), file: join(folder, name) }];
  });
}

/**
 * Returns a place's files in a folder; `*` before `.json` stands for each name there that isn't hidden, and `**` before
 * that for all folders below.
 */
export function filesAt<T extends Pick<HookFile, 'path'>>(
  place: T,
  folder: string,
  files: Pick<Files, 'list'>,
): (T & { file: string })[] {
  const file = join(folder, place.path);
  if (basename(file) !== '*.json') return [{ ...place, file }];
  const parent = dirname(file);
  const all =
    basename(parent) === '**'
      ? filesBelow(dirname(parent), files)
      : namesIn(parent, files).map((name) => join(parent, name));
  const read = all.filter((path) => /^[^.].*\.json$/.test(basename(path)));
  return read.sort().map((path) => ({ ...place, file: path }));
}
