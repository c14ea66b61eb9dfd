import { expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { homeWith } from './home.ts';
import { cleanWorlds, serverEntry, type World } from './world.ts';

cleanWorlds();
installsNodeHere();

const USED = { event: 'post_tool_use', priority: 'suggestion' };
/** A hook that says by which name it was called, and two fields of the input. */
const said = (matcher: object | undefined, when?: object) => ({
  ...USED,
  ...(matcher && { matcher }),
  ...(when && { when }),
  context: 'T {tool_name}, F {tool_input.file_path}, C {tool_input.command}.',
});
const FILE = '{tool_input.file_path}';
const COMMAND = '{tool_input.command}';

async function worldWith(...declarations: object[]): Promise<World> {
  const world = homeWith();
  // The server has another name of its own.
  const entry = serverEntry('declared.json', 'started.log', 'its-own-name');
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry } }));
  world.write('home/.codex/config.toml', '');
  world.write('home/.gemini/settings.json', '{}');
  world.write('hooks.json', JSON.stringify({ declarations }));
  return world;
}

const FILES = (world: World): string[] => ['--declarations', `${world.home}/../hooks.json`];

/** What `explain` shows for a client, by hook, without naming lines and the project's folder. */
async function explained(world: World, client = 'claude-code'): Promise<(string | undefined)[]> {
  const { stdout, stderr } = await world.run(
    'explain',
    'memo',
    ...FILES(world),
    '--client',
    client,
    '--json',
  );
  expect(stderr).toBe('');
  const { hooks } = JSON.parse(stdout) as { hooks: { clients: { texts: string[] }[] }[] };
  return hooks.map(({ clients }) => textIn(clients[0]?.texts[0]));
}

