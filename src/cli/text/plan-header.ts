import { valuesByKey } from '../../base/grouped.ts';
import { inside, slashed } from '../../base/paths.ts';
import { hanging, type Style } from '../../base/text-style.ts';
import { oneLine } from '../../base/visible.ts';
import type { ClientId } from '../../clients/client.ts';
import { CLIENTS, clientById } from '../../clients/index.ts';
import { leftOutBy } from '../../declarations/left-out.ts';
import type { Declaration } from '../../declarations/types.ts';
import { variablesIn } from '../../declarations/variables.ts';
import type { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import { noteText } from '../../messages/notes.ts';
import {
  callsText,
  changedText,
  definedIn,
  disabledText,
  HIDDEN_DIFFERENCE,
  hooksOf,
  insteadText,
  NO_DEFINITION,
  NO_OPTIONS,
  OWN_NAME,
} from '../../messages/plan.ts';
import { isCarried } from '../../plan/carried.ts';
import {
  chosenOptions,
  flagWords,
  OPTIONS,
  type OptionName,
  type OptionRow,
  sameOptions,
} from '../../plan/options.ts';
import { leavesItsName } from '../../plan/own-name.ts';
import type { ClientPlan, Plan } from '../../plan/types.ts';
import { isSamePlace } from '../../servers/source.ts';
import { approvedDefinitions } from '../../store/record.ts';
import type { ApprovedDefinition, ServerRecord } from '../../store/types.ts';
import { declarationsDiff } from './declarations-diff.ts';
import type { DiffLine } from './file-diff.ts';
import type { HookMatrix } from './matrix.ts';
import type { TextContext } from './text-context.ts';

/** Returns the header of a plan: the server, how it is run or reached, and remarks to read before its hooks. */
export function header(
  plan: Pick<Plan, 'server' | 'declarations' | 'leftOut' | 'disabled' | 'notes'> &
    Partial<Pick<Plan, 'changed' | 'next'>> & {
      clients?: readonly Pick<ClientPlan, 'client' | 'cells' | 'definition'>[];
    },
  { shown, startedPerFire, host, place, style, columns }: TextContext,
): string[] {
  const { server, declarations, leftOut = [], changed = [], disabled, notes = [], clients = [], next } = plan;
  const field = (name: string, text: string): string =>
    `  ${style('dim', name.padEnd(8))}${hanging(text, 10, columns)}`;
  const warning = (text: string): string => warningLine(text, { style, columns });
  const calls = declarations.filter((d, i) => d.context_tool !== undefined && mayFire(i + 1, clients));
  const keeps = notes.some(({ code }) => code === 'server.kept');
  return [
    hanging(
      `${style('bold', oneLine(server))}  ${hooksOf(declarations.length, declarations.length + leftOutBy(leftOut))} ${oneLine(place)}`,
      2,
      columns,
    ),
    ...(shown
      ? serversShown(shown, next).map((text, i) => field(i === 0 ? 'server' : '', oneLine(text)))
      : []),
    ...(shown && calls.length > 0 && (startedPerFire || host !== undefined)
      ? [field('tools', callsText(sentBy(calls), host, keeps))]
      : []),
    ...notes.map((note) => `  ${style('dim', '→')} ${hanging(oneLine(noteText(note)), 4, columns)}`),
    ...leftOut.flatMap((fault) => warningLines(fault, { style, columns })),
    ...(disabled ? [warning(disabledText(server))] : []),
    ...clients.flatMap(({ client, definition }) =>
      definition?.instead
        ? [warning(insteadText(clientById(client).title, clientById(definition.instead).title))]
        : [],
    ),
    ...(changed.length > 0 ? [warning(changedText(changed))] : []),
  ];
}

interface Look {
  style: Style;
  columns?: number | undefined;
}

const warningLine = (text: string, { style, columns }: Look): string =>
  `  ${style('magenta', hanging(text, 2, columns))}`;

/** Returns the lines of a Fault that stands in no command's way, below what it is about. */
export function warningLines(fault: Fault, look: Look): string[] {
  const [what = '', ...fix] = faultText(fault).split('\n');
  return [warningLine(what, look), ...fix.map((line) => `    ${hanging(line.trimStart(), 4, look.columns)}`)];
}

/** Returns how the server is run or reached, per client when clients define it differently. */
function serversShown(shown: string, next: ServerRecord | undefined): string[] {
  const approved = approvedDefinitions(next);
  const alike = valuesByKey(
    CLIENTS.flatMap(({ id, title }) => {
      const own = approved.find(({ source }) => source.client === id);
      return own ? [[own.hash, { title, shown: own.shown }] as const] : [];
    }),
  );
  return alike.size > 1
    ? [...alike.values()].map((of) => `${of.map(({ title }) => title).join(', ')}: ${of[0].shown}`)
    : [shown];
}

/** False for a hook that was not chosen, or that no client of the plan can fire. */
export function mayFire(n: number, clients: HookMatrix['clients']): boolean {
  const cells = clients.map((client) => client.cells.find((cell) => cell.n === n));
  return cells.length === 0 || cells.some((cell) => cell === undefined || isCarried(cell.fidelity));
}

/** Returns the templates in tool arguments. */
const sentBy = (declarations: readonly Declaration[]): string[] =>
  variablesIn(declarations.map((d) => d.context_tool_args ?? {}));

/** Returns the changes since the approval, line by line. */
export function changesSince(plan: Plan): DiffLine[] {
  const { previous, changed, options, declarations, next } = plan;
  if (!previous || changed.length === 0) return [];
  return [
    ...(changed.includes('definition') ? definitionsDiff(plan, previous) : []),
    ...(!sameOptions(previous.options, options)
      ? [{ sign: '@' as const, text: 'options' }, ...sides(flagsText(previous.options), flagsText(options))]
      : []),
    ...(leavesItsName(previous, next)
      ? [
          { sign: '@' as const, text: OWN_NAME },
          ...sides(oneLine(previous.serverName ?? ''), oneLine(next.serverName ?? '')),
        ]
      : []),
    ...declarationsDiff(previous.declarations, declarations),
  ];
}

/** Returns the options that differ from the defaults, as flags. An option of an earlier version has only a name. */
function flagsText(options: Readonly<Record<string, unknown>>): string {
  const chosen = Object.entries(chosenOptions(options)).map(([name, value]) => {
    const row: OptionRow | undefined = OPTIONS[name as OptionName];
    return row ? flagWords(row, value).join(' ') : name;
  });
  return chosen.length > 0 ? oneLine(chosen.join(' ')) : NO_OPTIONS;
}

const sides = (a: string, b: string): DiffLine[] => [
  { sign: '-', text: a },
  { sign: '+', text: b },
];

/** Returns the change of one definition. Where both look alike, says where they stand, or that what isn't shown differs. */
function definitionDiff(
  before: ApprovedDefinition | undefined,
  after: ApprovedDefinition | undefined,
  root: string | undefined,
): DiffLine[] {
  const shown = before?.shown ?? NO_DEFINITION;
  if (!before || !after || shown !== after.shown) return sides(shown, after?.shown ?? NO_DEFINITION);
  if (isSamePlace(before.source, after.source))
    return [
      { sign: ' ', text: shown },
      { sign: '+', text: HIDDEN_DIFFERENCE },
    ];
  const place = ({ source: { file, pointer = [] } }: ApprovedDefinition): string | undefined => {
    const path = file && slashed((root !== undefined && inside(root, file)) || file);
    return before.source.file === after.source.file ? `${path}: ${pointer.join('.')}` : path;
  };
  return sides(definedIn(shown, place(before)), definedIn(shown, place(after)));
}

/** Returns changes in how the server is run or reached, for the clients affected. */
function definitionsDiff({ clients, next, root }: Plan, previous: ServerRecord): DiffLine[] {
  const of = (server: ServerRecord, client?: ClientId): ApprovedDefinition | undefined =>
    approvedDefinitions(server).find(({ source }) => source.client === client) ?? server.definition;
  const both = (client?: ClientId): DiffLine[] =>
    definitionDiff(of(previous, client), of(next, client), root);
  const changed = clients.filter(({ definition }) => definition?.is === 'changed');
  const pairs = valuesByKey(
    changed.map(({ client }) => {
      const lines = both(client);
      return [JSON.stringify(lines), { lines, title: clientById(client).title }];
    }),
  );
  if (pairs.size === 0) return [{ sign: '@', text: 'server' }, ...both()];
  const same = pairs.size === 1 && changed.length === clients.length;
  return [...pairs.values()].flatMap((of): DiffLine[] => [
    { sign: '@', text: same ? 'server' : `server on ${of.map(({ title }) => title).join(', ')}` },
    ...of[0].lines,
  ]);
}
