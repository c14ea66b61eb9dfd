import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/sha256.ts';
import { cleanWorlds, makeWorld, type World } from '../cli/world.ts';

cleanWorlds();

const SAY = { event: 'pre_request', context: 'A word.', priority: 'suggestion' };

/** A clone whose sender knows what stands in the reader's home. */
function clone(): World {
  const world = makeWorld();
  world.write('project/hooks.json', JSON.stringify({ declarations: [SAY] }));
  world.write('home/.profile', 'mine');
  world.write('home/runtime/fire.cjs', 'mine');
  mkdirSync(join(world.project, '.git'));
  return world;
}

function mark(world: World, files: string[], folder = 'plugin'): void {
  const all = Object.fromEntries(files.map((path) => [path, sha256('mine')]));
  const text = { schema: 1, server: 'memo', version: '1.0.0', formats: [], files: all };
  world.write(`project/${folder}/mcphooks.json`, JSON.stringify(text));
}

const exported = (world: World, out = 'plugin') =>
  world.run(
    'export',
    'memo',
    '--declarations',
    'hooks.json',
    '--format',
    'claude-plugin',
    '--out',
    out,
    '--yes',
    '--json',
  );
const codes = (stdout: string): string[] => JSON.parse(stdout).faults.map((f: { code: string }) => f.code);

/** Everything but what `export` may write, no link followed. */
const standing = (world: World): string[] =>
  readdirSync(dirname(world.home), { recursive: true, withFileTypes: true })
    .filter((e) => !e.isDirectory())
    .map((e) => [e, join(e.parentPath, e.name)] as const)
    .map(([e, path]) => `${path}: ${e.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'latin1')}`)
    .sort();

const LINKED: [name: string, make: (world: World) => void, out?: string][] = [
  [
    'a folder of an earlier export',
    (w) => {
      mark(w, ['shims/claude-code-0123456789abcdef/Stop']);
      symlinkSync(w.home, join(w.project, 'plugin/shims'));
    },
  ],
  [
    'a folder from which it would only remove',
    (w) => {
      mark(w, ['shims/claude-code-0123456789abcdef/Stop']);
      w.write('home/Stop', 'mine');
      mkdirSync(join(w.project, 'plugin/shims'));
      symlinkSync(w.home, join(w.project, 'plugin/shims/claude-code-0123456789abcdef'));
    },
  ],
  [
    'a folder that it writes into',
    (w) => {
      mark(w, []);
      symlinkSync(w.home, join(w.project, 'plugin/hooks'));
    },
  ],
  [
    'the runtime',
    (w) => {
      mark(w, ['runtime/fire.cjs']);
      symlinkSync(join(w.home, 'runtime'), join(w.project, 'plugin/runtime'));
    },
  ],
  [
    'a file of an earlier export',
    (w) => {
      mark(w, ['hooks/hooks.json']);
      mkdirSync(join(w.project, 'plugin/hooks'));
      symlinkSync(join(w.home, '.profile'), join(w.project, 'plugin/hooks/hooks.json'));
    },
  ],
  [
    'the mark itself',
    (w) => {
      mark(w, [], 'other');
      mkdirSync(join(w.project, 'plugin'));
      symlinkSync('../other/mcphooks.json', join(w.project, 'plugin/mcphooks.json'));
    },
  ],
  ['the folder itself', (w) => symlinkSync(w.home, join(w.project, 'plugin'))],
  ['a dangling folder', (w) => symlinkSync(join(w.home, 'new'), join(w.project, 'plugin'))],
  ['a folder around it', (w) => symlinkSync(w.home, join(w.project, 'build')), 'build/plugin'],
];

describe('export --out into a folder that came with a clone', () => {
  it.each(LINKED.map(([name, make, out]) => ({ name, make, out })))(
    'follows no link: $name',
    async ({ make, out }) => {
      const world = clone();
      make(world);
      const before = standing(world);
      const { code, stdout } = await exported(world, out);
      expect([code, codes(stdout)]).toEqual([1, ['export.linked']]);
      expect(standing(world)).toEqual(before);
    },
  );

  it.each(['a folder', 'a repository'])('follows no link to %s, called from elsewhere', async (what) => {
    const world = clone();
    mkdirSync(join(world.home, 'outside'));
    if (what === 'a repository') mkdirSync(join(world.home, 'outside/.git'));
    symlinkSync(join(world.home, 'outside'), join(world.project, 'build'));
    mkdirSync(join(world.home, 'own'));
    const before = standing(world);
    const words = ['export', 'memo', '--declarations', join(world.project, 'hooks.json'), '--yes', '--json'];
    const out = ['--format', 'claude-plugin', '--out', join(world.project, 'build/plugin')];
    const { code, stdout } = await world.runAs({ folder: 'home/own' }, ...words, ...out);
    expect([code, codes(stdout)]).toEqual([1, ['export.linked']]);
    expect(standing(world)).toEqual(before);
  });

  it.each([
    '.profile',
    'src/index.ts',
    '../../home/.profile',
    'runtime/../../../home/.profile',
    '/etc/passwd',
    'shims/x/.profile',
    'runtime/fire.cjs/../x',
    'runtime/../../index.cjs',
    '.git/config',
    'NOTICE.md',
  ])('removes nothing that no export writes: %s', async (path) => {
    const world = clone();
    mark(world, [path]);
    for (const own of ['.profile', 'src/index.ts', 'shims/x/.profile', 'NOTICE.md', '.git/config'])
      world.write(`project/plugin/${own}`, 'mine');
    const before = standing(world);
    const { code, stdout } = await exported(world);
    expect([code, codes(stdout)]).toEqual([1, ['export.not-empty']]);
    expect(standing(world)).toEqual(before);
  });

  it("removes what an earlier export left, and takes a folder in a linked place that is nobody else's", async () => {
    const world = clone();
    mark(world, ['shims/claude-code-0123456789abcdef/Stop', 'gemini-extension.json']);
    world.write('project/plugin/shims/claude-code-0123456789abcdef/Stop', 'mine');
    world.write('project/plugin/gemini-extension.json', 'mine');
    expect(await exported(world)).toMatchObject({ code: 0 });
    expect(Object.keys(world.files())).not.toContain('project/plugin/gemini-extension.json');
    expect(readdirSync(join(world.project, 'plugin/shims')).join()).not.toContain('0123456789abcdef');
    // One's own home may lie behind a link.
    mkdirSync(join(world.home, 'disk'));
    symlinkSync('disk', join(world.home, 'work'));
    expect(await exported(world, join(world.home, 'work/plugin'))).toMatchObject({ code: 0 });
    rmSync(join(world.home, 'work'));
  });
});
