import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { HERE } from '../../src/base/platform.ts';
import { installedProgram } from '../../src/servers/packages/installed-program.ts';

const home = mkdtempSync(join(tmpdir(), 'mcphooks-installed-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const { windows } = HERE;
afterEach(() => {
  HERE.windows = windows;
});

const prefix = join(home, 'prefix');
const env = {
  HOME: home,
  USERPROFILE: home,
  npm_config_prefix: prefix,
  npm_config_cache: join(home, 'npm'),
  XDG_DATA_HOME: join(home, 'data'),
};
const write = (file: string, text: string): string => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const modules = join(prefix, ...(process.platform === 'win32' ? [] : ['lib']), 'node_modules');
const put = (folder: string, name: string, manifest: object, files: Record<string, string>): void => {
  write(join(folder, name, 'package.json'), JSON.stringify({ name, ...manifest }));
  for (const [path, text] of Object.entries(files)) write(join(folder, name, path), text);
};
const cache = join(home, 'npm/_npx/ab12/node_modules');
put(cache, '@scope/notes', { version: '1.0.0', bin: 'dist/index.js' }, { 'dist/index.js': '' });
put(cache, 'both', { version: '2.0.0', bin: { both: 'b.js' } }, { 'b.js': '' });
put(modules, 'both', { version: '1.0.0', bin: { both: 'b.js' } }, { 'b.js': '' });
put(cache, 'single', { version: '1.0.0', bin: { start: 's.js' } }, { 's.js': '' });
// npx made this folder before the other one.
const earlier = join(home, 'npm/_npx/aa00/node_modules');
put(earlier, 'single', { version: '0.9.0', bin: { start: 's.js' } }, { 's.js': '' });
utimesSync(earlier, 1, 1);
put(
  cache,
  'two',
  { version: '1.0.0', bin: { first: 'bin/first', second: 'bin/second' } },
  { 'bin/first': '#!/usr/bin/env node\n', 'bin/second': '#!/bin/sh\n' },
);

describe('the program that a package runner starts', () => {
  it.each([
    [
      'npx -y @scope/notes --flag x',
      ['node', join(cache, '@scope/notes/dist/index.js'), '--flag', 'x'],
      true,
    ],
    ['npx -y -p @scope/notes notes', ['node', join(cache, '@scope/notes/dist/index.js')], true],
    ['npx -y @scope/notes@1.0.0', ['node', join(cache, '@scope/notes/dist/index.js')], true],
    ['npm exec -- @scope/notes@1.0.0 a', ['node', join(cache, '@scope/notes/dist/index.js'), 'a'], true],
    // Installed for the user, but in another version than the cache has.
    ['npx both@1.0.0', ['node', join(modules, 'both/b.js')], false],
    ['npx both@2.0.0', ['node', join(cache, 'both/b.js')], true],
    // The only program, whatever its name.
    ['npx single x', ['node', join(cache, 'single/s.js'), 'x'], true],
    ['npx single@0.9.0', ['node', join(earlier, 'single/s.js')], true],
    ['npx -p two first x', ['node', join(cache, 'two/bin/first'), 'x'], true],
    ['npx -p two second', [join(cache, 'two/bin/second')], true],
  ])('%s', (words, program, cached) => {
    const [command = '', ...args] = words.split(' ');
    const found = installedProgram(command, args, env);
    expect([[found?.command, ...(found?.args ?? [])], found?.cached]).toEqual([program, cached]);
  });

  it.each([
    'npx -y @scope/notes@2.0.0',
    'npx -y @scope/notes@^1.0.0',
    'npx -y @scope/notes@latest',
    'npx -y github:scope/notes',
    'npx -y --registry https://example.com @scope/notes',
    'npx -y absent',
    'npx two',
    'npx -p two',
    'npx -p two third',
    'npx -p @scope/notes other',
    'env A=b npx -y @scope/notes',
    './env npx -y @scope/notes',
    'cmd /c npx -y @scope/notes & evil',
    'node server.js',
    'docker run -i notes',
    'uvx notes',
  ])('is not told of %s', (words) => {
    const [command = '', ...args] = words.split(' ');
    expect(installedProgram(command, args, env)).toBeUndefined();
  });

  it.each([
    { windows: false, tools: 'uv/tools', program: 'bin/my-notes', library: 'lib/python3.12' },
    { windows: true, tools: 'uv/tools', program: 'Scripts/my-notes.exe', library: 'Lib' },
    { windows: true, tools: 'uv/data/tools', program: 'Scripts/my-notes.exe', library: 'Lib' },
  ])('of uvx is what uv tool install installed, in the requested version: %j', (where) => {
    HERE.windows = where.windows;
    const data = mkdtempSync(join(home, 'data-'));
    const tools = join(data, where.tools);
    const file = write(join(tools, 'my-notes', where.program), '');
    write(join(tools, 'my-notes', where.library, 'site-packages/My_Notes-1.2.3.dist-info/METADATA'), '');
    const found = (word: string, more: object) => installedProgram('uvx', [word, 'x'], { ...env, ...more });
    const program = { command: file, args: ['x'], cached: false };
    const here = { XDG_DATA_HOME: data, APPDATA: data };
    expect(found('my-notes', here)).toEqual(program);
    expect(found('my-notes==1.2.3', here)).toEqual(program);
    expect(found('my-notes==1.2.4', here)).toBeUndefined();
    expect(found('my-notes', { UV_TOOL_DIR: tools })).toEqual(program);
    expect(found('my-notes', { ...here, UV_TOOL_DIR: home })).toBeUndefined();
  });
});
