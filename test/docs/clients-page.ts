import type { Client } from '../../src/clients/client.ts';
import { ANY_SLUG } from '../../src/clients/hook-files.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { type EventCell, type Step, wiringOf } from '../../src/clients/protocol.ts';
import { absenceOf, CANONICAL_TOOLS, missingTools, namesServers } from '../../src/clients/tools.ts';
import { EVENTS, type HookEvent } from '../../src/declarations/types.ts';
import { noteText } from '../../src/messages/notes.ts';
import { withoutTarget } from '../../src/plan/client/client-version.ts';
import { inWords, matrixTable, onClients, row } from './page.ts';

/** One cell as `npm run test:clients -- --write` records it. */
export interface Proved {
  client: string;
  version: string;
  event: HookEvent;
  kind: 'context' | 'context_tool';
  fidelity: string;
  proved: boolean;
}

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const UNITS = { utf16: 'UTF-16 units', utf8: 'bytes of UTF-8', 'code-points': 'characters' } as const;

/** docs/clients.md, from the clients' tables and what the last run on the real clients showed. */
export function clientsPage(proved: readonly Proved[]): string {
  return `${[
    '# Clients',
    '',
    '<!-- Made from src/clients and test/clients/proved.json: UPDATE_DOCS=1 npx vitest run test/docs -->',
    '',
    "When the model reads each event's text, on each client. `native`: the text reaches the model at that event. `late`: it reaches the model after the event. `deferred`: it reaches the model at a later prompt or session, marked as such. `unsupported`: no hook is installed for it.",
    '',
    matrixTable(({ title }) => `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`),
    '',
    "The last column says how this was tested. `in sessions`: in sessions of the real program, with a fake model. `by its runtime`: with the program's own hook module, without a model. `from source`: not at all; its source and documents say so.",
    '',
    'Tested on Linux. macOS uses the same shell script and is untested. [Windows](#windows) has its own commands.',
    '',
    ...reasons(),
    '',
    'Hooks for `session_end` are left out by default, because no client passes text to a model after its session has ended; `--session-end defer` delivers them in the next session.',
    '',
    '## How each event is delivered',
    '',
    'The native event of the client that prints the text. "State only": a hook on this native event prints nothing; it records what the others need.',
    '',
    ...deliveryTable(),
    '',
    '## Tool names',
    '',
    "Declarations use the names in the first column. –: the client's model has no such tool; in brackets what it uses instead.",
    '',
    ...toolsTable(),
    '',
    '## Windows',
    '',
    'How a hook of your own starts on Windows, and the client version on which this was tested, in sessions of the real Windows program under Wine with a fake model.',
    '',
    row(['', 'how a hook starts', 'tested', "a project's hooks fire"]),
    row(['---', '---', '---', '---']),
    ...CLIENTS.map(windowsRow),
    '',
    'Wine has no PowerShell and no Git Bash, and other file locks, consoles and speed than Windows. Untested: how PowerShell reads the line, passes the payload and decodes the output (only ASCII); open files on Windows; the cost of a virus scanner.',
    '',
    ...CLIENTS.flatMap((client) => [...clientSection(client, proved), '']),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

/** How an event is delivered: which native events carry it, keep it, or only keep state. */
export function cellText(cell: EventCell): string {
  const wiring = wiringOf(cell);
  const by = (step: Step): string =>
    inWords(
      wiring.filter(({ does }) => does === step).map((w) => `${w.at ? 'the first ' : ''}\`${w.native}\``),
    );
  const [now, kept, later] = [by('emit'), by('defer'), by('emit-deferred')];
  const isState = ({ does }: { does: Step }): boolean => does === 'mark-turn' || does === 'start-session';
  const carriers = wiring.filter((w) => !isState(w)).map(({ native }) => native);
  const state = inWords(
    wiring.filter((w) => isState(w) && !carriers.includes(w.native)).map(({ native }) => `\`${native}\``),
  );
  const steps = [
    ...(now ? [now] : []),
    ...(kept ? [`kept by ${kept}`] : []),
    ...(later ? [`${kept ? 'delivered by' : 'or later'} ${later}`] : []),
  ].join(', ');
  return steps ? steps + (state ? ` (state only: ${state})` : '') : `**${cell.fidelity}**`;
}

