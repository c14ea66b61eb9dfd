import { expect, it } from 'vitest';
import { WHEN_KEYS } from '../../src/declarations/when.ts';
import { LONG, sample } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { homeWith } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const tool = { event: 'post_tool_use', context: 'Now.', priority: 'suggestion' };
const prompt = { event: 'pre_request', context: 'Here.', priority: 'suggestion' };
const start = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
const bash = { matcher: { tool_name: 'Bash' } };
const asks = { event: 'pre_request', context_tool: 'note', context_tool_args: {}, priority: 'suggestion' };

interface Silence {
  item: { event: string; [key: string]: unknown };
  client: string;
  /** What `fire` is given besides the event; lists are fired in one session one after the other. */
  given: (string | object)[];
  says: string | RegExp;
}

/** For each condition: what keeps the hook silent, and how `fire` says it. A condition may have several of them. */
const SILENCES: Record<string, Silence[]> = {
  outcome: [
    {
      item: { ...tool, ...bash, when: { outcome: 'failure' } },
      client: 'claude-code',
      given: ['--tool', 'Bash'],
      says: 'it needs a tool that failed, but this one did not',
    },
    {
      item: { ...tool, ...bash, when: { outcome: 'success' } },
      client: 'claude-code',
      given: [{ hook_event_name: 'PostToolUseFailure' }],
      says: 'it needs a tool that succeeded, but this one failed',
    },
    {
      item: { ...tool, ...bash, when: { outcome: 'success' } },
      client: 'gemini-cli',
      given: [{ tool_response: { llmContent: 'Output: x\nExit Code: 1' } }],
      says: 'it needs a tool that succeeded, but this one failed',
    },
    {
      item: { ...tool, when: { outcome: 'success', tools: ['*'], otherwise: 'drop' } },
      client: 'codex',
      given: ['--tool', 'Bash'],
      says: 'Codex does not report whether this tool failed',
    },
    {
      item: { ...tool, ...bash, when: { outcome: 'success' } },
      client: 'codex',
      given: [],
      says: /^unsupported: this client does not report whether a shell command failed/,
    },
  ],
  cooldown: [
    {
      item: { ...prompt, when: { cooldown: 600 } },
      client: 'codex',
      given: [{ session_id: 'one' }, { session_id: 'one' }],
      says: 'it fired in this session less than 600 s ago',
    },
    {
      item: { ...prompt, when: { cooldown: 'session' } },
      client: 'gemini-cli',
      given: [{ session_id: 'one' }, { session_id: 'one' }],
      says: 'it already fired in this session (once per session)',
    },
  ],
  files: [
    {
      item: { ...prompt, when: { files: ['package.json', '*.sln'] } },
      client: 'claude-code',
      given: [],
      says: /^it needs package\.json or \*\.sln in the project, but .* has none$/,
    },
  ],
  matcher: [
    {
      item: { ...tool, matcher: { tool_name: 'Bash', input_contains: 'say "hi"' } },
      client: 'codex',
      given: ['--input', 'say "hi"'],
      says: String.raw`it needs 'say "hi"' in the input, but as JSON that is '{"command":"say \"hi\""}'`,
    },
    {
      item: { ...tool, matcher: { tool_name: 'note', tool_server: 'memo' } },
      client: 'claude-code',
      given: ['--tool', 'note', '--input', '{}'],
      says: "it needs the tool 'mcp__memo__note', but this is 'note'",
    },
    {
      item: { ...tool, matcher: { tool_name: 'mcp__memo__note', tool_server: 'memo' } },
      client: 'codex',
      given: ['--tool', 'Bash'],
      says: "it needs the tool 'mcp__memo__note', but this is 'Bash'",
    },
  ],
  tools: [
    {
      item: { ...tool, when: { tools: ['any:edit', 'mcp__memo__*'], otherwise: 'drop' } },
      client: 'claude-code',
      given: ['--tool', 'Read'],
      says: "it needs any edit or mcp__memo__*, but this is 'Read'",
    },
    {
      item: { ...tool, when: { tools: ['Write', 'Edit'], otherwise: 'drop' } },
      client: 'claude-code',
      given: ['--tool', 'Read'],
      says: "it needs Write or Edit, but this is 'Read'",
    },
    {
      item: { ...tool, when: { tools: ['Write', 'any:search'], otherwise: 'drop' } },
      client: 'claude-code',
      given: ['--tool', 'Read'],
      says: "it needs Write or any search, but this is 'Read'",
    },
    {
      item: { ...tool, when: { tools: ['any:search'], otherwise: 'drop' } },
      client: 'codex',
      given: ['--input', '{"command":"ls"}'],
      says: "it needs any search, but this is 'Bash: ls'",
    },
    {
      item: { ...tool, when: { tools: ['any:search'], otherwise: 'drop' } },
      client: 'codex',
      given: ['--input', 'cat x | grep "y"'],
      says: `it needs any search, but this is 'Bash: cat x | grep "y"'`,
    },
  ],
  command: [
    {
      item: { ...tool, when: { command: ['git', 'commit'] } },
      client: 'gemini-cli',
      given: ['--input', '{"command":"echo git commit"}'],
      says: "it needs the command 'git commit', but this runs 'echo git commit'",
    },
    {
      item: { ...tool, when: { command: ['git', 'commit'] } },
      client: 'codex',
      given: ['--input', 'echo "git | commit"; ls'],
      says: `it needs the command 'git commit', but this runs 'echo "git | commit"; ls'`,
    },
    {
      item: { ...tool, when: { command: ['git', 'commit'], otherwise: 'drop' } },
      client: 'claude-code',
      given: ['--tool', 'Write', '--input', '{"file_path":"a"}'],
      says: "it needs the command 'git commit', but none is run",
    },
    {
      item: { ...tool, matcher: { tool_name: '*' }, when: { command: ['git', 'commit'] } },
      client: 'claude-code',
      given: ['--tool', 'Write', '--input', '{"file_path":"a"}'],
      says: "it needs the command 'git commit', but none is run",
    },
    {
      item: { ...tool, ...bash, when: { command: ['git', 'commit'] } },
      client: 'claude-code',
      given: ['--tool', 'Write', '--input', '{"file_path":"a"}'],
      says: "it needs the tool 'Bash', but this is 'Write'",
    },
  ],
  path: [
    {
      item: { ...tool, when: { path: ['*.ts', 'docs/**'] } },
      client: 'gemini-cli',
      given: ['--tool', 'Edit', '--input', '{"file_path":"a.py"}'],
      says: /^it needs a file that matches \*\.ts or docs\/\*\*, but this is .*a\.py$/,
    },
    {
      item: { ...tool, when: { path: ['*.ts'], otherwise: 'drop' } },
      client: 'claude-code',
      given: ['--tool', 'Bash'],
      says: 'it needs a file that matches *.ts, but no tool for files names one',
    },
  ],
  source: [
    {
      item: { ...start, when: { source: 'clear' } },
      client: 'codex',
      given: [],
      says: 'it needs a session started by clear, but this one started by startup',
    },
    {
      item: { ...start, when: { source: 'compact' } },
      client: 'gemini-cli',
      given: [],
      says: 'unsupported: this client does not report when a session starts by compact (when.source)',
    },
  ],
  unless_called: [
    {
      item: { ...prompt, when: { unless_called: { tools: ['note'] } } },
      client: 'codex',
      given: [
        { hook_event_name: 'PostToolUse', session_id: 'one', tool_name: 'mcp__memo__note' },
        { session_id: 'one' },
      ],
      says: 'note was called in this session',
    },
    {
      item: { ...prompt, when: { unless_called: { tools: ['note', 'search'], within: 60 } } },
      client: 'claude-code',
      given: [
        { hook_event_name: 'PostToolUse', session_id: 'one', tool_name: 'mcp__memo__note' },
        { session_id: 'one' },
      ],
      says: 'note or search was called in this session less than 60 s ago',
    },
  ],
  answer: [
    {
      item: { ...asks, when: { answer: { select: '/nothing' } } },
      client: 'codex',
      given: [],
      says: "its tool's answer is not JSON, so it has nothing at /nothing (when.answer)",
    },
    {
      item: {
        ...asks,
        context_tool: 'recent',
        context_tool_args: { text: 'note {"a":1}\n{"b":[2]}' },
        when: { answer: { select: '/a' } },
      },
      client: 'claude-code',
      given: [],
      says: "its tool's answer has nothing at /a (when.answer)",
    },
    {
      item: {
        ...asks,
        context_tool: 'recent',
        context_tool_args: { text: '\n\n\nlater' },
        when: { answer: { max: 2 } },
      },
      client: 'codex',
      given: [],
      says: "the first 2 characters of its tool's answer contain no word (when.answer)",
    },
  ],
};

