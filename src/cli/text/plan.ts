import type { Removed } from '../../app/uninstall/uninstall-servers.ts';
import { listed } from '../../base/listed.ts';
import { ranges } from '../../base/ranges.ts';
import { barred, hanging } from '../../base/text-style.ts';
import { oneLine, visible } from '../../base/visible.ts';
import type { ClientId } from '../../clients/client.ts';
import { clientById, titlesOf } from '../../clients/index.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import type { Declaration } from '../../declarations/types.ts';
import { userDataIn } from '../../declarations/variables.ts';
import { placeholderText } from '../../messages/done.ts';
import { callText, whenText } from '../../messages/hook-words.ts';
import { noteText } from '../../messages/notes.ts';
import {
  approvedText,
  keptAt,
  OFF_NAMES_REMOVED,
  ONLY_RECORDED,
  otherCommandAt,
  ownRemoved,
  removalTitle,
  removedText,
  sentText,
  UNRECORDED,
  WHAT_STAYS,
} from '../../messages/plan.ts';
import { conditionTexts } from '../../messages/when-words.ts';
import { isLeftIn } from '../../plan/chosen-hooks.ts';
import { sameOptions } from '../../plan/options.ts';
import { leavesItsName } from '../../plan/own-name.ts';
import type { ClientPlan, Plan } from '../../plan/types.ts';
import type { ClientRemoval } from '../../plan/uninstall/remove-entries.ts';
import { removalDiff } from './file-diff.ts';
import { type HookMatrix, matrixLines } from './matrix.ts';
import { diffLines, filesText, shortPath } from './plan-files.ts';
import { changesSince, header, mayFire } from './plan-header.ts';
import type { TextContext } from './text-context.ts';

/**
 * Returns a plan as text for a terminal or a log: server, hooks, matrix, files, next steps. Unchanged parts are left
 * out.
 */
export function planText(plan: Plan, context: TextContext): string {
  const changes = diffLines(changesSince(plan), context.style, context.columns);
  return [
    ...header(plan, context),
    '',
    ...changes,
    ...(changes.length > 0 ? [''] : []),
    ...hooksText(plan, context, context.verbose ? [] : approvedBefore(plan)),
    ...filesText(plan, context),
    // A fault of one client keeps all of the plan from being written.
    ...(plan.clients.some(({ fault }) => fault) ? [] : nextLines(plan.clients, context)),
  ].join('\n');
}

/**
 * Returns the numbers of hooks already approved unchanged, for all these clients. A hook that was left out then isn't, nor
 * one that fires no more.
 */
function approvedBefore({ previous, next, declarations, clients, options }: Plan): number[] {
  if (!previous || leavesItsName(previous, next)) return [];
  if (clients.some(({ client, covered }) => !covered && !previous.clients[client])) return [];
  const chosenThen = (d: Declaration, i: number): boolean => isLeftIn(d.event, i + 1, previous.options);
  const before = new Set(previous.declarations.map(canonicalJson));
  const chosen = new Set(previous.declarations.filter(chosenThen).map(canonicalJson));
  return declarations.flatMap((d, i) => {
    const known = isLeftIn(d.event, i + 1, options) ? chosen : before;
    const stops = clients.some(({ stopped }) => stopped?.some(({ n }) => n === i + 1));
    return known.has(canonicalJson(d)) && !stops ? [i + 1] : [];
  });
}

/** Returns every text, tool and remark, and the outcome of each hook. Hooks in `known` are only listed by number. */
export function hooksText(
  plan: HookMatrix & Partial<Pick<Plan, 'previous' | 'options'>>,
  context: TextContext,
  known: readonly number[] = [],
): string[] {
  const all = plan.declarations.length;
  const lines = plan.declarations.flatMap((d, i) =>
    known.includes(i + 1) ? [] : hookLines(d, i + 1, context, mayFire(i + 1, plan.clients)),
  );
  if (known.length > 0) {
    lines.push(context.style('dim', `${lines.length > 0 ? '     ' : '  '}${approvedText(known, all)}`));
  }
  const { previous, options } = plan;
  // Changed options may change outcomes too.
  const differ = previous && options && !sameOptions(previous.options, options);
  if (known.length === all && !differ) return [...lines, ''];
  return [
    ...lines,
    '',
    ...matrixLines(plan, context.style, context.columns),
    ...remarkLines(plan, context),
    '',
  ];
}

/**
 * Returns one declaration: event, matcher and priority; below them the whole text, or the tool with its arguments and,
 * when `calls`, what user data it is sent.
 */
export function hookLines(
  declaration: Declaration,
  n: number,
  { style, columns }: Pick<TextContext, 'style' | 'columns'>,
  calls = true,
): string[] {
  const { priority, context, context_tool: tool, context_tool_args: args } = declaration;
  const when = style('bold', hanging(oneLine(whenText(declaration)), 5, columns));
  const conditions = conditionTexts(declaration.when).map(
    (text) => `     ${hanging(oneLine(text), 7, columns)}`,
  );
  const title = [`${String(n).padStart(3)}  ${when}  ${style('dim', priority)}`, ...conditions];
  if (context !== undefined) return [...title, ...barred(visible(context), style, columns)];
  const toolData = calls ? userDataIn(args) : [];
  return [
    ...title,
    `     ${style('dim', '→')} ${hanging(oneLine(callText(`${tool}`, args)), 7, columns)}`,
    ...(toolData.length > 0 ? [`       ${style('magenta', hanging(sentText(toolData), 7, columns))}`] : []),
  ];
}