/** Why cells are less than native, each reason once. */
function reasons(): string[] {
  const notes = EVENTS.flatMap((event) =>
    CLIENTS.flatMap(({ title, events }) => {
      const { note } = events[event];
      return note
        ? [{ event, title, text: noteText(typeof note === 'string' ? { code: note, args: {} } : note) }]
        : [];
    }),
  );
  return [...new Set(notes.map(({ text }) => text))].map((text) => {
    const same = notes.filter((n) => n.text === text);
    const titles = [...new Set(same.map(({ title }) => title))];
    const whom = titles.length === CLIENTS.length ? '' : ` on ${inWords(titles)}`;
    return `- ${inWords([...new Set(same.map(({ event }) => `\`${event}\``))])}${whom}: ${text}.`;
  });
}

/** Where `--target plugin` puts hooks, from which version on, and what a user should know about it. */
function targetText(client: Client): string {
  const { title, home, plugin } = client;
  const autoLoad = plugin?.autoLoad;
  if (!autoLoad)
    return `\`--target plugin\`: ${noteText({ code: withoutTarget(client), args: { client: title } })}.`;
  const { since, note } = autoLoad;
  return [
    `With \`--target plugin\`, hooks are in a folder that the client loads by itself, \`~/${home.home}/${autoLoad.folder}/mcphooks-<server>/\`${since === undefined ? '' : `, from ${since} on`}.`,
    ...(note ? [`There, ${noteText({ code: note, args: { client: title } })}.`] : []),
  ].join(' ');
}

/** A tool's own names on a client, or since when its model has none and what it uses instead: `– (\`Bash\`)`. */
function toolCell({ tools }: Client, name: (typeof CANONICAL_TOOLS)[number]): string {
  if (!missingTools(tools).includes(name)) return code(tools.names[name] ?? [name]);
  const { since, instead } = absenceOf(tools, name);
  return `–${since ? ` since ${since}` : ''}${instead ? ` (\`${instead}\`)` : ''}`;
}

/** What the tools in declarations are called on each client. */
const toolsTable = (): string[] => [
  row(['', ...CLIENTS.map(({ title }) => title)]),
  row(['---', ...CLIENTS.map(() => '---')]),
  ...CANONICAL_TOOLS.map((name) => row([`\`${name}\``, ...CLIENTS.map((client) => toolCell(client, name))])),
];

/** Which of the clients' own events deliver each event. */
const deliveryTable = (): string[] => [
  row(['', 'native event']),
  row(['---', '---']),
  ...EVENTS.map((event) =>
    row([
      `\`${event}\``,
      onClients(CLIENTS.map((client) => [client.title, cellText(client.events[event])] as const)),
    ]),
  ),
];

/** Where no hook starts after a tool that failed. */
function failuresText({ conditions }: Client): string[] {
  return Object.entries(conditions.outcome).flatMap(([native, rule]) => {
    if (typeof rule !== 'object' || 'is' in rule || !rule.onlySuccess) return [];
    const untold = rule.signs.flatMap(({ tools = [] }) => tools.map((name) => `\`${name}\``));
    return [
      untold.length === 0
        ? `- A tool that failed starts no ${native} hook.`
        : `- Of tools that failed, only ${untold.join(', ')} starts a ${native} hook.`,
    ];
  });
}

/** What is known of versions outside the tested range. */
const versionsText = ({ older, newer }: Client): string[] =>
  [older, newer].flatMap((range) =>
    range ? [`- ${range.note.text.replace(/^./, (letter) => letter.toUpperCase())}.`] : [],
  );

/** Where the client doesn't use each hook's text by itself, so that one entry serves all servers. */
function sharedText({ natives, limits }: Client): string[] {
  const rules = Object.entries(natives).flatMap(([native, { textsUsed, allUsedFrom }]) => {
    if (textsUsed === undefined) return [];
    const until = allUsedFrom === undefined ? '' : `, before ${allUsedFrom.version},`;
    const rule =
      typeof textsUsed === 'object'
        ? `one entry serves all your servers; their texts share ${textsUsed.cap.toLocaleString('en')} ${UNITS[limits.unit]}`
        : `the client uses${until} only the ${textsUsed} hook's text. One entry serves all your servers and joins their texts; beside a text of another program's hook there, one of the two is lost`;
    return [{ native: `\`${native}\``, rule }];
  });
  return [...new Set(rules.map(({ rule }) => rule))].map((rule) => {
    const all = rules.filter((one) => one.rule === rule).map(({ native }) => native);
    return `- At ${inWords(all)}, ${rule}.`;
  });
}

