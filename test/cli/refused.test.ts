import { describe, expect, it } from 'vitest';
import { LONG, sample } from '../effort.ts';
import { homeWith } from './home.ts';
import { cleanWorlds } from './world.ts';

cleanWorlds();

const PROMPT = { event: 'pre_request', context: 'Keep answers short.', priority: 'suggestion' };
const CLAUDE = ['claude-code', 'home/.claude/settings.json'] as const;
const JSON_FILE = ['codex', 'home/.codex/hooks.json'] as const;
const TOML_FILE = ['codex', 'home/.codex/config.toml'] as const;
const hooks = (event: string, ...handlers: unknown[]) =>
  JSON.stringify({ hooks: { [event]: [{ hooks: handlers }] } });
const mine = { type: 'command', command: 'mine' };
const toml = (handler: string) => `[[hooks.Stop]]\nhooks = [ { ${handler} } ]\n`;

it('of one client keeps an install from writing for the others, which says so and names no next step', async () => {
  const world = homeWith(PROMPT);
  expect((await world.run('install', 'memo', '--client', 'codex', '--dry-run')).stdout).toMatch(/^Next$/m);
  world.write(CLAUDE[1], '{ // mine\n}\n');
  const before = world.files();
  const { code, stdout, stderr } = await world.run(
    'install',
    'memo',
    '--client',
    'claude-code,codex',
    '--yes',
  );
  expect(code).toBe(1);
  expect(stdout).not.toMatch(/^Next$/m);
  expect(stderr).toMatch(/settings\.json:1:3.*\n.*\nNothing of this plan was written\.\n$/);
  expect({ ...world.files(), 'home/started.log': '' }).toEqual({ ...before, 'home/started.log': '' });
});

describe('a file that its client would reject whole', () => {
  it.each([
    [CLAUDE, hooks('PreToolUse', { type: 'command' }), 'PreToolUse[0].hooks[0].command must be a text'],
    [CLAUDE, hooks('PermissionRequest', mine, {}), 'PermissionRequest[0].hooks[1].type must be a text'],
    [CLAUDE, '{"hooks":{"PreToolUse":[{"matcher":"Bash"}]}}', 'PreToolUse[0].hooks must be a list'],
    [CLAUDE, '{"hooks":{"PreToolUse":[{"matcher":1,"hooks":[]}]}}', 'PreToolUse[0].matcher must be a text'],
    [CLAUDE, hooks('PreToolUse', { ...mine, timeout: 0 }), 'timeout must be a number above 0'],
    [CLAUDE, hooks('PreToolUse', { ...mine, timeout: null }), 'timeout must be a number above 0'],
    [CLAUDE, hooks('PreToolUse', { ...mine, args: [1] }), 'args must be a list of texts'],
    [CLAUDE, hooks('PreToolUse', { ...mine, async: 'yes' }), 'async must be true or false'],
    [CLAUDE, hooks('PreToolUse', { type: 'http' }), 'url must be a URL'],
    [CLAUDE, hooks('PreToolUse', { type: 'http', url: 'x' }), 'url must be a URL'],
    [
      CLAUDE,
      hooks('PreToolUse', { type: 'http', url: 'http://x', headers: { a: 1 } }),
      'headers must be an object whose values are texts',
    ],
    [CLAUDE, hooks('PreToolUse', { type: 'agent' }), 'prompt must be a text'],
    [CLAUDE, hooks('PreToolUse', { type: 'mcp_tool', server: 'x' }), 'tool must be a text'],
    [JSON_FILE, hooks('Stop', { ...mine, async: 1 }), 'async must be true or false'],
    [JSON_FILE, hooks('Stop', { ...mine, commandWindows: 1 }), 'commandWindows must be a text'],
    [TOML_FILE, toml('type = "mcp_tool", server = "x"'), 'tool must be a text'],
    [TOML_FILE, toml('type = "command", command = "x", statusMessage = 1'), 'statusMessage must be a text'],
    [JSON_FILE, hooks('Stop', { ...mine, timeout: '5' }), 'Stop[0].hooks[0].timeout must be a whole number'],
    [JSON_FILE, hooks('Stop', { ...mine, timeout: 0.5 }), 'Stop[0].hooks[0].timeout must be a whole number'],
    [JSON_FILE, hooks('Stop', { type: 'command' }), 'Stop[0].hooks[0].command must be a text'],
    [JSON_FILE, hooks('Stop', { type: 'script' }), 'Stop[0].hooks[0].type must be "command" or "mcp_tool"'],
    [TOML_FILE, toml('type = "command"'), 'Stop[0].hooks[0].command must be a text'],
    [TOML_FILE, toml('type = "command", command = "x", timeout = -1'), 'timeout must be a whole number'],
    [TOML_FILE, toml('type = "other"'), 'Stop[0].hooks[0].type must be "command"'],
  ])('is not touched, and the reason is said: %s %s', async ([client, file], text, reason) => {
    const world = homeWith(PROMPT);
    world.write(file, text);
    const { code, stderr } = await world.run('install', 'memo', '--client', client, '--yes');
    expect(code).toBe(1);
    expect(stderr.replace(/\s+/g, ' ')).toContain(reason);
    expect(world.read(file)).toBe(text);
  });
});