const textIn = (text?: string): string | undefined =>
  text?.match(/^T .*$/m)?.[0].replace(/\/[^ ]*\/project\//, '');

interface Fired {
  firings: { text?: string; why: { n?: number; code: string; message: string }[] }[];
  why: { code: string; message: string }[];
}

async function fired(world: World, client: string, ...args: string[]): Promise<Fired> {
  const { stdout, stderr } = await world.run(
    'fire',
    'memo',
    USED.event,
    '--client',
    client,
    '--json',
    ...args,
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout).clients[0];
}

/** Matchers with conditions, and what both commands show for them. */
const ACCEPTED: [string, string, object | undefined, object | undefined, string][] = [
  ['any tool', 'claude-code', undefined, undefined, `T Bash, F ${FILE}, C git commit.`],
  [
    "a server's tools",
    'claude-code',
    { tool_server: 'memo' },
    undefined,
    `T mcp__memo__note, F ${FILE}, C ${COMMAND}.`,
  ],
  [
    "a server's tool",
    'claude-code',
    { tool_server: 'memo', tool_name: 'a' },
    undefined,
    `T mcp__memo__a, F ${FILE}, C ${COMMAND}.`,
  ],
  [
    'a tool of the own name',
    'claude-code',
    { tool_name: 'mcp__its-own-name__a' },
    undefined,
    `T mcp__memo__a, F ${FILE}, C ${COMMAND}.`,
  ],
  ['Edit', 'claude-code', { tool_name: 'Edit' }, undefined, `T Edit, F src/example.txt, C ${COMMAND}.`],
  ['Edit', 'copilot', { tool_name: 'Edit' }, undefined, `T Edit, F ${FILE}, C ${COMMAND}.`],
  [
    'a path',
    'claude-code',
    undefined,
    { path: ['docs/**/*.md'], otherwise: 'drop' },
    `T Edit, F docs/example.md, C ${COMMAND}.`,
  ],
  [
    'a command',
    'claude-code',
    undefined,
    { command: ['npm', 'test'], otherwise: 'drop' },
    `T Bash, F ${FILE}, C npm test.`,
  ],
  [
    'a search',
    'codex',
    undefined,
    { tools: ['any:search'], otherwise: 'drop' },
    `T Bash, F ${FILE}, C grep -rn TODO ..`,
  ],
  [
    'a text in a command',
    'codex',
    { tool_name: 'Bash', input_contains: 'git push' },
    undefined,
    `T Bash, F ${FILE}, C git push.`,
  ],
  [
    'a search for a text',
    'codex',
    { input_contains: 'needle' },
    { tools: ['any:search'], otherwise: 'drop' },
    `T Bash, F ${FILE}, C grep 'needle' ..`,
  ],
  [
    'a text as JSON has it',
    'claude-code',
    { tool_name: 'Bash', input_contains: 'say \\"hi\\"' },
    undefined,
    `T Bash, F ${FILE}, C say "hi".`,
  ],
  [
    'a glob on built-in tools',
    'claude-code',
    { tool_name: 'Web*' },
    undefined,
    `T WebFetch, F ${FILE}, C ${COMMAND}.`,
  ],
];

it.each(ACCEPTED)(
  'explain shows for %s on %s a call that the hook accepts',
  async (_, client, matcher, when, text) => {
    const world = await worldWith(said(matcher, when), { ...USED, context_tool: 'note' });
    expect((await explained(world, client))[0]).toBe(text);
  },
);

it.runIf(LONG).each(ACCEPTED)(
  'fire makes for %s on %s such a call, too',
  async (_, client, matcher, when, text) => {
    const world = await worldWith(said(matcher, when), { ...USED, context_tool: 'note' });
    const { code, stderr } = await world.run('install', 'memo', ...FILES(world), '--client', client, '--yes');
    expect(code, stderr).toBe(0);
    const { firings } = await fired(world, client);
    expect(textIn(firings[0]?.text)).toBe(text);
  },
);

it('explain shows for each client what its tools are given, and names what has no sample', async () => {
  const world = await worldWith(said({ tool_name: 'Edit' }));
  const { stdout } = await world.run('explain', 'memo', ...FILES(world), '--client', 'claude-code,copilot');
  expect(stdout).toMatch(
    /The model reads \(Claude Code\)[\s\S]*T Edit, F \/.*\/src\/example\.txt, C \{tool_input\.command\}\./,
  );
  expect(stdout).toMatch(/The model reads \(.*Copilot.*\)[\s\S]*T Edit, F \{tool_input\.file_path\}, C \{/);
  expect(stdout).toMatch(
    /with sample values \(Claude Code\): \{tool_name\} = Edit, \{tool_input\.file_path\} = /,
  );
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'without a sample value (Copilot CLI): {tool_input.file_path}, {tool_input.command}; a real call fills in what it has',
  );
});

it.runIf(LONG)(
  'fire takes a call that one of several hooks accepts, and of what is given the rest',
  async () => {
    const world = await worldWith(
      said({ tool_name: 'mcp__memo__search_memories' }),
      said({ tool_server: 'memo' }),
      said({ tool_name: 'Edit' }),
    );
    await world.run('install', 'memo', ...FILES(world), '--client', 'claude-code', '--yes');
    const textOf = async (...args: string[]) =>
      textIn((await fired(world, 'claude-code', ...args)).firings[0]?.text);
    expect(await textOf()).toBe(`T mcp__memo__search_memories, F ${FILE}, C ${COMMAND}.`);
    expect(await textOf('--tool', 'Edit')).toBe(`T Edit, F src/example.txt, C ${COMMAND}.`);
    expect(await textOf('--tool', 'Edit', '--input', '{"file_path":"a"}')).toBe(`T Edit, F a, C ${COMMAND}.`);
  },
);

it.runIf(LONG)('fire takes the tool of a payload, and none of the sample’s server beside it', async () => {
  const world = await worldWith(
    said({ tool_name: 'mcp__memo__search_memories' }),
    said({ tool_name: 'Write' }),
    said({ tool_name: 'WebFetch' }, { outcome: 'failure', otherwise: 'drop' }),
  );
  for (const [client, tool_name] of [
    ['claude-code', 'Write'],
    ['gemini-cli', 'write_file'],
  ] as const) {
    await world.run('install', 'memo', ...FILES(world), '--client', client, '--yes');
    const payload = world.write(
      'payload.json',
      JSON.stringify({ tool_name, tool_input: { file_path: 'a' } }),
    );
    const { firings } = await fired(world, client, '--payload', payload);
    expect(textIn(firings.at(-1)?.text)).toMatch(/^T [Ww]rite(?:_file)?, F a, /);
  }
});

it.runIf(LONG)('fire leaves a hook on failures for one that a sample call can fire', async () => {
  const world = await worldWith(
    said({ tool_name: 'WebFetch' }, { outcome: 'failure', otherwise: 'drop' }),
    said({ tool_name: 'Bash' }),
  );
  await world.run('install', 'memo', ...FILES(world), '--client', 'claude-code', '--yes');
  expect(textIn((await fired(world, 'claude-code')).firings[0]?.text)).toContain('T Bash, ');
});

it.runIf(LONG)('fire makes up no name that no tool can have, and says so', async () => {
  const world = await worldWith(said({ tool_server: 'memo', tool_name: 'a|b' }));
  await world.run('install', 'memo', ...FILES(world), '--client', 'claude-code', '--yes');
  const { firings, why } = await fired(world, 'claude-code');
  expect(firings.map(({ text }) => text)).toEqual(firings.map(() => undefined));
  expect([...firings.flatMap((one) => one.why), ...why].map(({ message }) => message)).toContain(
    'no tool call is known here that a hook accepts; give one with --tool and --input',
  );
});
