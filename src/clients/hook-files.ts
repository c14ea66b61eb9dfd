import { basename, dirname, join } from 'node:path';
import { type Files, namesIn } from '../base/files.ts';
import { isSlug } from '../base/slug.ts';
import type { HookFile } from './hook-config.ts';

/** Stands for the server in the path of a file of which each server has its own. */
export const SLUG = '{slug}';

/** The path of a server's file; of a file for all servers, its own. */
export const hookPath = ({ path }: Pick<HookFile, 'path'>, slug: string): string =>
  path.replace(SLUG, () => slug);

/** Whether a path is one that a hook file can have, whatever the server. */
export function isHookPath(path: string, { path: template }: Pick<HookFile, 'path'>): boolean {
  return path === template || slugIn(path, template) !== undefined;
}

function slugIn(path: string, template: string): string | undefined {
  const [head = '', tail] = template.split(SLUG);
  if (tail === undefined || !path.startsWith(head) || !path.endsWith(tail)) return undefined;
  const slug = path.slice(head.length, path.length - tail.length);
  return isSlug(slug) ? slug : undefined;
}

/** Of a file of which each server has its own (`SLUG` in its path), those that are there; any other as it is. */
export function standingFiles<T extends HookFile & { file: string }>(
  place: T,
  files: Pick<Files, 'list'>,
): T[] {
  if (!place.path.includes(SLUG)) return [place];
  const [folder, template] = [dirname(place.file), basename(place.file)];
  return namesIn(folder, files).flatMap((name) => {
    const slug = slugIn(name, template);
    return slug === undefined ? [] : [{ ...place, path: hookPath(place, slug), file: join(folder, name) }];
  });
}
