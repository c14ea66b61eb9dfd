import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { slugFor } from '../../src/base/slug.ts';
import { word } from '../../src/messages/words.ts';
import { LONG, sample } from '../effort.ts';
import { limit } from '../platform.ts';
import { cleanWorlds, makeWorld, serverEntry } from './world.ts';

cleanWorlds();

/** Names by which somebody may know a server. `PWN` would leave a trace if a shell ever read it. */
const PWN = '$(touch "$HOME/pwned")';
const NAMES = sample(
  [
    '../../../etc/cron.d/x',
    '..',
    'a b',
    'n'.repeat(300),
    '__proto__',
    'constructor',
    'con',
    'MEMO',
    'memo',
    'mémo',
    'me\u0301mo',
    '記憶',
    '\u202eomem\u{e0041}',
    'a\n[hooks]\nb = """',
    `'; ${PWN}; '`,
    `"${PWN}\\`,
    '`touch ~/pwned`',
    '\ud800',
  ],
  2,
);
/** All that a terminal would act on or not show. */
const HIDDEN = /(?!\n|\t)[\p{Cc}\p{Cf}]/u;
const CLIENTS = 'claude-code,codex,gemini-cli';
const SAY = { event: 'pre_request', context: 'A word.', priority: 'suggestion' };

it.runIf(LONG)(
  'any name becomes a safe and distinct file name, and leaves again without a trace',
  {
    timeout: limit(120_000),
  },
  async () => {
    const world = makeWorld();
    const file = world.write('home/overlay.json', JSON.stringify({ declarations: [SAY] }));
    world.write('home/.claude/settings.json', '{\n\t"model": "opus"\n}');
    world.write('home/.codex/config.toml', '# mine');
    world.write('home/.gemini/settings.json', '{}');
    const before = world.files();
    for (const name of NAMES) {
      const { code, stdout, stderr } = await world.run(
        'install',
        name,
        ...['--declarations', file, '--client', CLIENTS, '--yes'],
      );
      expect(code, `${name}: ${stderr}`).toBe(0);
      expect(stdout + stderr).not.toMatch(HIDDEN);
    }
    const folders = readdirSync(join(world.home, '.local/share/mcphooks/hooks'));
    // What is no character has no place in an argument: it arrives as U+FFFD.
    const arrived = NAMES.map((name) => name.replace(/\p{Cs}/gu, '\ufffd'));
    expect(folders.sort()).toEqual(arrived.map(slugFor).sort());
    expect(new Set(folders.map((f) => f.normalize('NFKD').toLowerCase())).size).toBe(NAMES.length);
    for (const folder of folders) expect(folder).toMatch(/^[a-z0-9-]{1,64}$/);
    const settings = JSON.parse(world.read('home/.claude/settings.json'));
    expect(settings.hooks.UserPromptSubmit).toHaveLength(NAMES.length);
    expect((await world.run('diff', '--offline')).code).toBe(0);
    const read = [`'; ${PWN}; '`, `"${PWN}\\`, 'a\n[hooks]\nb = """'];
    for (const name of read.filter((name) => NAMES.includes(name))) {
      const { stdout } = await world.run('fire', name, 'pre_request', '--json');
      const { clients } = JSON.parse(stdout);
      for (const { firings } of clients) expect(JSON.stringify(firings)).toContain('A word.');
    }
    expect(existsSync(join(world.home, 'pwned'))).toBe(false);
    expect((await world.run('uninstall', '--all')).code).toBe(0);
    expect(world.files()).toEqual(before);
  },
);

it("that looks like another server's is told from it, also at the gate of a clone's server", async () => {
  const world = makeWorld();
  const other = 'm\u0435mo';
  world.write('project/.git/HEAD', '');
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: { command: 'node' } } }));
  world.write('project/.mcp.json', JSON.stringify({ mcpServers: { [other]: { command: 'node' } } }));
  expect((await world.run('scan')).stdout).toContain('m\u0435<U+0435>mo');
  expect(await world.run('install', other)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("'m\u0435<U+0435>mo'"),
  });
});

