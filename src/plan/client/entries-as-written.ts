import { dirname, join } from 'node:path';
import type { Files } from '../../base/files.ts';
import { isObject } from '../../base/json-value.ts';
import { quietly } from '../../base/quietly.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import { signatureOf } from '../../edit/decide.ts';
import type { WantedEntry } from '../../edit/types.ts';
import type { FireData } from '../../fire/format.ts';
import { shimOf, shimPath } from '../../shims/entry-owner.ts';
import type { Compiled } from '../types.ts';

/**
 * Returns the entries as they were written before, so that a newer mcphooks needs no new hook review; undefined when
 * other entries are wanted. An entry is compiled anew when its shim now matches other calls (a server that a matcher
 * names can come, go, or change its alias), or when its command has an outdated form or names another folder.
 */
export function entriesAsWritten(
  old: readonly WantedEntry[],
  { entries, shims }: Compiled,
  folder: string,
  { read, real }: Pick<Files, 'read' | 'real'>,
): WantedEntry[] | undefined {
  const keys = (list: readonly WantedEntry[]): string => list.map((e) => `${e.event}/${e.key}`).join();
  if (keys(old) !== keys(entries)) return undefined;
  return entries.map((entry, i) => {
    const now = shims.find((shim) => shim.native === entry.key)?.data;
    const before = now && readShim(read(join(folder, `${entry.key}.json`)));
    const written = old[i] as WantedEntry;
    const other = now && (!before || matchesOfPrinting(before) !== matchesOfPrinting(now));
    const isHere = nameSameFolders([written], [entry]) || foldersOf(written, real) === foldersOf(entry, real);
    return other || isOutdated(written) || !isHere ? entry : written;
  });
}

const isOutdated = ({ group }: WantedEntry): boolean =>
  group.hooks.some((handler) => shimOf(signatureOf(handler) ?? '')?.outdated === true);

/** True when entries name the folders of their scripts alike. */
export const nameSameFolders = (some: readonly WantedEntry[], others: readonly WantedEntry[]): boolean =>
  some.map((entry) => foldersOf(entry)).join('\0') === others.map((entry) => foldersOf(entry)).join('\0');

/** Folders of the scripts that an entry starts: others after own folders have moved. */
const foldersOf = ({ group }: WantedEntry, real: Files['real'] = (path) => path): string =>
  group.hooks.map((handler) => real(dirname(shimPath(signatureOf(handler) ?? '') ?? ''))).join('\n');

/** Steps that print or defer a text; the last two are names of earlier versions. */
const PRINTING_STEPS: readonly string[] = ['emit', 'defer', 'give', 'keep'];

/** Serializes which calls a shim's printing and deferring hooks match. */
export function matchesOfPrinting({ hooks }: FireData): string {
  const printing = hooks.filter(({ does }) => PRINTING_STEPS.includes(does));
  return canonicalJson(printing.map(({ n, match }) => [n, match ?? null]));
}

/** Returns the data of a hook script; undefined for anything else. */
export function readShim(bytes: Uint8Array | null): FireData | undefined {
  return quietly(() => {
    const data = JSON.parse(Buffer.from(bytes ?? []).toString()) as FireData;
    // Anybody may have written the file.
    const isWhole = Array.isArray(data.hooks) && data.hooks.every(isObject);
    return isWhole && Array.isArray(data.payload?.prefixes) ? data : undefined;
  });
}
