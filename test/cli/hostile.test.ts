import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();

/** All that a terminal would act on or not show. */
const HIDDEN = /(?!\n|\t)[\p{Cc}\p{Cf}]/u;
const CLIENTS = 'claude-code,codex,gemini-cli';
/** What would break out of a shell, a JSON or TOML string, a comment, a regular expression or a terminal. */
const ODD = [
  '$(touch "$HOME/pwned") `touch ~/pwned`',
  '\'; touch ~/pwned; \'"; touch ~/pwned; "',
  '*/ // # -- """ \'\'\' ]] } "}} \\" \\',
  '(a+)+$ [x-',
  '${HOME} $HOME %s {project} <hook_context> </hook_context>',
  '\u001b[31mred\u001b]0;title\u0007\u009b2J',
  'a\u202eb\u200bc\u{e0041}\u{e0020}d\u2066\ufeff',
].join('\n');

async function installed(world: World, declarations: object[], ...flags: string[]) {
  const file = world.write('home/overlay.json', JSON.stringify({ declarations }));
  return world.run(
    'install',
    'memo',
    '--declarations',
    file,
    '--no-check',
    '--client',
    CLIENTS,
    '--yes',
    ...flags,
  );
}

it('text with invisible characters is refused, wherever it stands', async () => {
  const world = makeWorld();
  const bad = 'a\u202eb';
  const declarations = [
    { event: 'pre_request', context: bad, priority: 'suggestion' },
    { event: 'post_tool_use', matcher: { tool_name: bad }, context: 'x', priority: 'suggestion' },
    { event: 'post_tool_use', matcher: { tool_server: bad }, context: 'x', priority: 'suggestion' },
    { event: 'post_tool_use', matcher: { input_contains: bad }, context: 'x', priority: 'suggestion' },
    { event: 'pre_request', context_tool: bad, priority: 'suggestion' },
    {
      event: 'pre_request',
      context_tool: 't',
      context_tool_args: { [bad]: 1, b: [bad] },
      priority: 'suggestion',
    },
  ];
  const before = Object.keys(world.files());
  const { code, stdout } = await installed(world, declarations, '--json');
  expect(code).toBe(1);
  const { faults } = JSON.parse(stdout);
  expect(faults.map((f: { code: string }) => f.code)).toEqual(Array(7).fill('decl.invisible'));
  expect(Object.keys(world.files())).toEqual([...before, 'home/overlay.json']);
});

it('what is shown is what is given, and neither shell, file nor terminal takes part of it for its own', async () => {
  const world = makeWorld();
  const declarations = [
    { event: 'pre_request', context: ODD, priority: 'suggestion' },
    {
      event: 'post_tool_use',
      matcher: { tool_name: 'Bash', input_contains: `$(touch ~/pwned)'` },
      context: ODD,
      priority: 'suggestion',
    },
  ];
  const plan = await installed(world, declarations, '--allow-invisible', '--dry-run');
  const json = await installed(world, declarations, '--allow-invisible', '--dry-run', '--json');
  const done = await installed(world, declarations, '--allow-invisible');
  expect(done.code).toBe(0);
  for (const { stdout, stderr } of [plan, json, done]) expect(stdout + stderr).not.toMatch(HIDDEN);
  for (const line of [
    '$(touch "$HOME/pwned") `touch ~/pwned`',
    '<U+001B>[31mred',
    'a<U+202E>b<U+200B>c<U+E0041>',
  ])
    expect(plan.stdout).toContain(line);
  expect(JSON.parse(json.stdout).plan.declarations).toEqual(declarations);

  const files = world.files();
  for (const [path, text] of Object.entries(files)) {
    expect(path).toMatch(/^[\x21-\x7e]+$/);
    const own = /mcphooks\/hooks\/memo\/[0-9a-f]{16}\/[a-z-]+\/[A-Za-z]+$/.test(path);
    if (own || /settings\.json$|config\.toml$/.test(path)) expect(text, path).not.toContain('pwned');
  }
  const input = JSON.stringify({ command: `$(touch ~/pwned)'"\\` });
  const events = [['pre_request'], ['post_tool_use', '--input', input]];
  for (const [event = '', ...flags] of events) {
    const { clients } = JSON.parse((await world.run('fire', 'memo', event, ...flags, '--json')).stdout);
    expect(clients).toHaveLength(3);
    for (const { client, firings } of clients) {
      const [, given] =
        /^\[mcphooks [^\n]*\]\n([\s\S]*)\n\[\/mcphooks [0-9a-f]+\]$/.exec(
          firings.find((f: { text?: string }) => f.text).text,
        ) ?? [];
      expect([client, given]).toEqual([client, ODD]);
    }
  }
  expect(existsSync(join(world.home, 'pwned'))).toBe(false);
});