/** Returns every reason for a lower fidelity, every refusal and remark, each once with its hooks and clients. */
export function remarkLines({ clients: all }: HookMatrix, { columns }: { columns?: number } = {}): string[] {
  const on = new Map<string, { n: number; text: string; clients: ClientId[] }>();
  for (const { client, cells } of all)
    for (const { n, notes } of cells)
      for (const text of notes.map(noteText)) {
        const at = on.get(`${n} ${text}`);
        if (at) at.clients.push(client);
        else on.set(`${n} ${text}`, { n, text, clients: [client] });
      }
  const remarks = new Map<string, number[]>();
  for (const { n, text, clients } of [...on.values()].sort((a, b) => a.n - b.n)) {
    const titles = listed(titlesOf(clients));
    const remark = `${clients.length === all.length ? '' : `${titles}: `}${text}`;
    remarks.set(remark, [...(remarks.get(remark) ?? []), n]);
  }
  const lines = [...remarks].map(([remark, numbers]) => {
    const label = `${numbers.length > 1 ? '  ' : ''}${ranges(numbers).padStart(3)}  `;
    return label + hanging(remark, label.length, columns);
  });
  return lines.length > 0 ? ['', ...lines] : [];
}

/**
 * Whether a removal leaves empty groups, which keep the place of later ones. `last`: the file after all removals of the
 * command, of which a later one may remove these groups.
 */
function leavesPlaceholders({ before, after }: ClientRemoval, last: string | null): boolean {
  const count = (text: string | null): number => text?.match(/x-mcphooks\W+removed\b/g)?.length ?? 0;
  return count(after) > count(before) && count(last) > 0;
}

/** Returns what an uninstall removes, as text. `last`: the clients' files after all removals of the command. */
export function removalText(
  removal: Removed,
  server: string,
  context: Pick<TextContext, 'home' | 'root' | 'style' | 'columns'> & {
    dryRun: boolean;
    evenEdited: boolean;
    /** The clients that the command names, if any: hooks of others may stay. */
    only: readonly ClientId[];
    last: ReadonlyMap<string, string | null>;
  },
): string {
  const { style, columns, dryRun, evenEdited, only, last } = context;
  const isPartly =
    removal.clients.some(({ fault }) => fault) ||
    removal.notRemoved.some(({ args }) => args.stays === undefined);
  const heading = removalTitle(server, titlesOf(only), dryRun, isPartly);
  const lines = [hanging(style('bold', heading), 2, columns)];
  const indented = (text: string): string => `${' '.repeat(15)}${hanging(text, 15, columns)}`;
  for (const client of removal.clients) {
    const gone = client.entryChanges.filter((c) => c.kind === 'removed').length;
    const out = removedText(gone, client.after === null);
    const title = clientById(client.client).title.padEnd(11);
    const file = shortPath(client.file, context);
    lines.push(
      `  ${hanging(`${title}  ${file}  ${client.fault ? 'unchanged' : style('red', out)}`, 15, columns)}`,
    );
    if (client.offNamesRemoved) lines.push(indented(OFF_NAMES_REMOVED));
    if (leavesPlaceholders(client, last.get(client.file) ?? null))
      lines.push(indented(placeholderText(title.trim())));
    for (const { event, line } of client.kept)
      lines.push(indented(keptAt(`${file}${line ? `:${line}` : ''}`, event)));
    for (const { event, line } of client.otherCommands ?? [])
      lines.push(indented(otherCommandAt(`${file}${line ? `:${line}` : ''}`, event)));
    if (evenEdited && !client.asWritten)
      lines.push(...diffLines(removalDiff(client), style, columns).map((l) => `  ${l}`));
  }
  if (removal.own.length > 0)
    lines.push(`  mcphooks     ${hanging(style('red', ownRemoved(removal.own.length)), 15, columns)}`);
  if (removal.own.length + removal.clients.length === 0 && !isPartly)
    lines.push(`  mcphooks     ${hanging(style('red', ONLY_RECORDED), 15, columns)}`);
  if (removal.clients.some((c) => c.unrecorded)) lines.push(`  ${hanging(UNRECORDED, 2, columns)}`);
  if (removal.clients.some((c) => c.kept.length > 0)) lines.push(`  ${hanging(WHAT_STAYS, 2, columns)}`);
  return lines.join('\n');
}

export function nextLines(
  clients: readonly Pick<ClientPlan, 'nextSteps'>[],
  { style, columns }: Pick<TextContext, 'style' | 'columns'>,
): string[] {
  const steps = [...new Set(clients.flatMap((c) => c.nextSteps.map(({ text }) => text)))];
  const lines = steps.map((step) => `  ${style('dim', '→')} ${hanging(step, 4, columns)}`);
  return lines.length > 0 ? ['', style('bold', 'Next'), ...lines] : [];
}
