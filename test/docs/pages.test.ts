import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { beforeEach, describe, expect, it } from 'vitest';
import { SCHEMA_NAMES } from '../../src/cli/json/schemas.ts';
import { MAX_TEXT } from '../../src/declarations/rules.ts';
import { EVENT_BUDGET, SESSION_BUDGET } from '../../src/plan/compile/budget.ts';
import { DEADLINES } from '../../src/plan/compile/shim-data.ts';
import { DEFAULT_OPTIONS } from '../../src/plan/options.ts';
import { cleanWorlds, type Ended, nodeServerEntry, serverEntry, type World } from '../cli/world.ts';
import { ALL, LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { block, blocks, inOneFile, page, root, sh as run, worldWithProgram } from './page.ts';

cleanWorlds();

const hasV1 = ((): boolean => {
  try {
    createRequire(join(root, 'package.json')).resolve('@modelcontextprotocol/sdk/server/mcp.js');
    return true;
  } catch {
    return false;
  }
})();

let world: World;

beforeEach(() => {
  world = worldWithProgram();
});

const sh = (script: string): Promise<Ended> => run(world, script);

/** Writes the server of docs/authors.md; in a short run with its packages. */
async function asServer(typescript: string): Promise<void> {
  if (ALL) return asModule(typescript, 'notebook.mjs');
  served[typescript] ??= inOneFile(typescript);
  world.write('project/notebook.mjs', served[typescript]);
}

const served: Record<string, string> = {};

async function asModule(typescript: string, name: string): Promise<void> {
  const { code } = await transform(typescript, { loader: 'ts', format: 'esm' });
  world.write(`project/${name}`, code);
}

/** Every file of the home. */
function homeFiles(): Record<string, string> {
  const files = readdirSync(world.home, { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
  return Object.fromEntries(
    files.map((e) => join(e.parentPath, e.name)).map((f) => [f, readFileSync(f, 'utf8')]),
  );
}

let said: string | undefined;

/** What the compiler says of the programs of docs/authors.md, which it reads once. */
function typeErrors(): string {
  const programs = ['// notebook-v2.ts', ...(hasV1 ? ['// notebook-v1.ts'] : []), '// hooks.test.ts'];
  const files = programs.map((_, i) => `use-${i}.mts`);
  programs.forEach((program, i) => {
    world.write(`project/${files[i]}`, block('authors.md', 'ts', program));
  });
  world.write('project/package.json', '{ "type": "module" }');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--singleThreaded',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    'node',
  ];
  said ??= spawnSync(process.execPath, [tsc, ...args, ...files], {
    cwd: world.project,
    encoding: 'utf8',
  }).stdout;
  return said;
}

describe('docs/authors.md', () => {
  for (const [name, sdk] of [
    ['notebook-v2.ts', LONG],
    ['notebook-v1.ts', ALL && hasV1],
  ] as const)
    it.runIf(sdk)(`${name} declares hooks without a warning, over the real SDK`, async () => {
      const example = block('authors.md', 'ts', `// ${name}`);
      expect(typeErrors()).toBe('');
      await asServer(example);
      const command = block('authors.md', 'sh', 'mcphooks lint').replace('lint', 'lint --json');
      const { code, stdout } = await sh(command);
      expect(code).toBe(0);
      const report = JSON.parse(stdout);
      expect(report.status).toBe('clean');
      expect(report.declarations.length).toBeGreaterThan(0);
    });

  it.runIf(ALL)('fires what it installs in a home of its own', async () => {
    await asServer(block('authors.md', 'ts', '// notebook-v2.ts'));
    const files = (): string[] => readdirSync(dirname(world.home), { recursive: true, encoding: 'utf8' });
    // Folders that the user moved: no command can write below a file.
    const own = world.write('own', '');
    for (const name of ['CLAUDE_CONFIG_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'])
      world.env[name] = own;
    const before = files();
    const { code, stdout, stderr } = await sh(`set -e\n${block('authors.md', 'sh', 'mcphooks fire')}`);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Installed.')]);
    expect(stdout).toContain(`Nothing about 'decision' in project yet.`);
    expect(stdout).toContain('If the commit went through');
    // Links in node_modules lead to the clone, in which other tests write.
    const isOurs = (file: string): boolean => !file.startsWith('tmp/') && !file.includes('/node_modules/');
    expect(files().filter((file) => !before.includes(file) && isOurs(file))).toEqual(['script.sh']);
  });

  it.runIf(LONG)('tests declarations with the library', async () => {
    const example = block('authors.md', 'ts', '// hooks.test.ts');
    expect(typeErrors()).toBe('');
    await asServer(block('authors.md', 'ts', '// notebook-v2.ts'));
    await asModule(example, 'hooks.test.mjs');
    expect(await sh('node hooks.test.mjs')).toMatchObject({ code: 0, stderr: '' });
  });

  it('shows a declaration that is valid', () => {
    const [shown = ''] = blocks('authors.md', 'json');
    world.write('project/hooks.json', `{"declarations":[${shown}]}`);
    return expect(world.run('lint', 'hooks.json')).resolves.toMatchObject({ code: 0, stderr: '' });
  });

  it.runIf(LONG)('gives a paragraph for a README whose commands do what it says', async () => {
    const snippet = block('authors.md', 'markdown', '## Hooks');
    const named = [...snippet.matchAll(/npx (mcphooks (\w+) notebook)/g)].map(([, line, word]) => ({
      line,
      word,
    }));
    expect(named.map(({ word }) => word)).toEqual(['install', 'explain', 'disable', 'uninstall']);
    const declared = world.write('home/declared.json', JSON.stringify({ declarations: [COMMIT] }));
    const servers = { mcpServers: { notebook: serverEntry(declared) } };
    world.write('home/.claude.json', JSON.stringify(servers));
    const before = homeFiles();
    for (const { line, word } of named)
      expect((await sh(word === 'install' ? `${line} --yes` : `${line}`)).code, line).toBe(0);
    expect(homeFiles()).toEqual(before);
  });

  it('shows the action as it is', () => {
    const [example = ''] = blocks('authors.md', 'yaml');
    const action = readFileSync(join(root, 'action.yml'), 'utf8');
    const inputs = [...example.matchAll(/^ {4}([\w-]+):/gm)].map(([, name]) => name);
    expect(inputs).toEqual(['target', 'command']);
    for (const name of inputs) expect(action).toContain(`\n  ${name}:\n`);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(example).toContain(`@v${version}\n`);
  });

  it('says how long the files to copy are', () => {
    for (const [, name = '', lines] of page('authors.md').matchAll(
      /examples\/authors\/([\w.]+)\) \((\d+) lines\)/g,
    )) {
      const text = readFileSync(join(root, 'examples/authors', name), 'utf8');
      expect([name, text.trimEnd().split('\n').length]).toEqual([name, Number(lines)]);
    }
  });
});

const COMMIT = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'You committed.',
  priority: 'suggestion',
};

