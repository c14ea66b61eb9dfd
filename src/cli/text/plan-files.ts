import { basename, dirname, sep } from 'node:path';
import { valuesByKey } from '../../base/grouped.ts';
import { belowHome, inside, isAround } from '../../base/paths.ts';
import { hanging, rowsOf, type Style, wrapped } from '../../base/text-style.ts';
import { oneLine, visible } from '../../base/visible.ts';
import { clientById } from '../../clients/index.ts';
import type { EntryChange } from '../../edit/types.ts';
import { faultText } from '../../messages/faults.ts';
import { noteText } from '../../messages/notes.ts';
import {
  alteredText,
  countOf,
  entriesText,
  keptText,
  leftText,
  movedText,
  NO_FILES,
  NOTHING_ELSE,
  ownCounts,
  staysText,
} from '../../messages/plan.ts';
import type { ClientPlan, EditedPlace, Plan } from '../../plan/types.ts';
import type { FileChange } from '../../store/types.ts';
import { clientDiff, type DiffLine } from './file-diff.ts';
import type { TextContext } from './text-context.ts';

const SIGNS = {
  added: ['+', 'green'],
  replaced: ['~', 'magenta'],
  removed: ['-', 'red'],
} as const;

/**
 * Returns the files that a plan changes: each with its added and removed entries, or with `lines` also line by line.
 */
export function filesText(plan: Plan, context: TextContext): string[] {
  const { style, columns, lines: whole } = context;
  const lines = plan.clients.flatMap((client) => clientLines(plan, client, context));
  const own = plan.changes.filter((c) => !isClients(plan, c.path));
  if (lines.length === 0 && own.length === 0) return [NO_FILES];
  const edits = plan.clients.some((c) =>
    placesOf(c).some((place) => place.file && place.before !== place.after && place.before !== null),
  );
  return [
    ...lines,
    ...(edits && !whole ? [`  ${style('dim', hanging(NOTHING_ELSE, 2, columns))}`] : []),
    ...(own.length > 0 ? ownLines(own, plan, context) : []),
  ];
}

/** Returns the changes in the clients' files, line by line. */
export function clientFilesText(plan: Plan, context: TextContext): string {
  const lines = plan.clients.flatMap((client) => clientLines(plan, client, { ...context, lines: true }));
  return [...lines, ''].join('\n');
}

/** True for a client's file, which is shown by its entries. */
export function isClients(plan: Plan, path: string): boolean {
  return plan.clients.some((c) => placesOf(c).some(({ file }) => file === path));
}

/** Returns a client's files that change, the main one first. */
const placesOf = (client: ClientPlan): Pick<ClientPlan, 'file' | 'before' | 'after'>[] => [
  client,
  ...client.beside,
  ...client.movedOut,
];

function clientLines(plan: Plan, client: ClientPlan, context: TextContext): string[] {
  const { style, columns } = context;
  const { fault, notes, drift, entryChanges, file, before, after } = client;
  const title = clientById(client.client).title;
  const indented = (sign: string, text: string): string => `  ${sign} ${hanging(text, 4, columns)}`;
  if (fault)
    return [
      `${style('red', '!')} ${title}`,
      ...faultText(fault)
        .split('\n')
        .map((l) => `    ${l}`),
    ];
  const changes = file !== undefined && before !== after;
  const altered = [...new Set(drift.map((path) => oneLine(basename(path))))];
  const edited = editedTexts(entryChanges);
  const lines = [
    ...notes.map((note) => indented('!', noteText(note))),
    ...(drift.length > 0 ? [indented('~', alteredText(altered))] : []),
    ...edited.map((text) => indented('~', text)),
    ...(changes ? changeLines(plan, client, context) : []),
    ...client.beside.flatMap((place) => besideLines(plan, { ...client, ...place }, context)),
    ...client.movedOut.flatMap((place) => leftLines(plan, client, place, context)),
  ];
  if (lines.length === 0) return [];
  const isNamed = file !== undefined && (changes || edited.length > 0);
  const path = isNamed ? `  ${shortPath(file, context)}${changes && before === null ? ' (new)' : ''}` : '';
  return [`${style('bold', title)}${path}`, ...lines];
}

/** Returns what stays of entries that the user edited. */
const editedTexts = (changes: readonly EntryChange[]): string[] =>
  changes.flatMap(({ event, kind, stays }) => {
    if (kind === 'kept-edited') return [keptText(event)];
    return stays ? [staysText(event, stays.map(oneLine))] : [];
  });

/** Returns how a further file of a client changes. */
function besideLines(plan: Plan, client: ClientPlan & EditedPlace, context: TextContext): string[] {
  const edited = editedTexts(client.entryChanges).map((text) => `  ~ ${hanging(text, 4, context.columns)}`);
  const changes = client.before !== client.after;
  if (edited.length === 0 && !changes) return [];
  const lines = changes ? changeLines(plan, client, context) : [];
  return [`  ${shortPath(client.file, context)}`, ...edited, ...lines];
}