it('is shown as it was given when its hooks leave', async () => {
  const world = makeWorld();
  const file = world.write('home/overlay.json', JSON.stringify({ declarations: [SAY] }));
  const args = ['--declarations', file, '--client', 'claude-code', '--yes'];
  await world.run('install', 'x; touch y', ...args);
  const { stdout } = await world.run('uninstall', 'x; touch y', '--dry-run');
  expect(stdout).toContain('Hooks of x; touch y would be removed');
  expect((await world.run('uninstall', '--all')).stdout).toContain('Hooks of x; touch y removed');
});

it.runIf(LONG)('calls the tool of a server that is configured under such a name', async () => {
  const world = makeWorld();
  const start = { event: 'session_start', context_tool: 'note', priority: 'suggestion' };
  world.write('home/declared.json', JSON.stringify({ declarations: [start] }));
  const entry = JSON.stringify(serverEntry(join(world.home, 'declared.json')));
  const names = ['__proto__', `a'"\n${PWN}`];
  const servers = names.map((name) => `${JSON.stringify(name)}: ${entry}`);
  world.write('home/.claude.json', `{"mcpServers": {${servers.join()}}}`);
  for (const name of names) {
    expect((await world.run('install', name, '--yes')).code).toBe(0);
    const fired = await world.run('fire', name, 'session_start', '--json');
    expect(JSON.parse(fired.stdout).clients[0].firings[0].text).toContain('noted {}');
  }
  expect(existsSync(join(world.home, 'pwned'))).toBe(false);
});

it('advises commands that act on entries without a record, whatever their server is called', async () => {
  const world = makeWorld();
  const name = 'My memo';
  const entry = serverEntry(world.write('home/declared.json', JSON.stringify({ declarations: [SAY] })));
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { [name]: entry } }));
  const words = ['--client', 'claude-code', '--yes'];
  expect(await world.run('install', name, ...words)).toMatchObject({ code: 0 });
  rmSync(join(world.home, '.local/state'), { recursive: true });

  for (const command of ['list', 'diff', 'doctor'])
    expect(Object.values(await world.run(command)).join('\n')).toContain(
      `mcphooks install ${word(name)} --client claude-code`,
    );

  // Without its scripts only the folder's name is left, which is shown.
  rmSync(join(world.home, '.local'), { recursive: true });
  const slug = slugFor(name);
  expect((await world.run('list')).stdout).toContain(
    `mcphooks uninstall ${slug} --client claude-code --edited`,
  );
  expect(await world.run('uninstall', slug, '--client', 'claude-code', '--edited')).toMatchObject({
    code: 0,
  });
  expect(world.read('home/.claude/settings.json')).not.toContain('mcphooks');
});

it.runIf(LONG)(
  'advises commands that finish an uninstall in a project, whatever the server is called',
  async () => {
    const world = makeWorld();
    const name = 'My memo';
    const entry = serverEntry(world.write('home/declared.json', JSON.stringify({ declarations: [SAY] })));
    world.write('project/.git/HEAD', '');
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { [name]: entry } }));
    const install = ['install', name, '--scope', 'project', '--client', 'claude-code', '--yes'];
    const [, hash = ''] = (await world.run(...install)).stderr.match(/--allow-start (\w+)/) ?? [];
    expect(await world.run(...install, '--allow-start', hash)).toMatchObject({ code: 0 });
    await world.run('disable', name);
    const record = join(world.home, '.local/state/mcphooks/record.json');
    chmodSync(record, 0o400);
    const { stderr } = await world.run('uninstall', name, '--scope', 'project');
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      `run 'mcphooks enable ${word(name)}' and 'mcphooks uninstall --scope project ${word(name)}'.`,
    );
    chmodSync(record, 0o600);
    expect(await world.run('enable', name)).toMatchObject({ code: 0 });
    expect(await world.run('uninstall', name, '--scope', 'project')).toMatchObject({ code: 0 });
  },
);