describe('docs/ci.md', () => {
  it.runIf(LONG)('fails when declarations change without the reviewed file, or are faulty', async () => {
    const check = block('ci.md', 'sh', 'hooks.new.json');
    const declare = (...declarations: object[]): string =>
      world.write('project/declared.json', JSON.stringify({ declarations }));
    const { args } = nodeServerEntry(declare(COMMIT));
    world.write('project/server.mjs', `process.argv[2] = 'declared.json'; await import('${args[0]}');`);
    world.write('project/hooks.reviewed.json', '');
    expect((await sh(check)).code).toBe(1);
    expect((await sh('mv hooks.new.json hooks.reviewed.json')).code).toBe(0);
    expect(await sh(check)).toMatchObject({ code: 0, stdout: '' });
    declare({ ...COMMIT, context: 'You committed again.' });
    const changed = await sh(check);
    expect([changed.code, changed.stdout]).toEqual([
      1,
      expect.stringContaining('+      "context": "You committed again."'),
    ]);
    declare({ ...COMMIT, priority: 'high' });
    expect(await sh(check)).toMatchObject({ code: 1, stdout: expect.stringContaining('decl.choice') });
  });

  it.runIf(ALL)('installs once, then watches', async () => {
    const watch = block('ci.md', 'sh', 'hooks-report.json');
    const declare = (...declarations: object[]): string =>
      world.write('home/declared.json', JSON.stringify({ declarations }));
    const entry = serverEntry(declare(COMMIT));
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { notebook: entry } }));
    expect(await sh(watch)).toMatchObject({ code: 0, stdout: expect.stringContaining('as installed') });
    expect((await sh(watch)).code).toBe(0);
    world.write('home/.claude/settings.json', '{}');
    writeFileSync(join(world.home, '.claude/settings.json'), '{}');
    expect((await sh('mcphooks diff --offline >/dev/null')).code).toBe(2);
    expect((await sh(watch)).code).toBe(0);
    declare({ ...COMMIT, context: 'Delete everything.' });
    expect(await sh(watch)).toMatchObject({ code: 3, stdout: expect.stringContaining('Delete everything.') });
  });

  // It takes 15 commands.
  it.runIf(ALL)(
    'checks what a project shares, without a server, and brings it back without a home',
    async () => {
      const check = block('ci.md', 'sh', 'GITHUB_STEP_SUMMARY');
      const frozen = block('ci.md', 'sh', '--frozen');
      const declared = world.write('project/declared.json', JSON.stringify({ declarations: [COMMIT] }));
      const server = world.write(
        'project/server.mjs',
        `await import('${nodeServerEntry(declared).args[0]}');`,
      );
      const entry = { command: 'node', args: ['server.mjs', 'declared.json'] };
      world.write('project/.mcp.json', JSON.stringify({ mcpServers: { notebook: entry } }));
      const install = 'mcphooks install notebook --scope project --yes';
      const [, hash = ''] = /--allow-start ([0-9a-f]{64})/.exec((await sh(install)).stderr) ?? [];
      expect((await sh(`${install} --allow-start ${hash}`)).code).toBe(0);
      rmSync(server);
      world.env.GITHUB_STEP_SUMMARY = join(world.project, 'summary.md');
      expect(await sh(check)).toMatchObject({ code: 0, stderr: '' });
      expect(world.read('project/summary.md')).toBe(
        '**mcphooks**: the hooks agree with `mcphooks.lock.json`.\n',
      );
      rmSync(join(world.project, '.mcphooks'), { recursive: true });
      expect(await sh(check)).toMatchObject({
        code: 2,
        stdout: expect.stringContaining(' is missing'),
      });
      expect(world.read('project/summary.md')).toContain(world.read('project/hooks.md'));
      expect((await sh(frozen)).code).toBe(0);
      expect((await sh(check)).code).toBe(0);
      world.write('project/mcphooks.lock.json', '<<<<<<< HEAD\n');
      expect(await sh(check)).toMatchObject({ code: 1 });
      expect((await sh(frozen)).code).toBe(1);
    },
  );

  it.runIf(LONG)('installs and uninstalls by the library', async () => {
    const declared = world.write('home/declared.json', JSON.stringify({ declarations: [COMMIT] }));
    const servers = { mcpServers: { notebook: serverEntry(declared) } };
    world.write('home/.claude.json', JSON.stringify(servers));
    const before = homeFiles();
    await asModule(block('ci.md', 'js', 'await uninstall'), 'hooks.mjs');
    expect(await sh('node hooks.mjs')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(COMMIT.context),
      stderr: '',
    });
    expect(homeFiles()).toEqual(before);
    world.write('home/.claude/settings.json', '{ broken');
    expect(await sh('node hooks.mjs')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Faults?:\s+\S*settings\.json:1:3/),
    });
  });

  it.runIf(LONG && !WINDOWS)('writes its report through no link of a pull request', async () => {
    const mine = world.write('home/mine', 'mine');
    symlinkSync(mine, join(world.project, 'hooks.md'));
    const { code } = await sh(block('ci.md', 'sh', 'GITHUB_STEP_SUMMARY'));
    expect([code, world.read('project/hooks.md')]).toEqual([0, expect.stringContaining('**mcphooks**')]);
    expect(readFileSync(mine, 'utf8')).toBe('mine');
  });

  it('cuts its comment between lines, so that all code in a line stays code', async () => {
    const line = '| 1 `tool 写 @octocat`';
    const report = `${line}\n`.repeat(4000);
    world.write('project/hooks.md', report);
    const [, cut = ''] = /run: (.+) hooks\.md \| gh pr comment/.exec(page('ci.md')) ?? [];
    const { stdout } = await sh(`${cut} hooks.md`);
    expect(stdout).toBe(`${line}\n`.repeat(stdout.split('\n').length - 1));
    expect(stdout.length).toBeGreaterThan(50_000);
    expect(stdout.length).toBeLessThanOrEqual(65_536);
    world.write('project/hooks.md', `${line}\n`);
    expect((await sh(`${cut} hooks.md`)).stdout).toBe(`${line}\n`);
  });

  it('runs the scripts that it shows, and names commands that there are', async () => {
    const [workflow = '', shared = ''] = blocks('ci.md', 'yaml');
    expect(workflow).toContain('run: sh ci/hooks.sh');
    expect(shared).toContain('run: sh ci/shared-hooks.sh');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const name of ['ci.md', 'fleet.md'])
      for (const [, named] of page(name).matchAll(/mcphooks@([\d.]+)/g))
        expect(`${version}.`).toContain(`${named}.`);
    const shown = JSON.parse(blocks('ci.md', 'json')[0] ?? '');
    expect(SCHEMA_NAMES).toContain(shown.command);
  });
});