/** Returns how a file changes from which our entries move to another file. */
function leftLines(plan: Plan, client: ClientPlan, place: EditedPlace, context: TextContext): string[] {
  const { style, columns, lines: whole } = context;
  const { file, before, after, entryChanges } = place;
  const gone = entryChanges.filter((c) => c.kind === 'removed').length;
  const edited = entryChanges.filter((c) => c.kind === 'kept-edited').map((c) => c.event);
  const indented = (text: string): string => hanging(text, 4, columns);
  const count = movedText(gone, shortPath(file, context));
  return [
    ...(before === after ? [] : [`  ${style('red', `- ${indented(count)}`)}`]),
    ...(whole && after !== null ? diffLines(clientDiff(plan, { ...client, ...place }), style, columns) : []),
    ...(edited.length > 0 ? [`  ~ ${indented(leftText(edited))}`] : []),
  ];
}

/** Returns entries by kind of change: how many, and at which native events; with `lines` also the diff. */
function changeLines(plan: Plan, changed: ClientPlan, { style, columns, lines }: TextContext): string[] {
  const { client, entryChanges } = changed;
  const entries = [plan.next, plan.previous].flatMap((s) => s?.clients[client]?.entries ?? []);
  const name = ({ event, key }: EntryChange): string => {
    const { matcher } = entries.find((e) => e.event === event && e.key === key)?.group ?? {};
    return `${event}${matcher === undefined ? '' : ` on ${matcher}`}`;
  };
  const told = (['removed', 'replaced', 'added'] as const).flatMap((kind) => {
    const [sign, colour] = SIGNS[kind];
    const names = entryChanges.filter((c) => c.kind === kind).map((c) => oneLine(name(c)));
    if (names.length === 0) return [];
    return [`  ${style(colour, `${sign} ${hanging(entriesText(kind, names), 4, columns)}`)}`];
  });
  return [...told, ...(lines ? diffLines(clientDiff(plan, changed), style, columns) : [])];
}

function ownLines(own: Plan['changes'], { clients }: Plan, context: TextContext): string[] {
  const { style, paths, columns, lines: whole } = context;
  const counts = ['+', '~', '-'].flatMap((sign) => {
    const n = own.filter((c) => signOf(c) === sign).length;
    return n === 0 ? [] : [`${sign} ${countOf(n, 'file')}`];
  });
  const plugins = clients.flatMap((c) => [c.plugin, ...c.movedOut.map((place) => place.plugin)]);
  const all = new Set([paths.data, paths.state, ...plugins.filter((p) => p !== undefined)]);
  const folders = [...all].filter((folder) => own.some((c) => isAround(folder, c.path)));
  const others = own.filter((c) => !folders.some((folder) => isAround(folder, c.path)));
  const places = [...folders, ...others.map((c) => c.path)].map((path) => shortPath(path, context));
  return [
    `${style('bold', 'mcphooks')}  ${hanging(places.join(' and '), 10, columns)}`,
    `  ${style('green', hanging(ownCounts(counts.join(', ')), 4, columns))}`,
    ...(whole ? namesByFolder(own, (path) => shortPath(dirname(path), context), columns) : []),
  ];
}

const signOf = ({ before, after }: FileChange): string => (after === null ? '-' : before ? '~' : '+');

/** Returns the names of files, grouped by the sign of their change and by the folder that `shown` returns. */
export function namesByFolder(
  files: readonly FileChange[],
  shown: (path: string) => string,
  columns: number | undefined,
): string[] {
  const byFolder = valuesByKey(
    files.map((change) => [`${signOf(change)} ${shown(change.path)}${sep}`, oneLine(basename(change.path))]),
  );
  return [...byFolder].flatMap(([folder, names]) => [`  ${folder}`, wrapped(names.join(' '), 4, columns)]);
}

/** Returns lines of a diff; long lines continue behind a broken bar. */
export function diffLines(
  lines: readonly DiffLine[],
  style: Style,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const format = { '+': 'green', '-': 'red', '@': 'magenta', ' ': 'dim' } as const;
  return lines.flatMap(({ sign, text }) =>
    rowsOf(visible(text), Math.max(20, columns - 4)).map((row, i) =>
      style(format[sign], `  ${i === 0 ? sign : '┊'} ${row}`),
    ),
  );
}

/** Returns a path for display: relative to the project's root, or with `~`. */
export function shortPath(path: string, { home, root }: { home: string; root?: string }): string {
  return oneLine((root !== undefined && inside(root, path)) || belowHome(path, home));
}