/** These silence no hook. */
const NEVER = ['if_unknown', 'otherwise'];

async function installed(item: object): Promise<World> {
  const world = homeWith();
  const file = world.write('hooks.json', JSON.stringify({ declarations: [item] }));
  const { code, stderr } = await world.run('install', 'memo', '--declarations', file, '--yes');
  expect(code, stderr).toBe(0);
  return world;
}

/** What `fire` says of the silence after the last of these was fired. */
async function said(world: World, { item, client, given }: Silence): Promise<string[]> {
  const payloads = given.filter((one) => typeof one === 'object');
  const words = given.filter((one) => typeof one === 'string');
  let stdout = '';
  for (const payload of payloads.length > 0 ? payloads : [{}]) {
    const file = world.write('payload.json', JSON.stringify(payload));
    const args = ['fire', 'memo', item.event, '--client', client, ...words, '--payload', file];
    ({ stdout } = await world.run(...args, '--json'));
  }
  const [{ firings, why }] = JSON.parse(stdout).clients as [
    { firings: { text?: string; why: { message: string }[] }[]; why: { message: string }[] },
  ];
  expect(firings.flatMap(({ text }) => text ?? [])).toEqual([]);
  return [...firings.flatMap((one) => one.why), ...why].map(({ message }) => message);
}