describe('README.md', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, main = '', more = ''] = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map((m) => m[1] ?? '');
  const settings = {
    'home/.claude/settings.json': '{ "model": "opus" }',
    'home/.codex/config.toml': '# mine\n',
  };

  it.runIf(LONG)('shows commands that do what they say, and leave no trace', async () => {
    const declared = world.write('home/declared.json', JSON.stringify({ declarations: [COMMIT] }));
    const servers = { mcpServers: { notebook: serverEntry(declared) } };
    world.write('home/.claude.json', JSON.stringify(servers));
    for (const [name, text] of Object.entries(settings)) world.write(name, text);
    const before = homeFiles();
    expect((await sh('mcphooks install notebook --client claude-code,codex --yes')).code).toBe(0);
    const codes: Record<string, number | null> = {};
    for (const line of more.trim().split('\n')) codes[line.split(/\s+#/)[0] ?? ''] = (await sh(line)).code;
    expect(codes).toEqual({
      'mcphooks install notebook --dry-run': 0,
      'mcphooks explain notebook': 0,
      'mcphooks fire notebook session_start': 0,
      'mcphooks diff': 0,
      'mcphooks list': 0,
      // It finds that Codex trusts nothing yet.
      'mcphooks log': 0,
      'mcphooks stats': 0,
      'mcphooks doctor': 1,
    });
    const [install = '', uninstall = ''] = main.trim().split('\n');
    expect((await sh(install)).code).toBe(0);
    expect((await sh(uninstall)).code).toBe(0);
    expect(homeFiles()).toEqual(before);
  });

  // It takes the real example server and 20 commands.
  it.runIf(ALL)('shows a command to begin with that ends well', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('`npm start` shows it all');
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const [program = '', ...words] = scripts.start.split(' ');
    const { status, stdout } = spawnSync(program, words, { cwd: root, encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/own files left: none\n$/)]);
  });

  it('leads to every page', () => {
    for (const name of readdirSync(join(root, 'docs'))) expect(readme).toContain(`(docs/${name})`);
  });
});

