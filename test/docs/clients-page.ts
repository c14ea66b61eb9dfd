import type { Client } from '../../src/clients/client.ts';
import { SLUG } from '../../src/clients/hook-files.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { type EventCell, type Step, wiringOf } from '../../src/clients/protocol.ts';
import { absenceOf, missingTools, namesServers } from '../../src/clients/tools.ts';
import { EVENTS, type HookEvent } from '../../src/declarations/types.ts';
import { noteText } from '../../src/messages/notes.ts';
import { withoutTarget } from '../../src/plan/client.ts';
import { inWords, matrixTable, row } from './page.ts';

/** One cell as `npm run test:clients -- --write` records it. */
export interface Proved {
  client: string;
  version: string;
  event: HookEvent;
  kind: 'context' | 'context_tool';
  fidelity: string;
  proved: boolean;
}

const UNITS = { utf16: 'UTF-16 units', utf8: 'bytes of UTF-8', 'code-points': 'characters' } as const;

/** docs/clients.md, from the clients' tables and what the last run of the real clients proved. */
export function clientsPage(proved: readonly Proved[]): string {
  return `${[
    '# Clients',
    '',
    '<!-- Made from src/clients and test/clients/proved.json: UPDATE_DOCS=1 npm test -->',
    '',
    'How each event of SEP-2282 comes out on each client. `native`: the text reaches the model at that event. `late`: it reaches the model after the moment it was meant for. `deferred`: it reaches the model at a later prompt or session, and says so. `unsupported`: no hook is installed for it.',
    '',
    matrixTable(({ title }) => `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`),
    '',
    '`in sessions`: sessions of the real program showed it, against a fake model. `by its runtime`: the program’s own hook module was driven, without its model. `from source`: its source and documents say so, and nobody tried it.',
    '',
    'Proved on Linux. macOS shares the POSIX script and is unproved; Windows has commands of its own and is unproved.',
    '',
    ...reasons(),
    '',
    'session_end is left out by default, since no client can tell a model anything once its session has ended; `--session-end defer` gives it to the next session.',
    '',
    ...CLIENTS.flatMap((client) => [...clientSection(client, proved), '']),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

const DOES: Record<Step, string> = {
  emit: 'gives it',
  defer: 'keeps it',
  'emit-deferred': 'gives what was kept',
  'mark-turn': 'notes that there was a turn',
  'start-session': 're-arms it',
};

export function cellText(cell: EventCell): string {
  const { fidelity } = cell;
  const steps = wiringOf(cell).map((w) => `${w.at ? 'the first ' : ''}${w.native} ${DOES[w.does]}`);
  return [`**${fidelity}**`, ...(steps.length > 0 ? [steps.join(', ')] : [])].join(': ');
}

/** Why cells are less than native, each reason once. */
function reasons(): string[] {
  return EVENTS.flatMap((event) => {
    const notes = CLIENTS.flatMap((c) => {
      const { note } = c.events[event];
      return note
        ? [{ title: c.title, text: noteText(typeof note === 'string' ? { code: note, args: {} } : note) }]
        : [];
    });
    return [...new Set(notes.map((n) => n.text))].map((text) => {
      const titles = notes.filter((n) => n.text === text).map((n) => n.title);
      return `- \`${event}\`${titles.length === CLIENTS.length ? '' : ` on ${inWords(titles)}`}: ${text}.`;
    });
  });
}

/** Where `--target plugin` puts hooks, from which version on, and what a user should know of it. */
function targetText(client: Client): string {
  const { title, home, plugin } = client;
  const autoLoad = plugin?.autoLoad;
  if (!autoLoad)
    return `\`--target plugin\`: ${noteText({ code: withoutTarget(client), args: { client: title } })}.`;
  const { since, note } = autoLoad;
  return [
    `With \`--target plugin\` they stand in a folder that it loads by itself, \`~/${home.home}/${autoLoad.folder}/mcphooks-<server>/\`${since === undefined ? '' : `, from ${since} on`}.`,
    ...(note ? [`There, ${noteText({ code: note, args: { client: title } })}.`] : []),
  ].join(' ');
}

