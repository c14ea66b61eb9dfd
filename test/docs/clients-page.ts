import type { Client } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import type { EventCell, Step } from '../../src/clients/protocol.ts';
import { absenceOf, missingTools } from '../../src/clients/tools.ts';
import { EVENTS, type HookEvent } from '../../src/declarations/types.ts';
import { noteText } from '../../src/messages/notes.ts';
import { inWords } from './page.ts';

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
    row(['event', ...CLIENTS.map((c) => c.title)]),
    row(['---', ...CLIENTS.map(() => '---')]),
    ...EVENTS.map((event) => row([`\`${event}\``, ...CLIENTS.map((c) => cellText(c.events[event]))])),
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

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const DOES: Record<Step, string> = {
  emit: 'gives it',
  defer: 'keeps it',
  'emit-deferred': 'gives what was kept',
  'mark-turn': 'notes that there was a turn',
  'start-session': 're-arms it',
};

export function cellText({ fidelity, wiring }: EventCell): string {
  const steps = wiring.map((w) => `${w.at ? 'the first ' : ''}${w.native} ${DOES[w.does]}`);
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
function targetText({ title, home, plugin }: Client): string {
  const autoLoad = plugin?.autoLoad;
  if (!autoLoad) return `\`--target plugin\`: ${noteText({ code: 'target.none', args: { client: title } })}.`;
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
    return [`- Of tools that failed, only ${untold.join(', ')} starts a ${native} hook.`];
  });
}

const PROVED = {
  sessions: 'Proved in real sessions',
  runtime: "Proved by the client's own hook module, without its model,",
};

/** How it is known what stands above, on which versions. */
function proofText({ proved: { how, oldest, newest } }: Client, versions: readonly string[]): string {
  if (how === 'source') return `Read in the client's source, ${[...new Set([oldest, newest])].join(' to ')}.`;
  return versions.length === 0 ? 'Proved on no version yet.' : `${PROVED[how]} on ${versions.join(', ')}:`;
}

export function clientSection(client: Client, proved: readonly Proved[]): string[] {
  // What was proved of another fidelity than the one that the table claims is no proof of it.
  const cells = proved.filter(
    (p) => p.client === client.id && p.proved && p.fidelity === client.events[p.event].fidelity,
  );
  const versions = [...new Set(cells.map((p) => p.version))];
  const files = client.hooks.user.map((f) => `\`~/${client.home.home}/${f.path}\``).join(' or ');
  const { tools, limits } = client;
  const missing = missingTools(tools);
  return [
    `## ${client.title}`,
    '',
    `- Hooks are written to ${files}${client.home.env === undefined ? '' : `; \`$${client.home.env}\` is honoured`}.`,
    `- ${targetText(client)}`,
    limits.perHandler === undefined
      ? `- Text is counted in ${UNITS[limits.unit]}.`
      : `- One handler carries ${limits.perHandler.toLocaleString('en')} ${UNITS[limits.unit]}; what is more gives way, lowest priority first.`,
    `- MCP tools are named \`${tools.mcp.name.replace('{alias}', '<server>').replace('{tool}', '<tool>')}\` there.`,
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
    ...(versions.length === 0 || client.proved.how === 'source'
      ? []
      : [
          '',
          row(['event', 'context', 'context_tool']),
          row(['---', '---', '---']),
          ...EVENTS.map((event) => {
            const on = (kind: Proved['kind']): string =>
              cells
                .filter((p) => p.event === event && p.kind === kind)
                .map((p) => p.version)
                .join(', ') || '–';
            return row([`\`${event}\``, on('context'), on('context_tool')]);
          }),
        ]),
  ];
}