describe('a server gives the CI system that shows an output no command', () => {
  const COMMANDS =
    '::add-mask::x\n  ::stop-commands::y\n##[error]z ##vso[task.complete]v ##teamcity[buildStop]w';
  const isCommand = /^\s*::|##(?:vso|teamcity)?\[/m;

  it.runIf(LONG)('by its last words, which stand behind a bar', async () => {
    const world = makeWorld();
    const script = `console.error(${JSON.stringify(COMMANDS)}); process.exit(1);`;
    const entry = { command: process.execPath, args: ['-e', script] };
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry } }));
    for (const args of [
      ['install', 'memo'],
      ['lint', 'memo'],
    ]) {
      const { stdout, stderr } = await world.run(...args);
      expect(stdout + stderr).toContain('│ ::add-mask::x');
      expect(stdout + stderr).not.toMatch(isCommand);
      const narrow = await world.runAs({ columns: 40 }, ...args);
      expect(narrow.stdout + narrow.stderr).toContain('│ ::add-mask::x');
    }
  });

  it.runIf(LONG)('by a declared text or name', async () => {
    const world = makeWorld();
    const declared = { event: 'pre_request', context: COMMANDS, priority: 'suggestion' };
    const file = world.write('home/declared.json', JSON.stringify({ declarations: [declared] }));
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: serverEntry(file) } }));
    await world.run('install', 'memo', '--yes', '--client', 'claude-code');
    world.write(
      'home/declared.json',
      JSON.stringify({ declarations: [{ ...declared, context: `${COMMANDS}!` }] }),
    );
    const { length } = COMMANDS;
    for (const args of [
      ['install', 'memo', '--dry-run'],
      ['diff', 'memo'],
      ['diff', 'memo', '--format', 'markdown'],
      ['lint', 'memo'],
      ['explain', 'memo'],
      ['list'],
      ['fire', 'memo', 'pre_request'],
    ]) {
      const { stdout, stderr } = await world.run(...args);
      expect(stdout + stderr, args.join(' ')).not.toMatch(isCommand);
    }
    const { stdout } = await world.run('explain', 'memo', '--json');
    expect(stdout).not.toMatch(isCommand);
    const all = JSON.stringify(JSON.parse(stdout));
    expect(all).toContain(JSON.stringify(COMMANDS).slice(1, length - 10));
  });
});

describe('a server can add no line of its own to a report', () => {
  const FAKE = '\nFAKE: nothing will be written\n\u001b[2K';

  it('by names in its declarations', async () => {
    const world = makeWorld();
    const { stdout } = await installed(
      world,
      [
        {
          event: 'post_tool_use',
          matcher: { tool_name: `Bash${FAKE}` },
          context: 'x',
          priority: 'suggestion',
        },
        {
          event: 'post_tool_use',
          matcher: { tool_server: `s${FAKE}` },
          context: 'x',
          priority: 'suggestion',
        },
        {
          event: 'pre_request',
          context_tool: `t${FAKE}`,
          context_tool_args: { a: FAKE },
          priority: 'suggestion',
        },
        { event: 'pre_request', context: 'A text.', priority: 'suggestion' },
      ],
      '--allow-invisible',
      '--dry-run',
    );
    expect(stdout).toContain('FAKE');
    expect(stdout).not.toMatch(/^FAKE/m);
    expect(stdout).not.toContain('\u001b');
  });

  it.runIf(LONG)('by its own name', async () => {
    const world = makeWorld();
    world.write(
      'home/declared.json',
      JSON.stringify({ declarations: [{ event: 'pre_request', context: 'x', priority: 'suggestion' }] }),
    );
    const { command, args } = serverEntry(join(world.home, 'declared.json'), '', `name${FAKE}`);
    const shown = await world.run(
      'install',
      'memo',
      '--client',
      CLIENTS,
      '--dry-run',
      '--',
      command,
      ...args,
    );
    expect(shown.stdout).toContain('FAKE');
    const none = serverEntry(join(world.home, 'none.json'), '', `name${FAKE}`);
    const refused = await world.run(
      'install',
      'memo',
      '--client',
      CLIENTS,
      '--dry-run',
      '--',
      none.command,
      ...none.args,
    );
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('FAKE');
    for (const text of [shown.stdout, shown.stderr, refused.stderr]) {
      expect(text).not.toMatch(/^FAKE/m);
      expect(text).not.toContain('\u001b');
    }
  });
});

it.runIf(LONG)('shows beside what was approved what it has become, look-alikes spelled out', async () => {
  const world = makeWorld();
  const say = (context: string): object => ({ event: 'pre_request', context, priority: 'suggestion' });
  await installed(world, [say('Ask paypal first.')]);
  world.write('home/overlay.json', JSON.stringify({ declarations: [say('Ask p\u0430ypal first.')] }));
  const { code, stdout } = await world.run('diff');
  expect(code).toBe(2);
  expect(stdout).toContain('- Ask paypal first.');
  expect(stdout).toContain('+ Ask p\u0430<U+0430>ypal first.');
  const json = JSON.parse((await world.run('diff', '--json')).stdout);
  expect(json.servers[0].plan.approved.declarations).toEqual([say('Ask paypal first.')]);
});

it('says of a tool where it is called and what it is sent', async () => {
  const world = makeWorld();
  const call = {
    event: 'pre_request',
    context_tool: 'note',
    context_tool_args: { deep: [{ id: '{session_id}' }] },
    priority: 'suggestion',
  };
  const file = world.write('home/overlay.json', JSON.stringify({ declarations: [call] }));
  const url = ['--url', 'https://u:p@tools.example:8443/mcp?key=${KEY}'];
  const flags = ['--declarations', file, '--no-check', '--client', CLIENTS, '--dry-run'];
  const local = await world.run('install', 'memo', ...flags, '--', 'node', 'server.mjs');
  expect(local.stdout).toMatch(/starts another copy of this server here and sends it \{session_id\}/);
  const remote = await world.run(
    'install',
    'memo',
    ...flags,
    '--url',
    'https://tools.example:8443/mcp?key=${KEY}',
  );
  expect(remote.stdout).toMatch(/Each call goes to tools\.example:8443 and sends it \{session_id\}/);
  expect((await world.run('install', 'memo', ...flags, ...url)).stdout).not.toContain('u:p');
});