/** e.g. `` `Grep` (since 2.1.250; it uses `Bash`) `` */
function missingText(name: string, tools: Client['tools']): string {
  const { since, instead } = absenceOf(tools, name);
  const more = [...(since ? [`since ${since}`] : []), ...(instead ? [`it uses \`${instead}\``] : [])];
  return `\`${name}\`${more.length > 0 ? ` (${more.join('; ')})` : ''}`;
}

/** Where no hook starts after a tool that failed. */
function failuresText({ conditions }: Client): string[] {
  return Object.entries(conditions.outcome).flatMap(([native, rule]) => {
    if (typeof rule !== 'object' || !rule.onlySuccess) return [];
    const untold = rule.signs.flatMap(({ tools = [] }) => tools.map((name) => `\`${name}\``));
    return [
      untold.length === 0
        ? `- A tool that failed starts no ${native} hook.`
        : `- Of tools that failed, only ${untold.join(', ')} starts a ${native} hook.`,
    ];
  });
}

const PROVED = {
  sessions: 'Proved in real sessions',
  runtime: "Proved by the client's own hook module, without its model,",
};

/** How it is known what stands above, on which versions. */
function proofText({ proved: { how, of, oldest, newest } }: Client, versions: readonly string[]): string {
  if (how === 'source') return `Read in the client's source, ${[...new Set([oldest, newest])].join(' to ')}.`;
  return versions.length === 0
    ? 'Proved on no version yet.'
    : `${PROVED[how]} on ${of === undefined ? '' : `\`${of}\` `}${versions.join(', ')}:`;
}

export function clientSection(client: Client, proved: readonly Proved[]): string[] {
  // What was proved of another fidelity than the one that the table claims is no proof of it.
  const cells = proved.filter(
    (p) => p.client === client.id && p.proved && p.fidelity === client.events[p.event].fidelity,
  );
  const versions = [...new Set(cells.map((p) => p.version))];
  const files = client.hooks.user
    .map((f) => `\`~/${client.home.home}/${f.path.replace(SLUG, '<server>')}\``)
    .join(' or ');
  const { tools, limits } = client;
  const missing = missingTools(tools);
  return [
    `## ${client.title}`,
    '',
    `- Hooks are written to ${files}${client.hooks.shadows ? ', each event to the first that has it, else to the last' : ''}${client.home.env === undefined ? '' : `; \`$${client.home.env}\` is honoured`}.`,
    `- ${targetText(client)}`,
    limits.perHandler === undefined
      ? `- Text is counted in ${UNITS[limits.unit]}.`
      : `- One handler carries ${limits.perHandler.toLocaleString('en')} ${UNITS[limits.unit]}; what is more gives way, lowest priority first.`,
    `- MCP tools are named \`${tools.mcp.name.replace('{alias}', '<server>').replace('{tool}', '<tool>')}\` there.`,
    ...(namesServers(tools)
      ? []
      : [
          '- No payload tells the server of such a tool. The declaring server is told by the names of the tools that it lists, and any other tool counts for every other server: where several servers are configured, the plan calls that approximate.',
        ]),
    ...(missing.length > 0
      ? [`- Its model is offered no tool like ${missing.map((t) => missingText(t, tools)).join(', ')}.`]
      : []),
    ...failuresText(client),
    ...client.nextSteps.user.map(({ text }) => `- ${text}`),
    '',
    row(['tool in a declaration', "the client's own"]),
    row(['---', '---']),
    ...Object.entries(tools.names).map(([name, own]) =>
      row([`\`${name}\``, own.map((o) => `\`${o}\``).join(', ')]),
    ),
    '',
    proofText(client, versions),
    '',
    ...eventTable(client, versions.length === 0 || client.proved.how === 'source' ? undefined : cells),
  ];
}

/** How each event is carried, and on which versions `cells` prove it. */
function eventTable({ events }: Client, cells: readonly Proved[] | undefined): string[] {
  const heads = ['event', 'how it comes out', ...(cells ? ['`context`', '`context_tool`'] : [])];
  return [
    row(heads),
    row(heads.map(() => '---')),
    ...EVENTS.map((event) => {
      const on = (kind: Proved['kind']): string[] => {
        const own = cells?.filter((p) => p.event === event && p.kind === kind);
        return own ? [own.map((p) => p.version).join(', ') || '–'] : [];
      };
      return row([`\`${event}\``, cellText(events[event]), ...on('context'), ...on('context_tool')]);
    }),
  ];
}
