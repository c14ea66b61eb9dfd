import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  endsWithSteps,
  homeFolder,
  inside,
  isAround,
  isOnOtherShare,
  mergedEnv,
  ownPaths,
  pathFolders,
  variable,
} from '../../src/base/paths.ts';

describe('paths', () => {
  it.each([
    ['/home/a', '/home/a/b/c', '/', 'b/c'],
    ['/home/a', '/home/a', '/', ''],
    ['/home/a', '/home/ab', '/', undefined],
    ['/home/a', '/home/A/b', '/', undefined],
    ['/home/a/', '/home/a/b', '/', 'b'],
    ['/', '/a/b', '/', 'a/b'],
    ['C:\\Users\\Zoë', 'C:\\Users\\Zoë\\x\\y', '\\', 'x\\y'],
    ['C:\\Users\\Zoë', 'c:\\users\\zoË\\X', '\\', 'X'],
    ['C:\\Users\\Zoë', 'C:/Users/Zoë/x', '\\', 'x'],
    ['C:\\Users\\Zoë', 'C:\\Users\\Zoëy', '\\', undefined],
    // The small letter of İ is two characters.
    ['C:\\Users\\İpek', 'C:\\Users\\İpek\\x\\y', '\\', 'x\\y'],
    ['C:\\Users\\İpek', 'c:/users/İPEK/X', '\\', 'X'],
    ['C:\\Users\\İpek', 'C:\\Users\\i\u0307pek\\x', '\\', undefined],
    ['C:\\Users\\İpek', 'C:\\Users\\i\u0307pek', '\\', undefined],
    ['C:\\', 'C:\\x', '\\', 'x'],
    ['C:\\', 'C:\\', '\\', ''],
    ['C:\\x', 'D:\\x', '\\', undefined],
  ])('the part of a path inside %s: %s', (folder, path, separator, part) => {
    expect(inside(folder, path, separator)).toBe(part);
  });

  it('ends with steps, whatever stands between them', () => {
    expect(endsWithSteps('C:\\Users\\a\\.codex\\hooks.json', '.codex/hooks.json', '\\')).toBe(true);
    expect(endsWithSteps('C:\\Users\\a\\x.codex\\hooks.json', '.codex/hooks.json', '\\')).toBe(false);
    expect(endsWithSteps('/home/a/.codex/hooks.json', '.codex/hooks.json')).toBe(true);
  });

  it('has no file around a folder of a longer name', () => {
    expect([isAround('/a/b', '/a/b'), isAround('/a/b', '/a/b/c'), isAround('/a/b', '/a/bc')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

it.each([
  ['\\\\evil\\c$\\a.ts', 'C:\\shop', true],
  ['\\\\evil\\c$\\a.ts', '\\\\nas\\work\\shop', true],
  ['\\\\nas\\other\\a.ts', '\\\\nas\\work\\shop', true],
  ['\\\\nas\\workshop\\a.ts', '\\\\nas\\work\\shop', true],
  ['\\\\.\\pipe\\evil', 'C:\\shop', true],
  ['\\\\NAS\\Work\\a.ts', '\\\\nas\\work\\shop', false],
  ['\\\\?\\UNC\\evil\\c$\\a.ts', '\\\\?\\UNC\\nas\\work\\shop', true],
  ['\\\\?\\UNC\\nas\\work\\a.ts', '\\\\?\\UNC\\nas\\work\\shop', false],
  ['\\\\nas\\work\\a.ts', '//nas/work/shop', false],
  ['\\\\?\\C:\\shop\\a.ts', '\\\\?\\C:\\shop', false],
  ['D:\\a.ts', 'C:\\shop', false],
  ['/a.ts', '/shop', false],
])('%s is on another share than %s: %s', (path, folder, is) => expect(isOnOtherShare(path, folder)).toBe(is));

it('a later variable replaces an earlier one, on Windows in any case of letters', () => {
  const both = [{ Path: 'a', X: '1' }, { PATH: 'b' }];
  expect(mergedEnv(both, true)).toEqual({ Path: 'b', X: '1' });
  expect(mergedEnv(both, false)).toEqual({ Path: 'a', PATH: 'b', X: '1' });
});

it('folders of PATH may be quoted on Windows, and are absolute', () => {
  const folders = (path: string, windows: boolean) => pathFolders({ PATH: path }, windows);
  expect(folders('"C:\\Program Files\\nodejs";C:\\bin;bin;"bin";', true)).toEqual([
    'C:\\Program Files\\nodejs',
    'C:\\bin',
  ]);
  expect(folders('/usr/bin:/a"b:bin:"/x":', false)).toEqual(['/usr/bin', '/a"b']);
});

it.each(['__proto__', 'constructor', 'toString'])('a variable %s is set only where it is set', (name) => {
  expect(variable({}, name)).toBeUndefined();
  expect(variable(process.env, name)).toBeUndefined();
  expect(variable(Object.fromEntries([[name, 'x']]), name)).toBe('x');
});

describe('the home folder', () => {
  const env = { HOME: '/office', USERPROFILE: '/users/zoe', LOCALAPPDATA: '/users/zoe/AppData/Local' };

  it('is that of the clients: USERPROFILE on Windows, whatever HOME says', () => {
    expect(homeFolder(env, 'win32')).toBe('/users/zoe');
    expect(homeFolder(env, 'linux')).toBe('/office');
    const { LOCALAPPDATA: _, ...bare } = env;
    expect(ownPaths(bare, 'win32').data).toBe(join('/users/zoe/AppData/Local/mcphooks'));
  });

  it('holds own files in folders of different names on Windows, unless a variable names a folder', () => {
    expect(ownPaths(env, 'win32')).toEqual({
      data: join('/users/zoe/AppData/Local/mcphooks'),
      state: join('/users/zoe/AppData/Local/mcphooks-state'),
      config: join('/users/zoe/AppData/Local/mcphooks-config'),
    });
    expect(ownPaths({ ...env, XDG_STATE_HOME: '/state', XDG_DATA_HOME: 'relative' }, 'win32')).toMatchObject({
      data: join('/users/zoe/AppData/Local/mcphooks'),
      state: join('/state/mcphooks'),
    });
  });
});
