import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { COMMIT, homeWith, own, START } from './home.ts';
import { cleanWorlds, madeOnce, type World } from './world.ts';

cleanWorlds();

const BY = ['--client', 'claude-code', '--yes'];
const made = (world: World): string[] => Object.keys(world.files()).filter((path) => path.endsWith('.cache'));
const at = (world: World, path: string): string => join(world.home, '..', path);

/** Names of the programs with a code cache. */
const cached = (world: World): string[] => made(world).map((path) => basename(path).replace(/\.v\d.*$/, ''));

const installed = madeOnce(async (...declarations: object[]): Promise<World> => {
  const world = homeWith(...declarations);
  expect(await world.run('install', 'memo', ...BY)).toMatchObject({ code: 0 });
  return world;
});

describe('the code caches of what hooks run', () => {
  const CASES: [string, object, string[], string[]][] = [
    ['a text', COMMIT, [], ['fire.cjs']],
    ['a call', START, [], ['call.cjs', 'fire.cjs']],
    ['a call of a kept server', START, ['--keep-warm', '5'], ['call.cjs', 'fire.cjs', 'warm.cjs']],
  ];
  it.each(LONG ? CASES : CASES.slice(0, 1))(
    'are made by an install for %s, and leave with it',
    async (_, declaration, flags, programs) => {
      const world = homeWith(declaration);
      const before = world.files();
      delete before['home/started.log'];
      const dry = await world.run('install', 'memo', '--client', 'claude-code', '--dry-run', ...flags);
      expect(dry).toMatchObject({ code: 2 });
      expect(made(world)).toEqual([]);
      await world.run('install', 'memo', ...BY, ...flags);
      expect(cached(world)).toEqual(programs);
      expect(await world.run('diff')).toMatchObject({ code: 0 });
      expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
      const after = world.files();
      delete after['home/started.log'];
      expect(after).toEqual(before);
    },
  );

  it('are made for conditions', async () => {
    const world = homeWith();
    const declarations = [{ ...COMMIT, when: { command: ['git', 'commit'] } }];
    const file = world.write('home/d.json', JSON.stringify({ declarations }));
    await world.run('install', 'memo', '--declarations', file, '--no-check', ...BY);
    expect(cached(world)).toEqual(['conditions.cjs', 'fire.cjs']);
  });

  it('are not made in a project, which other machines share', async () => {
    const world = homeWith();
    mkdirSync(join(world.project, '.git'));
    world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
    const from = ['--declarations', 'hooks.json', '--no-check', '--scope', 'project'];
    expect(await world.run('install', 'team', ...from, ...BY)).toMatchObject({ code: 0 });
    expect(Object.keys(world.files())).toContain('project/.mcphooks/runtime/fire.cjs');
    expect(made(world)).toEqual([]);
  });

  it.runIf(LONG)('stay while another server has them', async () => {
    const world = await installed(COMMIT);
    world.write('home/d.json', JSON.stringify({ declarations: [COMMIT] }));
    await world.run('install', 'other', '--declarations', join(world.home, 'd.json'), '--no-check', ...BY);
    await world.run('uninstall', 'memo');
    expect(cached(world)).toEqual(['fire.cjs']);
    await world.run('uninstall', 'other');
    expect(Object.keys(world.files()).filter((path) => path.includes('/share/'))).toEqual([]);
  });

  it.runIf(LONG)('leave the data folder of install time, too', async () => {
    const world = await installed(COMMIT);
    world.env.XDG_DATA_HOME = join(world.home, 'elsewhere');
    await world.run('uninstall', 'memo');
    expect(made(world)).toEqual([]);
  });

  it.runIf(LONG)('are named by doctor when they are damaged, and made again by install', async () => {
    const world = await installed(COMMIT);
    const file = at(world, own(world, '.cache'));
    const whole = readFileSync(file);
    const bytes = Buffer.from(whole);
    bytes[whole.length - 2] = (bytes[whole.length - 2] as number) ^ 1;
    const altered = async () => {
      const { findings } = JSON.parse((await world.run('doctor', '--json')).stdout);
      return findings.filter(({ code }: { code: string }) => code === 'doctor.own-altered');
    };
    expect(await altered()).toEqual([]);
    writeFileSync(file, bytes);
    expect(await altered()).toMatchObject([{ where: file }]);
    expect(await world.run('diff')).toMatchObject({ code: 0 });
    expect(await world.run('install', 'memo', ...BY)).toMatchObject({ code: 0 });
    expect(await altered()).toEqual([]);
    rmSync(file);
    // Made anew for another node, too; a missing one only costs time.
    expect(await altered()).toEqual([]);
    // Hooks may run with another node than doctor and install.
    const other = file.replace(process.version, 'v0.0.0');
    writeFileSync(other, whole);
    expect(await altered()).toEqual([]);
    writeFileSync(other, bytes);
    expect(await altered()).toMatchObject([{ where: other }]);
    const foreign = join(dirname(file), 'other.cache');
    writeFileSync(foreign, bytes);
    await world.run('install', 'memo', ...BY);
    expect(readFileSync(file).equals(whole)).toBe(true);
    expect([other, foreign].map((path) => existsSync(path))).toEqual([false, true]);
  });

  it.runIf(LONG)('are made for a node without options, as hooks start it', async () => {
    // V8's number of the flags is in the first bytes.
    const [plain, flagged] = [await installed(COMMIT), homeWith(COMMIT)];
    flagged.env.NODE_OPTIONS = '--stack-trace-limit=20';
    expect(await flagged.spawn('install', 'memo', ...BY)).toMatchObject({ code: 0 });
    const [head, other] = [plain, flagged].map((world) =>
      readFileSync(at(world, own(world, '.cache'))).subarray(0, 16),
    );
    expect(other).toEqual(head);
  });

  it('are left out where they cannot be written', async () => {
    const world = await installed(COMMIT);
    const file = at(world, own(world, '.cache'));
    rmSync(file);
    mkdirSync(join(file, 'in the way'), { recursive: true });
    expect(await world.run('install', 'memo', ...BY)).toMatchObject({ code: 0 });
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('are not written or removed through links', async () => {
    const world = await installed(COMMIT);
    const mine = world.write('home/mine', 'mine');
    const file = at(world, own(world, '.cache'));
    const damaged = readFileSync(file).fill(1, 0, 1);
    rmSync(file);
    symlinkSync(mine, `${file}.new`);
    expect(await world.run('install', 'memo', ...BY)).toMatchObject({ code: 0 });
    expect(world.read('home/mine')).toBe('mine');
    expect(lstatSync(file).isFile()).toBe(true);

    const runtime = dirname(file);
    rmSync(file);
    const elsewhere = join(world.home, 'elsewhere');
    renameSync(runtime, elsewhere);
    symlinkSync(elsewhere, runtime);
    writeFileSync(join(elsewhere, basename(file).replace(process.version, 'v0.0.0')), damaged);
    const before = readdirSync(elsewhere);
    expect(await world.run('install', 'memo', ...BY)).toMatchObject({ code: 0 });
    expect(readdirSync(elsewhere)).toEqual(before);
  });
});
