import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_IDS } from '../../src/clients/client.ts';
import { ALL, LONG } from '../effort.ts';
import { homeEnv } from '../platform.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'mcphooks-pack-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string; size: number; mode: number }[];
}

const npm = (words: string[], cwd: string): string =>
  execFileSync('npm', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

function pack(from: string, ...flags: string[]): Packed {
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder, ...flags], from));
  return packed;
}

/** Everything that is published. */
const EXPECTED = [
  /^(README\.md|CONTRIBUTING\.md|LICENSE|THIRD-PARTY|package\.json)$/,
  /^dist\/(mcphooks|cli|mcp|prompts|schemas)\.cjs$/,
  /^dist\/cli\.cjs\.(diff|install)\.v[\w.-]+\.cache$/,
  /^dist\/(index|authoring|chunks\/[\w-]+)\.js$/,
  /^dist\/runtime\/(start|fire|conditions|call|keep|joint|warm|warm-keeper)\.cjs$/,
  /^dist\/schemas\/[a-z]+\.json$/,
  /^dist\/types\/[\w/-]+\.d\.ts$/,
  /^catalogue\/[a-z0-9-]+\/(entry|hooks)\.json$/,
  /^templates\/(shim|joint|log|completions\/(bash|fish|zsh))\.sh$/,
  /^templates\/completions\/powershell\.ps1$/,
  /^docs\/(\w+\.md|plan\.svg)$/,
  /^examples\/(authors\/hooks\.(py|go)|patterns\/[a-z-]+\.json)$/,
];
const MB = 1_000_000;

/** What a package has too much, and what it lacks. */
function wrong({ files }: Packed): { surplus: string[]; missing: string[] } {
  const paths = files.map(({ path }) => path);
  return {
    surplus: paths.filter((path) => !EXPECTED.some((one) => one.test(path))),
    missing: EXPECTED.filter((one) => !paths.some((path) => one.test(path))).map(String),
  };
}