it.each([
  [CLAUDE, '{\n  "hooks": { "PreToolUse": [\n    { "hooks": [{ "type": "command" }] }] } }', '3:17'],
  [
    CLAUDE,
    '{\n  "hooks": { "PreToolUse": [\n    { "hooks": [{ "type": "command", "command": "a", "timeout": 0 }] }] } }',
    '3:65',
  ],
  [TOML_FILE, `# mine\n${toml('type = "command", command = "x", timeout = -1')}`, '3:56'],
  [
    TOML_FILE,
    '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"\n\n' +
      '[[hooks.Stop.hooks]]\ntype = "command"\ncommand = 1\n',
    '8:11',
  ],
  [
    TOML_FILE,
    '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\n\n[[hooks.Stop]]\nmatcher = "x"\n',
    '2:1',
  ],
  [TOML_FILE, 'model = "x"\n[[hooks]]\na = 1\n', '2:1'],
  [TOML_FILE, 'model = "x"\n[hooks.Stop.sub]\na = 1\n', '2:1'],
  [TOML_FILE, 'model = "x"\nhooks.Stop.x = 1\n', '2:16'],
  [JSON_FILE, '{ "hooks": {\n  "Stop": 1, "Stop": [ { "hooks": [ 5 ] } ] } }', '2:37'],
  [
    ['droid', 'home/.factory/hooks.json'],
    '{ "Stop": [\n  { "hooks": [ { "type": "command" } ] } ] }',
    '2:16',
  ],
  [
    ['droid', 'home/.factory/settings.json'],
    '{ "hooks": { "Stop": [\n  { "hooks": [ { "type": "command" } ] } ] } }',
    '2:16',
  ],
  [
    ['cursor', 'home/.cursor/hooks.json'],
    '{ "version": 1,\n "hooks": { "stop": [\n  { "command": 1 } ] } }',
    '3:16',
  ],
] as const)('the place of what its client rejects is named: %s %s', async ([client, file], text, place) => {
  const world = homeWith(PROMPT);
  world.write(file, text);
  const { stderr } = await world.run('install', 'memo', '--client', client, '--yes');
  expect(stderr).toContain(`${file.slice(file.lastIndexOf('/') + 1)}:${place}: `);
});

describe('a file of which its client would drop at most one entry', () => {
  const rows: [readonly [string, string], string][] = [
    [CLAUDE, hooks('Stop', { type: 'command' })],
    [CLAUDE, hooks('PreToolUse', mine, { type: 'http', url: 'http://127.0.0.1' }, { ...mine, timeout: 0.5 })],
    [
      CLAUDE,
      hooks('PreToolUse', { type: 'script' }, { ...mine, url: 1, name: 1, shell: 'bash', once: true }),
    ],
    [CLAUDE, hooks('PreToolUse', { type: 'mcp_tool', server: '', tool: 'x', input: {} })],
    [JSON_FILE, hooks('Stop', { type: 'prompt', prompt: 1, timeout: 'x' }, { ...mine, timeoutSec: 'a' })],
    [JSON_FILE, hooks('Stop', { ...mine, timeout: 5 }, { type: 'prompt', prompt: 'x' })],
    [JSON_FILE, hooks('Unknown', { type: 'script' })],
    [JSON_FILE, '{"hooks":{"PreToolUse":[{"matcher":"Bash"}]}}'],
    [
      JSON_FILE,
      `{"hooks":{"Stop":[{"matcher":null,"hooks":[{"type":"command","command":"x","timeout":null}]}]}}`,
    ],
    [TOML_FILE, '[[hooks.PreToolUse]]\nmatcher = "Bash"\n'],
    [CLAUDE, '{"hooks":{"PermissionRequest":null}}'],
    [TOML_FILE, toml('type = "mcp_tool", server = "x", tool = "y"')],
  ];
  it.each(sample(rows, LONG ? 1 : 6))('is edited, and restored: %s %s', async ([client, file], text) => {
    const world = homeWith(PROMPT);
    world.write(file, text);
    expect(
      await world.run(
        'install',
        'memo',
        '--client',
        client,
        '--declarations',
        `${world.home}/declared.json`,
        '--no-check',
        '--yes',
      ),
    ).toMatchObject({ code: 0 });
    expect(world.read(file)).toContain('mcphooks');
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(world.read(file)).toBe(text);
  });
});