/** Each cause on one of its clients, or on all. */
const shown = Object.entries(SILENCES).flatMap(([key, all], turn) =>
  sample(all, all.length, turn).map((one) => [key, one.client, one] as const),
);
/** Of these test/cli/when.test.ts has some, too. */
const ELSEWHERE = ['outcome', 'cooldown', 'tools', 'path'];

it.each(
  LONG
    ? shown
    : sample(
        shown.filter(([key]) => !ELSEWHERE.includes(key)),
        2,
      ),
)('fire says that %s kept a hook from printing, on %s', async (_, __, silence) => {
  const messages = await said(await installed(silence.item), silence);
  const { says } = silence;
  expect(messages).toEqual(
    expect.arrayContaining([typeof says === 'string' ? says : expect.stringMatching(says)]),
  );
});

it.runIf(LONG)('fire says nothing of a tool that is only noted, beside a hook that spoke', async () => {
  const world = await installed({ ...tool, when: { unless_called: { tools: ['note'] } } });
  const { stdout } = await world.run('fire', 'memo', 'post_tool_use', '--client', 'claude-code');
  expect(stdout).toContain('Now.');
  expect(stdout).not.toContain('it wants');
});

it.runIf(LONG)('fire says that a tool answered more than its hook takes', async () => {
  const world = await installed({
    ...asks,
    context_tool_args: { q: 'x'.repeat(99) },
    when: { answer: { max: 60 } },
  });
  const { stdout } = await world.run('fire', 'memo', asks.event, '--client', 'claude-code');
  expect(stdout).toMatch(/\[cut by mcphooks: \d+ of \d+ characters\]/);
  expect(stdout).toContain("its tool's answer was cut: at most 60 characters are taken (when.answer)");
  expect(world.read('home/.local/state/mcphooks/hooks.log')).not.toMatch(/incident|silence/);
});

it('fire says of a payload of another event where the hook speaks', async () => {
  const silence = { item: prompt, client: 'codex', given: [{ hook_event_name: 'SessionStart' }], says: '' };
  expect(await said(await installed(prompt), silence)).toEqual([
    'it fires at UserPromptSubmit, but the payload is for another event',
  ]);
});

it('fire has a sentence for every condition that can keep a hook silent', () => {
  const missing = WHEN_KEYS().when.filter((key) => !(key in SILENCES) && !NEVER.includes(key));
  expect(missing).toEqual([]);
});

it('explain says every condition in words', async () => {
  const SAID: Record<string, [item: object, words: string]> = {
    outcome: [{ ...tool, ...bash, when: { outcome: 'success' } }, 'only when the tool succeeded'],
    if_unknown: [
      { ...tool, ...bash, context: 'Two.', when: { outcome: 'failure', if_unknown: 'fire' } },
      'only when the tool failed, or when the outcome is unknown',
    ],
    cooldown: [{ ...prompt, when: { cooldown: 600 } }, 'at most once in 600 s per session'],
    files: [
      { ...prompt, context: 'Files.', when: { files: ['.git', 'a.sln'] } },
      'only in projects with .git or a.sln',
    ],
    tools: [
      { ...tool, context: 'Tools.', when: { tools: ['any:edit', 'Bash'], otherwise: 'drop' } },
      'after any edit or Bash',
    ],
    command: [
      { ...tool, context: 'Git.', when: { command: ['git', 'commit'] } },
      "only when it runs 'git commit'",
    ],
    path: [
      { ...tool, context: 'Path.', when: { path: ['*.ts', '*.tsx'] } },
      'only for files that match *.ts or *.tsx',
    ],
    source: [
      { ...start, when: { source: ['startup', 'clear'] } },
      'only in sessions started by startup or clear',
    ],
    unless_called: [
      { ...prompt, context: 'Unless.', when: { unless_called: { tools: ['note'], within: 60 } } },
      'not within 60 s after note was called',
    ],
    answer: [
      { ...asks, when: { answer: { select: '/items', max: 300 } } },
      '/items of its answer, at most 300 characters of its answer',
    ],
  };
  expect(Object.keys(SAID).sort()).toEqual(
    WHEN_KEYS()
      .when.filter((key) => key !== 'otherwise')
      .sort(),
  );
  const world = homeWith();
  const declarations = Object.values(SAID).map(([item]) => item);
  const file = world.write('hooks.json', JSON.stringify({ declarations }));
  const { stdout, stderr } = await world.run('explain', 'memo', '--declarations', file);
  for (const [key, [, words]] of Object.entries(SAID)) expect(stdout, `${key} ${stderr}`).toContain(words);
});