const STARTS = {
  exec: 'Node, without a shell',
  powershell: 'a PowerShell line that starts Node',
  cmd: 'a quoted line that starts Node',
};

const SHELLS = { none: '', 'stand-in': ', with a stand-in for PowerShell' };

function windowsRow({ title, hooks: { windows } }: Client): string {
  const { form, since, tested } = windows;
  return row([
    title,
    `${STARTS[form]}${since === undefined ? '' : `; from ${since}`}`,
    tested ? `${tested.version}${SHELLS[tested.shell]}` : 'no',
    { fires: 'yes', 'git-bash': 'only with Git Bash', never: 'no' }[windows.project],
  ]);
}

const TESTED = {
  sessions: 'Tested in real sessions',
  runtime: "Tested with the client's own hook module, without a model,",
};

/** How the table was tested, on which versions. */
function proofText(
  { proved: { how, of, oldest, newest } }: Client,
  versions: readonly string[],
  all: boolean,
): string {
  if (how === 'source') return `Read in the client's source, ${[...new Set([oldest, newest])].join(' to ')}.`;
  return versions.length === 0
    ? 'Not tested on any version yet.'
    : `${TESTED[how]} on ${of === undefined ? '' : `\`${of}\` `}${versions.join(', ')}${all ? ', each event with `context` and with `context_tool`.' : ':'}`;
}

export function clientSection(client: Client, proved: readonly Proved[]): string[] {
  // A test of another fidelity than the table claims doesn't count.
  const cells = proved.filter(
    (p) => p.client === client.id && p.proved && p.fidelity === client.events[p.event].fidelity,
  );
  const versions = [...new Set(cells.map((p) => p.version))];
  const all = versions.length > 0 && cells.length === versions.length * EVENTS.length * 2;
  const files = client.hooks.user
    .map((f) => `\`~/${client.home.home}/${f.path.replace(ANY_SLUG, '<server>')}\``)
    .join(' or ');
  const { tools, limits } = client;
  return [
    `## ${client.title}`,
    '',
    `- Hooks are written to ${files}${client.hooks.shadows ? ', each event to the first file that has it, else to the last' : ''}${client.home.env === undefined ? '' : `; \`$${client.home.env}\` is honoured`}.`,
    `- ${targetText(client)}`,
    limits.perHandler === undefined
      ? `- Text is counted in ${UNITS[limits.unit]}.`
      : `- One hook carries at most ${limits.perHandler.toLocaleString('en')} ${UNITS[limits.unit]}; text over that is cut or dropped, lowest priority first.`,
    ...sharedText(client),
    ...(limits.escapesAngles ? ['- The model reads `&lt;` and `&gt;` for `<` and `>` in a text.'] : []),
    `- MCP tools are named \`${tools.mcp.name.replace('{alias}', '<server>').replace('{tool}', '<tool>')}\`.`,
    ...(namesServers(tools)
      ? []
      : [
          '- No payload names the server of such a tool. mcphooks recognises the declaring server by its list of tools; any other tool counts for every other server. With several servers configured, the plan calls that approximate.',
        ]),
    ...failuresText(client),
    ...versionsText(client),
    ...client.nextSteps.user.map(({ text }) => `- ${text}`),
    '',
    proofText(client, versions, all),
    ...(all || versions.length === 0 || client.proved.how === 'source' ? [] : ['', ...eventTable(cells)]),
  ];
}

/** The versions on which each event reached the model. */
function eventTable(cells: readonly Proved[]): string[] {
  const on = (event: HookEvent, kind: Proved['kind']): string =>
    cells
      .filter((p) => p.event === event && p.kind === kind)
      .map((p) => p.version)
      .join(', ') || '–';
  return [
    row(['event', '`context`', '`context_tool`']),
    row(['---', '---', '---']),
    ...EVENTS.map((event) => row([`\`${event}\``, on(event, 'context'), on(event, 'context_tool')])),
  ];
}
