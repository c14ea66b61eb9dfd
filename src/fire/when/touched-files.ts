import { basename, dirname, join, resolve } from 'node:path';
import { fitsPath } from '../../base/glob.ts';
import { inside, isOnOtherShare, slashed } from '../../base/paths.ts';
import { realPath } from '../../base/real-path.ts';
import type { FileFields } from '../../clients/conditions.ts';
import type { PathGlobs } from '../format.ts';
import { at } from '../payload.ts';

/** Input fields that name files for tools not listed in the data, such as tools of MCP servers. */
export const USUAL_FIELDS: { paths: readonly string[] } = { paths: ['file_path', 'filePath', 'path'] };
/** Longer texts aren't paths, nor are texts with a longer name. */
const LONGEST = 4096;
const LONGEST_NAME = 255;
const isPath = (path: string): boolean =>
  path !== '' &&
  path.length <= LONGEST &&
  !path.includes('\0') &&
  path.split(/[/\\]/).every((name) => name.length <= LONGEST_NAME);
const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$/gm;

/**
 * Returns absolute paths of the files that a tool's input names; relative paths are below `folder`. A file behind links
 * has several: as it is named, in its real folder, and where it really is. One on another share has only its name.
 */
export function touchedFiles(input: unknown, fields: FileFields = USUAL_FIELDS, folder: string): string[] {
  const all = named(input, fields)
    .filter(isPath)
    .flatMap((path) => {
      const whole = resolve(folder, path);
      // A stranger's text may name a share, and nobody has allowed the tool yet.
      if (isOnOtherShare(whole, folder)) return [whole];
      return [whole, join(realPath(dirname(whole)), basename(whole)), realPath(whole)];
    });
  return [...new Set(all)];
}

function named(input: unknown, fields: FileFields): string[] {
  if ('paths' in fields)
    return fields.paths.flatMap((field) => {
      const value = at(input, field);
      return typeof value === 'string' ? [value] : [];
    });
  const patch = [fields.patch]
    .flat()
    .map((field) => (field === '' ? input : at(input, field)))
    .find((value) => typeof value === 'string');
  return typeof patch === 'string' ? [...patch.matchAll(PATCHED)].map(([, path = '']) => path) : [];
}

/** True when one of the files matches one of the globs. All paths are absolute, and `root` has no links. */
export function touches(files: readonly string[], { below, whole }: PathGlobs, root: string): boolean {
  const fits = (globs: readonly string[], path: string): boolean =>
    globs.some((glob) => fitsPath(glob, path));
  return files.some((file) => {
    const inProject = inside(root, file);
    return (inProject && fits(below, slashed(inProject))) || fits(whole, slashed(file));
  });
}
