import { join } from 'node:path';
import { type Files, folderEntries } from '../base/files.ts';
import type { OwnPaths } from '../base/paths.ts';
import { quietly } from '../base/quietly.ts';
import { isSlug } from '../base/slug.ts';
import { CLIENT_NAME, NATIVE_NAME } from '../clients/names.ts';

/*
 * At some native events a client doesn't use each hook's text (`NativeEvent.textsUsed`). One entry then serves all
 * servers of a scope: its script runs those of the servers. Each server adds one file of its own beside that script,
 * so that servers come and go without a change of anything that they share.
 */

/** Folder of the scripts of a client's joint entries: `<data>/joint/<client>`. */
export const jointFolder = ({ data }: Pick<OwnPaths, 'data'>, client: string): string =>
  join(data, 'joint', client);

/** Absolute path of the file by which a joint script knows of a server; its text is the digest of the server's scripts. */
export const memberFile = (script: string, slug: string): string => join(`${script}.d`, slug);

/** Returns the servers that a joint entry serves. As for the script, a folder or a link to nothing is no server. */
export function membersOf(script: string, files: Pick<Files, 'list' | 'read'>): string[] {
  // One that can't be read counts, too: the script may run it.
  const isThere = (name: string): boolean => quietly(() => files.read(memberFile(script, name))) !== null;
  return folderEntries(`${script}.d`, files).flatMap(({ name, kind }) =>
    isSlug(name) && (kind === 'file' || (kind === 'link' && isThere(name))) ? [name] : [],
  );
}

/**
 * Returns whether no other server needs a client's joint entry of a native event. `folder`: that of its script;
 * `others`: recorded entries of other servers, whose scripts may be lost.
 */
export function isAlone(
  slug: string,
  folder: string,
  others: readonly { key: string }[],
  files: Pick<Files, 'list' | 'read'>,
): (native: string) => boolean {
  return (native) =>
    membersOf(join(folder, native), files).every((member) => member === slug) &&
    !others.some(({ key }) => key === native);
}

const FILE = new RegExp(
  String.raw`^(.*[/\\]joint[/\\]${CLIENT_NAME}[/\\]${NATIVE_NAME})(?:\.json|\.cjs|\.d[/\\]([^/\\]+))?$`,
  's',
);

/** Returns the joint script that a path belongs to, and for a member's file the server. */
export function jointFile(path: string): { script: string; slug?: string } | undefined {
  const [, script, slug] = FILE.exec(path) ?? [];
  return script === undefined ? undefined : { script, ...(slug !== undefined && { slug }) };
}

/**
 * Returns the files of joint entries among `paths` that go out of use with a server: its own, and those that no other
 * server needs.
 */
export function leavingFiles(
  paths: readonly string[],
  slug: string,
  files: Pick<Files, 'list' | 'read'>,
): string[] {
  return paths.filter((path) => {
    const file = jointFile(path);
    if (!file) return false;
    if (file.slug !== undefined) return file.slug === slug;
    return membersOf(file.script, files).every((member) => member === slug);
  });
}
