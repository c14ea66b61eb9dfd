import { basename } from 'node:path';
import { grouped, valuesByKey } from '../../base/grouped.ts';
import { inside, slashed } from '../../base/paths.ts';
import { oneLine, visible } from '../../base/visible.ts';
import { clientById } from '../../clients/index.ts';
import type { EntryChange } from '../../edit/types.ts';
import {
  type Alteration,
  alteredCount,
  alteredLine,
  alteredTitle,
  CHECKOUT_DIFFERS,
  changedTitle,
  differText,
  NOTHING_HERE,
  orApprove,
  restoreFirst,
  toAccept,
  toRestore,
} from '../../messages/comment.ts';
import { editedStep } from '../../messages/done.ts';
import type { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import { whenText } from '../../messages/hook-words.ts';
import { type Note, noteText, PROVED } from '../../messages/notes.ts';
import { conditionTexts } from '../../messages/when-words.ts';
import { FIRST_DEFINITION } from '../../messages/words.ts';
import { hasAlteredLock, keepsEdits } from '../../plan/difference.ts';
import type { ClientPlan, Plan } from '../../plan/types.ts';
import { ownFilesOf } from '../../store/record.ts';
import type { DiffLine } from './file-diff.ts';
import type { HookMatrix } from './matrix.ts';
import { changesSince } from './plan-header.ts';

/** Comparison of one server. `plan` is absent when planning failed. */
export interface ServerComparison {
  server: string;
  /** Exit code, as of `diff`. */
  exit: number;
  plan?: Plan;
  faults: readonly Fault[];
  /** Remarks on where the hooks come from. */
  notes?: readonly Note[];
  /** Texts on approved parts that are gone. */
  gone?: readonly string[];
}

/** Commands to suggest, by server. */
export interface Remedies {
  /** Returns the command that approves what is declared now; `from`: the client that it must name. */
  accept: (server: string, from?: string) => string;
  /** Returns the command that restores what was approved. */
  restore: (server: string) => string;
  /** Absolute project root; files are named relative to it. */
  root?: string;
  /** Absolute path of a project's lock file: hook scripts altered there run for all users of the project. */
  lock?: string;
}

/**
 * Returns the result of `diff` in Markdown, for a pull request's comment. All text from a server or a file is inside
 * code, so that the text can't mention anyone, link anywhere, or pass for ours.
 */
export function markdown(
  compared: readonly ServerComparison[],
  checkout: readonly Fault[],
  remedies: Remedies,
): string {
  const differ = compared.filter((c) => c.exit !== 0);
  if (compared.length === 0 && checkout.length === 0) return NOTHING_HERE;
  // With any other exit code, something prevented the comparison.
  const failed = differ.filter((c) => c.exit !== 2);
  const title = differText(
    compared.length,
    differ.length - failed.length,
    failed.length,
    remedies.lock && code(basename(remedies.lock)),
  );
  // Hooks may be as approved while something else in the repository is not.
  const titled = checkout.length === 0 || differ.length > 0;
  return [
    ...(titled ? [title] : []),
    ...(checkout.length > 0 ? [CHECKOUT_DIFFERS] : []),
    ...checkout.map((fault) => fence(faultText(fault), 'text')),
    ...bySameFaults(compared.filter((c) => c.exit !== 0 || c.notes)).map((same) =>
      serverText(same, remedies),
    ),
  ].join('\n\n');
}

type SameFaults = [ServerComparison, ...ServerComparison[]];

/** What stops several servers, such as a mistake in the configuration file, is said once. */
function bySameFaults(compared: readonly ServerComparison[]): SameFaults[] {
  const groups = valuesByKey(
    compared.map((one) => [one.plan || one.notes ? one : one.faults.map(faultText).join('\n'), one]),
  );
  return [...groups.values()];
}

function serverText(same: SameFaults, remedies: Remedies): string {
  const [{ exit, plan, faults, notes = [], gone = [] }] = same;
  return [
    `### ${same.map(({ server }) => code(server)).join(', ')}`,
    ...[...(plan?.leftOut ?? []), ...faults].map((fault) => fence(faultText(fault), 'text')),
    ...notes.map((note) => fence(noteText(note), 'text')),
    ...(plan && exit !== 0
      ? [
          ...alteredList(plan, remedies),
          ...gone.map((text) => fence(text, 'text')),
          ...changesText(plan, remedies),
        ]
      : []),
  ].join('\n\n');
}

/** Entries of ours in one file of a client that differ from what was written. */
interface AlteredEntries {
  file: string;
  entries: { event: string; how: Alteration }[];
}

/** Returns the files whose content differs from what was written; they can be restored, whatever is declared now. */
function alteredList(plan: Plan, { accept, restore, root, lock }: Remedies): string[] {
  const short = (path: string): string => slashed((root !== undefined && inside(root, path)) || path);
  const entries = plan.clients.flatMap((client) => alteredEntries(client, plan));
  const own = [...new Set(plan.clients.flatMap((c) => c.drift))].map((path) => {
    const gone = plan.clients.some((c) => c.missing.includes(path));
    return `- ${alteredLine(code(short(path)), gone ? 'gone' : 'altered')}`;
  });
  // Files that become unused by changed declarations were written by an install, so they aren't altered.
  const written = ownFilesOf(plan.previous?.clients);
  const strangers = plan.leftovers.filter((path) => !written.includes(path));
  const stray = strangers.map((path) => `- ${alteredLine(code(short(path)), 'stray')}`);
  const files = [...own, ...stray];
  if (entries.length + files.length === 0) return [];
  // In a project, `restore` brings back edited entries, too.
  const keepsEdited = lock === undefined && keepsEdits(plan);
  const isLockAltered = lock !== undefined && hasAlteredLock(plan, lock);
  return [
    alteredTitle(lock !== undefined),
    ...(entries.length > 0 ? [entries.map((one) => entriesLine(one, short)).join('\n')] : []),
    ...(files.length > 0
      ? [
          [
            '<details>',
            `<summary>${alteredCount(files.length)}</summary>`,
            '',
            ...files,
            '',
            '</details>',
          ].join('\n'),
        ]
      : []),
    ...(isLockAltered ? [restoreFirst(code(short(lock)))] : []),
    ...(plan.gone.includes('definition') ? [FIRST_DEFINITION] : []),
    ...(!keepsEdited ||
    files.length > 0 ||
    entries.some((one) => one.entries.some(({ how }) => how !== 'edited'))
      ? [toRestore(code(restore(plan.server)), lock !== undefined)]
      : []),
    ...(keepsEdited ? [`${editedStep(code(accept(plan.server)))}.`] : []),
    ...(isLockAltered ? [orApprove(code(accept(plan.server, plan.clientToName)))] : []),
  ];
}

/** Returns changes since the approval in what the server declares or how it is started. */
function changesText(plan: Plan, { accept, lock }: Remedies): string[] {
  if (plan.changed.length === 0) return [];
  const changes = changesSince(plan);
  return [
    changedTitle(plan.changed),
    ...(changes.length > 0 ? [fence(changes.map(diffLine).join('\n'), 'diff')] : []),
    matrix(plan).join('\n'),
    toAccept(code(accept(plan.server, plan.clientToName)), lock !== undefined),
  ];
}

function diffLine({ sign, text }: DiffLine): string {
  return sign === '@' ? `@@ ${visible(text)} @@` : `${sign}${visible(text)}`;
}

/** Returns a table of hooks with their fidelity by clients, and reasons for unsupported hooks. */
export function matrix({ declarations, clients }: HookMatrix): string[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const titled = clients.map(({ client, cells }) => ({ title: clientById(client).title, cells }));
  const proved = clients
    .map(({ client }) => clientById(client))
    .map((c) => [c.title, PROVED[c.proved.how]] as const);
  return [
    row(['hook', `on ${titled.map(({ title }) => title).join(', ')}`]),
    row(['---', '---']),
    ...declarations.map((declaration, i) =>
      row([
        `${i + 1} ${code([whenText(declaration), ...conditionTexts(declaration.when)].join('; '))}`,
        groupsText(titled.map(({ title, cells }) => [title, cellText(cells[i])] as const)),
      ]),
    ),
    row(['tested', groupsText(proved)]),
  ];
}

const groupsText = (told: readonly (readonly [string, string])[]): string =>
  grouped(told)
    .map(({ text, whom }) => `${text} on ${whom}`)
    .join('<br>');

function cellText(cell: ClientPlan['cells'][number] | undefined): string {
  if (!cell) return '–';
  const why = cell.fidelity === 'unsupported' ? cell.notes.map((note) => ` ${code(noteText(note))}`) : [];
  return cell.fidelity + why.join('');
}

/** Returns our entries in a client's files that differ from what was written. */
function alteredEntries(
  { client, beside, ...main }: ClientPlan,
  { previous, changed }: Plan,
): AlteredEntries[] {
  const known = previous?.clients[client]?.entries ?? [];
  const howOf = ({ event, key, kind, stays }: EntryChange): Alteration | undefined => {
    const was = known.some((e) => e.event === event && e.key === key);
    if (kind === 'kept-edited' || stays) return 'edited';
    if (kind === 'added' && was) return 'gone';
    // Entries that change because of changed declarations weren't altered by anyone.
    if (kind === 'unchanged' || changed.length > 0) return undefined;
    return kind === 'removed' ? 'extra' : 'differs';
  };
  return [main, ...beside].flatMap(({ file, entryChanges }) => {
    const entries = entryChanges.flatMap((change) => {
      const how = howOf(change);
      return how ? [{ event: change.event, how }] : [];
    });
    return file !== undefined && entries.length > 0 ? [{ file, entries }] : [];
  });
}

const entriesLine = ({ file, entries }: AlteredEntries, short: (path: string) => string): string =>
  `- ${code(short(file))}: ${entries.map(({ event, how }) => alteredLine(code(event), how)).join(', ')}`;

/** Returns others' text as code, for one line or a table's cell. */
export function code(text: string): string {
  const line = oneLine(text).replaceAll('|', '\u2223');
  const ticks = '`'.repeat(longest(line) + 1);
  return longest(line) === 0 ? `\`${line}\`` : `${ticks} ${line} ${ticks}`;
}

/** Returns a code block whose fence is longer than any in `text`. */
export function fence(text: string, language: string): string {
  const ticks = '`'.repeat(Math.max(3, longest(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** Returns the length of the longest run of backticks. */
const longest = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
