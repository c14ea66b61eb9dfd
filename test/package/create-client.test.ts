import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL, LONG } from '../effort.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('npm run create-client', () => {
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'mcphooks-'));
    for (const part of [
      'src',
      'scripts',
      'package.json',
      'tsconfig.json',
      'test/fixtures/scenarios',
      'test/fixtures/samples',
      'test/clients',
    ])
      cpSync(join(root, part), join(copy, part), {
        recursive: true,
        filter: (file) => !file.endsWith('/installed'),
      });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  const create = (...args: string[]) =>
    spawnSync(process.execPath, [join(copy, 'scripts/create-client.mjs'), ...args], { encoding: 'utf8' });
  const read = (path: string): string => readFileSync(join(copy, path), 'utf8');

  it('makes a client, and says what to fill in', () => {
    const { status, stdout } = create('big-coder');
    expect(status).toBe(0);
    expect(stdout).toMatch(/src\/clients\/big-coder\/hooks\.ts:\d+ {2}\w/);
    expect(stdout).toMatch(/test\/clients\/of\/big-coder\.mjs:\d+ {2}\w/);
    expect(read('src/clients/list.ts')).toContain('bigCoder');
    expect(read('src/clients/big-coder/index.ts')).toContain("title: 'Big Coder'");
  });

  it.runIf(ALL)('makes what compiles', () => {
    create('big-coder');
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const args = ['--noEmit', '--project', join(copy, 'tsconfig.json')];
    expect(spawnSync(process.execPath, [tsc, ...args], { encoding: 'utf8' }).stdout).toBe('');
  });

  it.runIf(LONG)('makes a file for its real sessions, which is found', () => {
    create('big-coder');
    const program = "import('./test/clients/of.mjs').then(({ OF }) => console.log(Object.keys(OF).join()))";
    const { stdout } = spawnSync(process.execPath, ['-e', program], { cwd: copy, encoding: 'utf8' });
    expect(stdout).toContain('big-coder');
  });

  it.runIf(LONG)('of its real sessions, all may be deleted as unknown', () => {
    create('big-coder');
    writeFileSync(join(copy, 'test/clients/of/big-coder.mjs'), 'export const client = {};\n');
    const program = (of: string) =>
      `import('./test/clients/install.mjs').then(({ pinned }) => console.log(pinned({ older: ${of} }).join(';')))`;
    for (const older of ['false', 'true']) {
      const { stdout } = spawnSync(process.execPath, ['-e', program(older)], { cwd: copy, encoding: 'utf8' });
      expect(stdout).toContain('codex,');
      expect(stdout).not.toContain('big-coder');
    }
  });

  it.runIf(LONG)('leaves a client that is there as it is', () => {
    create('big-coder');
    const before = read('test/fixtures/scenarios/beside-own-hooks.json');
    expect(create('big-coder').stdout).toContain('To fill in:');
    expect(read('test/fixtures/scenarios/beside-own-hooks.json')).toBe(before);
  });

  it.each([['--help'], ['big-coder', '-h']])('shows its usage with %j', (...args) => {
    const lists = read('src/clients/ids.ts');
    const { status, stdout } = create(...args);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining('npm run create-client <id>'),
    });
    expect(read('src/clients/ids.ts')).toBe(lists);
  });

  it.each(LONG ? ['', 'Big', '../x', 'a--b'] : ['../x'])('takes no id like %j', (id) => {
    expect(create(id).status).toBe(2);
  });

  it.each([
    [['continue'], /word of JavaScript.*continue-cli/],
    [['dialects'], /not the folder of a client/],
    // What npm leaves of `npm run create-client one --title "Its Name"`.
    [['one', 'Its Name'], /'Its Name' is not part of an id; write: npm run create-client <id> -- /],
    [['one', '--titel', 'One'], /'--titel'[\s\S]*\nwrite: npm run create-client <id> -- /],
  ])('refuses %j in a sentence, and makes nothing', (args, why) => {
    const lists = read('src/clients/ids.ts');
    const { status, stderr } = create(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(why);
    expect(stderr).not.toMatch(/\n +at /);
    expect(read('src/clients/ids.ts')).toBe(lists);
  });
});
