import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { parse as parseToml } from 'smol-toml';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeWorld, type World } from '../cli/world.ts';
import { ALL, LONG, often } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { commit, git, installForTeam, teamWorld } from './team.ts';

let team: World;
/** Paths of what an install wrote for the project. */
let files: string[];
beforeAll(async () => {
  team = teamWorld();
  await installForTeam(team, '--client', 'claude-code,codex,gemini-cli');
  commit(team);
  files = git(team, 'ls-files', '.mcphooks', LOCK, ...Object.keys(HOOKS))
    .trim()
    .split('\n');
});
afterAll(() => rmSync(dirname(team.home), { recursive: true, force: true }));

const LOCK = 'mcphooks.lock.json';
const json = (text: string): unknown => JSON.parse(text);
/** What a client reads of its file; Gemini CLI's holds comments of one kind here. */
const HOOKS: Record<string, (text: string) => unknown> = {
  '.claude/settings.json': json,
  '.gemini/settings.json': (text) => json(text.replace(/\/\*.*?\*\//gs, '')),
  '.codex/config.toml': (text) => parseToml(text),
};

/** Windows lets not everybody make links. */
const WHOLE: ('remove' | 'copy' | 'link')[] = ['remove', 'copy', ...(WINDOWS ? [] : (['link'] as const))];
/** One thing that happens to a checkout; numbers choose among what there is. */
const change = fc.oneof(
  fc.record({
    kind: fc.constant('flip' as const),
    file: fc.nat(),
    at: fc.nat(),
    to: fc.integer({ min: 1, max: 255 }),
  }),
  fc.record({
    kind: fc.constant('insert' as const),
    file: fc.nat(),
    at: fc.nat(),
    text: fc.string({ minLength: 1 }),
  }),
  fc.record({
    kind: fc.constant('cut' as const),
    file: fc.nat(),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({ kind: fc.constantFrom(...WHOLE), file: fc.nat() }),
  fc.record({ kind: fc.constantFrom('swap' as const, 'over' as const), file: fc.nat(), other: fc.nat() }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(root: string, one: Change): void {
  const chosen = (n: number): string => join(root, files[n % files.length] ?? '');
  const path = chosen(one.file);
  const there = (p: string): boolean => lstatSync(p, { throwIfNoEntry: false })?.isFile() === true;
  if (!there(path)) return;
  const bytes = readFileSync(path);
  if (one.kind === 'flip' || one.kind === 'insert' || one.kind === 'cut') {
    const at = one.at % (bytes.length + 1);
    const [middle, from] =
      one.kind === 'insert'
        ? [Buffer.from(one.text), at]
        : one.kind === 'cut'
          ? [Buffer.alloc(0), at + one.length]
          : [Buffer.from([(bytes[at] ?? 0) ^ one.to]), at + 1];
    writeFileSync(path, Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(from)]));
  } else if (one.kind === 'remove') rmSync(path);
  else if (one.kind === 'copy') cpSync(path, `${path}-2`);
  else if (one.kind === 'link') {
    renameSync(path, join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), path);
  } else if ('other' in one && there(chosen(one.other))) {
    if (one.kind === 'swap') writeFileSync(path, readFileSync(chosen(one.other)));
    writeFileSync(chosen(one.other), bytes);
  }
}

/** All that decides what hooks do in a checkout. */
function meaning(root: string): unknown {
  const all = readdirSync(join(root, '.mcphooks'), { recursive: true, withFileTypes: true })
    .filter((e) => !e.isDirectory())
    .map((e) => join(e.parentPath, e.name));
  const bytes = (path: string): string =>
    lstatSync(path).isSymbolicLink() ? `-> ${readlinkSync(path)}` : readFileSync(path, 'latin1');
  return [
    all.sort().map((path) => [path.slice(root.length), bytes(path)]),
    json(bytes(join(root, LOCK))),
    // A person's own settings beside our hooks may change.
    Object.entries(HOOKS).map(([path, read]) => (read(bytes(join(root, path))) as { hooks?: unknown }).hooks),
  ];
}

function means(root: string): unknown {
  try {
    return meaning(root);
  } catch (error) {
    return String(error);
  }
}

it.runIf(LONG)(
  'a checkout of which diff finds nothing does what was approved, whatever happened to it',
  {
    timeout: 0,
  },
  async () => {
    const approved = means(team.project);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const world = makeWorld();
        try {
          for (const name of readdirSync(team.project).filter((name) => name !== '.git'))
            cpSync(join(team.project, name), join(world.project, name), { recursive: true });
          mkdirSync(join(world.project, '.git'));
          for (const one of changes) apply(world.project, one);
          const { code, stdout, stderr } = await world.run('diff', '--scope', 'project', '--offline');
          expect([0, 1, 2]).toContain(code);
          expect(stdout + stderr).not.toMatch(/did not foresee/);
          if (code === 0) expect(means(world.project)).toEqual(approved);
        } finally {
          rmSync(dirname(world.home), { recursive: true, force: true });
        }
      }),
      often(ALL ? 1 : 0.5),
    );
  },
);