describe('the package', () => {
  const unpacked = join(folder, 'package');
  let packed: Packed;
  let manifest: {
    version: string;
    types: string;
    bin: { mcphooks: string };
    exports: Record<string, string | object>;
  };
  beforeAll(() => {
    // What is there was built before the tests.
    packed = pack(root, '--ignore-scripts');
    execFileSync('tar', ['-xzf', packed.filename], { cwd: folder });
    manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  });

  it('holds what is published and nothing else', () => {
    expect(wrong(packed)).toEqual({ surplus: [], missing: [] });
  });

  it('is no larger than it has to be', () => {
    // How much code V8 makes of it depends on Node's version: 2.4 MB by Node 20, 2.8 MB by Node 26, in two files.
    const most = (path: string): number => (path.endsWith('.cache') ? 1.7 : 1) * MB;
    expect(packed.files.filter(({ path, size }) => size === 0 || size > most(path))).toEqual([]);
    const written = packed.files.filter(({ path }) => !path.endsWith('.cache'));
    expect(written.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(4.9 * MB);
    expect(packed.size).toBeLessThan(2.6 * MB);
  });

  it('has what its manifest names, and depends on nothing', () => {
    const entries = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === 'object' ? Object.values(entry) : [],
    );
    const named = [manifest.bin.mcphooks, manifest.types, ...entries];
    for (const file of named) expect(statSync(join(unpacked, file)).isFile(), file).toBe(true);
    const bin = join(unpacked, manifest.bin.mcphooks);
    expect(statSync(bin).mode & 0o111).toBe(0o111);
    expect(readFileSync(bin, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(manifest).not.toHaveProperty('dependencies');
  });

  it('has the files to which its pages lead, except tests', () => {
    const pages = ['README.md', 'CONTRIBUTING.md'];
    for (const name of readdirSync(join(unpacked, 'docs')))
      if (name.endsWith('.md')) pages.push(`docs/${name}`);
    const links = pages.flatMap((page) =>
      [...readFileSync(join(unpacked, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
        ([, to = '']) => join(page, '..', to),
      ),
    );
    expect(links).toContain(join('docs', 'plan.svg'));
    const missing = links.filter((to) => !existsSync(join(unpacked, to)) && !to.startsWith('test'));
    expect(missing).toEqual([]);
  });

  it('has types that need no other package', () => {
    const types = join(unpacked, 'dist/types');
    const named = readdirSync(types, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.d.ts'))
      .flatMap((file) =>
        [...readFileSync(join(types, file), 'utf8').matchAll(/(?:from |import\()['"]([^.'"][^'"]*)/g)].map(
          ([, module]) => `${file}: ${module}`,
        ),
      );
    expect([...new Set(named)]).toEqual([]);
  });

  it('has types that errors can name', () => {
    const written = readFileSync(join(unpacked, 'dist/types/api/define-hooks.d.ts'), 'utf8');
    expect(written).toContain('defineHooks: (hooks: readonly Hook[]) => HooksDocument');
  });

  it.runIf(LONG)('compiles in a project that checks the types of packages', () => {
    const project = join(folder, 'typed');
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    symlinkSync(unpacked, join(project, 'node_modules/mcphooks'), 'junction');
    writeFileSync(
      join(project, 'use.mts'),
      "import { jsonSchema, lint } from 'mcphooks';\nimport { defineHooks } from 'mcphooks/authoring';\n" +
        "lint(defineHooks([{ event: 'session_start', context: 'A text.', priority: 'suggestion' }]));\n" +
        "jsonSchema('lint');\n",
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    for (const way of [
      ['--module', 'nodenext'],
      ['--module', 'esnext', '--moduleResolution', 'bundler'],
    ]) {
      const args = [tsc, '--noEmit', '--strict', '--target', 'es2022', '--types', '', ...way, 'use.mts'];
      expect(spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' }).stdout).toBe('');
    }
  });

  it.each(['cjs', 'esm'] as const)('works in a bundle of the format %s', (format) => {
    const outfile = join(folder, `bundle.${format === 'cjs' ? 'cjs' : 'mjs'}`);
    const fixtures = join(root, 'test/fixtures');
    const declared = join(fixtures, 'scenarios/commit-reminder.json');
    const command = [process.execPath, join(fixtures, 'servers/declares.mjs'), declared];
    const contents = `import { defineHooks } from './dist/authoring.js';
      import { readDeclarations } from './dist/index.js';
      const command = ${JSON.stringify(command)};
      const hook = { event: 'session_start', context: 'A text.', priority: 'suggestion' };
      readDeclarations({ server: 'memo', command }).then(({ declarations }) =>
        console.log(defineHooks([hook]).declarations.length, declarations.length));`;
    const stdin = { contents, resolveDir: unpacked };
    buildSync({ stdin, bundle: true, platform: 'node', format, outfile, logLevel: 'silent' });
    const env = { ...process.env, ...homeEnv(join(folder, 'bundle-home')) };
    const { stdout, stderr } = spawnSync(process.execPath, [outfile], { env, encoding: 'utf8' });
    expect([stdout.trim(), stderr]).toEqual(['1 1', '']);
  });

  it.runIf(ALL)(
    'refuses an altered entry of its catalogue with one message, and installs nothing of it',
    () => {
      const entry = join(unpacked, 'catalogue/memory/hooks.json');
      const text = readFileSync(entry, 'utf8');
      const home = mkdtempSync(join(tmpdir(), 'mcphooks-altered-'));
      const server = join(root, 'test/fixtures/servers/declares.mjs');
      const at = join(home, 'node_modules/@modelcontextprotocol/server-memory');
      mkdirSync(at, { recursive: true });
      const file = join(at, 'index.mjs');
      writeFileSync(file, readFileSync(server));
      const run = (...words: string[]) =>
        spawnSync(process.execPath, [join(unpacked, manifest.bin.mcphooks), ...words], {
          cwd: home,
          env: { PATH: process.env.PATH ?? '', ...homeEnv(home) },
          encoding: 'utf8',
        });
      const words = ['install', 'memo', '--catalogue', '--client', CLIENT_IDS[0] ?? '', '--yes', '--'];
      const tools = 'open_nodes,add_observations,create_entities';
      const command = [process.execPath, file, '', '', 'memory-server', tools];
      try {
        writeFileSync(entry, text.replace('go on', 'stop'));
        const { status, stderr } = run(...words, ...command);
        expect(stderr).toContain("entry 'memory' differs from the one that comes with mcphooks");
        expect([status, stderr.match(/mcphooks:/g)?.length]).toEqual([1, 1]);
        expect(existsSync(join(home, '.local'))).toBe(false);
        writeFileSync(entry, text);
        expect(run(...words, ...command).status).toBe(0);
      } finally {
        writeFileSync(entry, text);
        rmSync(home, { recursive: true });
      }
    },
  );

  it('loads little where a server declares its hooks', () => {
    const loaded = (file: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(file)) return seen;
      seen.add(file);
      const text = readFileSync(file, 'utf8');
      for (const [, to = ''] of text.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
        loaded(join(file, '..', to), seen);
      return seen;
    };
    const size = (name: string): number =>
      [...loaded(join(unpacked, 'dist', name))].reduce((sum, file) => sum + statSync(file).size, 0);
    expect(size('authoring.js')).toBeLessThan(size('index.js') / 2);
  });

  it('says nothing of the machine that made it, and has no source maps', () => {
    const own = [root, `${homedir()}/`, `${tmpdir()}/`, 'sourceMappingURL'];
    const said = readdirSync(unpacked, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .flatMap((file) => {
        const text = readFileSync(file, 'latin1');
        return own.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`);
      });
    expect(said).toEqual([]);
  });

  it.runIf(ALL)('runs by npx in an empty folder, and its hooks go on without it', () => {
    const home = join(folder, 'home');
    const empty = join(folder, 'empty');
    for (const made of [home, empty]) mkdirSync(made);
    const env = { PATH: process.env.PATH, ...homeEnv(home), npm_config_cache: join(folder, 'cache') };
    const npx = (...words: string[]) => {
      const tarball = join(folder, packed.filename);
      const all = ['--yes', '--offline', '--package', tarball, '--', 'mcphooks', ...words];
      return spawnSync('npx', all, { cwd: empty, env, encoding: 'utf8' });
    };
    expect(npx('--version')).toMatchObject({ status: 0, stdout: `${manifest.version}\n` });
    const from = ['--declarations', join(root, 'test/fixtures/scenarios/commit-reminder.json')];
    const installed = npx('install', 'memo', ...from, '--client', 'gemini-cli', '--yes');
    expect(installed).toMatchObject({ status: 0 });
    const { hooks } = JSON.parse(readFileSync(join(home, '.gemini/settings.json'), 'utf8'));
    const { command } = hooks.AfterTool[0].hooks[0];
    rmSync(join(folder, 'cache'), { recursive: true });
    const payload = JSON.parse(
      readFileSync(join(root, 'test/fixtures/payloads/gemini-cli/AfterTool.json'), 'utf8'),
    );
    const input = JSON.stringify({ ...payload, tool_input: { command: 'git commit -m x' } });
    const fired = spawnSync('bash', ['-c', command], { cwd: empty, env, input, encoding: 'utf8' });
    expect(fired).toMatchObject({ status: 0, stderr: '' });
    expect(fired.stdout).toContain('If this commit went through: what did you learn');
    expect(readdirSync(empty)).toEqual([]);
  });

  it.runIf(ALL)('of a fresh clone is built before it is packed', () => {
    const clone = join(folder, 'clone');
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
    // All that is installed here, under the stamp that keeps setup.mjs from installing it again.
    const modules = join(clone, 'node_modules');
    mkdirSync(modules);
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '.mcphooks-lock') symlinkSync(join(root, 'node_modules', name), join(modules, name));
    const lock = createHash('sha256').update(readFileSync(join(clone, 'package-lock.json')));
    writeFileSync(join(modules, '.mcphooks-lock'), lock.digest('hex'));
    expect(wrong(pack(clone))).toEqual({ surplus: [], missing: [] });
  });
});

it.runIf(LONG)("the README's commands put a clone's program on the PATH", () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, built, installed] = /```sh\n(node \S+).*\n(npm install --global \.).*\n/.exec(readme) ?? [];
  const { version, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // It ran before these tests.
  expect(built).toBe(scripts.pretest);
  const prefix = join(folder, 'prefix');
  const env = { ...process.env, ...homeEnv(join(folder, 'npm-home')) };
  execFileSync('sh', ['-c', `${installed} --offline --prefix ${prefix}`], { cwd: root, env, stdio: 'pipe' });
  const said = execFileSync(join(prefix, 'bin/mcphooks'), ['--version'], { env, encoding: 'utf8' });
  expect(said.trim()).toBe(version);
});
