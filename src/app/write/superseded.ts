import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readNames, readText } from '../../base/read-file.ts';
import { tolerate } from '../../store/fs.ts';
import type { ServerRecord } from '../../store/types.ts';

/**
 * Milliseconds to keep replaced shims: sessions from before an update still call the shims with which they were
 * started.
 */
const KEPT_MS = 7 * 24 * 3600 * 1000;

export interface Superseded {
  /** Folders that go out of use now; their `KEPT_MS` begin. */
  leaving: string[];
  /** Folders out of use for longer than `KEPT_MS`. */
  over: string[];
}

/** Returns folders of shims in a server's folder that no entry names any more. */
export function superseded(
  folder: string,
  before: ServerRecord | undefined,
  after: ServerRecord,
  now: number,
): Superseded {
  const names = readNames(folder).filter((name) => /^[0-9a-f]{16}$/.test(name) && !isNamedBy(after, name));
  const path = (name: string): string => join(folder, name);
  const leaving = names.filter((name) => isNamedBy(before, name)).map(path);
  const over = names
    .map(path)
    .filter((p) => !leaving.includes(p) && now - (tolerate(() => statSync(p).mtimeMs) ?? now) > KEPT_MS);
  return { leaving, over };
}

/** True when a server's entries name the digest, those in other folders of a client included, as last written. */
const isNamedBy = (server: ServerRecord | undefined, digest: string): boolean =>
  Object.values(server?.clients ?? {}).some(
    (client) => client.digest === digest || JSON.stringify(client.otherFiles ?? []).includes(digest),
  );

/**
 * Returns the runtimes in a data folder that no script there names, except those that `before` used: their fires may
 * still run. `leaving`: folders of scripts that don't count.
 */
export function unusedRuntimes(
  data: string,
  before: ServerRecord | undefined,
  leaving: readonly string[],
): string[] {
  const folder = join(data, 'runtime');
  const used = Object.values(before?.clients ?? {}).flatMap(({ own }) =>
    Object.keys(own).map((path) => basename(dirname(path))),
  );
  const names = readNames(folder).filter((name) => /^[0-9a-f]{16}$/.test(name) && !used.includes(name));
  // Nearly always, the only runtime is the one in use.
  if (names.length === 0) return [];
  const scripts = ['hooks', 'joint'].flatMap((name) => textsBelow(join(data, name), leaving));
  // A script that can't be read may name any runtime.
  const unused = names.filter((name) => scripts.every((text) => text?.includes(name) === false));
  return unused.map((name) => join(folder, name));
}

/** Returns the texts of all files below a folder; undefined for one that can't be read. */
function textsBelow(folder: string, without: readonly string[]): (string | undefined)[] {
  const entries = tolerate(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (without.includes(path)) return [];
    return entry.isDirectory() ? textsBelow(path, without) : [tolerate(() => readText(path))];
  });
}

/** Removes expired folders, under the lock. Folders that can't be removed are left for the next call. */
export function clearSuperseded({ leaving, over }: Superseded, now: number): void {
  for (const folder of leaving) tolerate(() => utimesSync(folder, now / 1000, now / 1000));
  for (const folder of over) tolerate(() => rmSync(folder, { recursive: true, force: true }));
}
