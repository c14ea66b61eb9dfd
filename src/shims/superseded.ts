import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { MISSING, tolerate } from '../store/fs.ts';
import type { ServerRecord } from '../store/types.ts';

/** Sessions that run since before an update still call the shims that they were started with. */
const KEPT_MS = 7 * 24 * 3600 * 1000;

export interface Superseded {
  /** They go out of use now: from now on their time counts. */
  leaving: string[];
  /** Their time is over. */
  over: string[];
}

/** Folders with shims in a server's folder that no entry names any more. */
export function superseded(
  folder: string,
  before: ServerRecord | undefined,
  after: ServerRecord,
  now: number,
): Superseded {
  const digests = (server: ServerRecord | undefined): string[] =>
    Object.values(server?.clients ?? {}).map((client) => client.digest);
  const names = (tolerate(() => readdirSync(folder), MISSING) ?? []).filter(
    (name) => /^[0-9a-f]{16}$/.test(name) && !digests(after).includes(name),
  );
  const path = (name: string): string => join(folder, name);
  const leaving = names.filter((name) => digests(before).includes(name)).map(path);
  const over = names
    .map(path)
    .filter((p) => !leaving.includes(p) && now - (tolerate(() => statSync(p).mtimeMs) ?? now) > KEPT_MS);
  return { leaving, over };
}

/** Call it under the lock. What can't be removed is left to the next time. */
export function clearSuperseded({ leaving, over }: Superseded, now: number): void {
  for (const folder of leaving) tolerate(() => utimesSync(folder, now / 1000, now / 1000));
  for (const folder of over) tolerate(() => rmSync(folder, { recursive: true, force: true }));
}