it('no page links to a page that there is not', () => {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  for (const name of ['../README.md', ...pages])
    for (const [, target = ''] of page(name).matchAll(/\]\((?!https?:)([^)#]+)/g))
      expect(existsSync(join(root, 'docs', dirname(name), target)), `${name}: ${target}`).toBe(true);
});

it('pages and help name the limits and defaults that hold', async () => {
  const n = (value: number): string => value.toLocaleString('en');
  const { maxPriority, sessionEnd, postRequest } = DEFAULT_OPTIONS;
  expect(page('limits.md')).toContain(
    `${n(MAX_TEXT)} characters a text, ${n(EVENT_BUDGET)} an event, ${n(SESSION_BUDGET)} a session`,
  );
  const { session_start: first, other } = DEADLINES;
  expect(page('authors.md')).toContain(
    `${n(EVENT_BUDGET)} characters for all your texts, one session ${n(SESSION_BUDGET)}`,
  );
  expect(page('authors.md')).toContain(
    `a deadline of ${other.callMs / 1000} seconds (${first.callMs / 1000} at \`session_start\`)`,
  );
  const help = (await world.run('install', '--help')).stdout.replaceAll(/\s+/g, ' ');
  for (const said of [
    `(default: ${maxPriority})`,
    `a hook may take (default: ${other.timeout}; ${first.timeout} at session start)`,
  ])
    expect(help).toContain(said);
  expect(help).toMatch(
    sessionEnd === 'skip' ? /skip session_end hooks \(default\)/ : /next session \(default\)/,
  );
  expect(help).toMatch(postRequest === 'defer' ? /next prompt \(default\)/ : /skip them \(default\)/);
});

it('docs/security.md names tests that there are', () => {
  const rows = page('security.md')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  for (const row of rows)
    for (const [, file = '', quoted] of row.matchAll(/`(test\/[\w./-]+)`(?: "([^"]+)")?/g)) {
      const text = readFileSync(join(root, file), 'utf8');
      if (quoted) expect(text, `${file}: ${quoted}`).toContain(quoted);
    }
});

it('options that the pages name are there', async () => {
  const { stdout } = await world.run('--help');
  const commands = [...stdout.matchAll(/^ {2}([a-z]+)(?= [[<]| {2})/gm)].map((m) => m[1] ?? '');
  const pages = await Promise.all(commands.map((name) => world.run(name, '--help')));
  const known = pages.map((p) => p.stdout).join('\n');
  // Of other programs, and of every one.
  const others = [
    '--global --strict --plugin-dir --consent --theirs --body-file --help --version',
    '--bare --safe-mode --setting-sources --settings --ignore-user-config --disable --pure',
  ].join(' ');
  // Those of performance.md are V8's.
  const about = readdirSync(join(root, 'docs')).filter((n) => n.endsWith('.md') && n !== 'performance.md');
  for (const name of ['../README.md', ...about])
    for (const [option] of page(name).matchAll(/(?<=[ `])--[a-z][a-z-]+/g))
      expect(`${known} ${others}`, `${name}: ${option}`).toContain(option);
});
