import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import { twoFiles } from '../../src/inspect/doctor/duplicates.ts';
import type { DoctorContext } from '../../src/inspect/doctor/types.ts';
import { folderDistrust, hooksOff } from '../../src/inspect/trust.ts';
import { placeOf } from '../../src/servers/definitions/config-files.ts';
import { findPlugins } from '../../src/servers/definitions/plugins.ts';
import { unsetVariable } from '../../src/servers/launch/references.ts';
import { filesOf } from '../files.ts';
import { homeEnv } from '../platform.ts';
import { scratch } from '../store/support.ts';

const droid = clientById('droid');
const HOME = '/home/user';
const view = (texts: Record<string, unknown>) => ({
  ...filesOf(Object.fromEntries(Object.entries(texts).map(([path, value]) => [path, JSON.stringify(value)]))),
  env: { HOME },
  cwd: '/code/shop',
});

it.each([
  ['memo', 'memo'],
  ['my server.x', 'my-server-x'],
  ['a/b@é', 'a-b'],
  ['UP_low-1', 'UP_low-1'],
  ['--x--', 'x'],
  ['é', 'invalid-server-name'],
  ['a'.repeat(40), 'a'.repeat(32)],
])('names the server %s as %s', (alias, name) => {
  expect(droid.tools.mcp.spell(alias)).toBe(name);
});

describe('the switch of all hooks', () => {
  const USER = `${HOME}/.factory`;
  const PROJECT = '/code/shop/.factory';
  const off = { hooksDisabled: true };
  const on = { hooksDisabled: false };
  it.each([
    ['settings', { [`${USER}/settings.json`]: { hooks: off } }, `${USER}/settings.json`],
    ['hooks.json, at top level', { [`${USER}/hooks.json`]: off }, `${USER}/hooks.json`, 'hooksDisabled'],
    [
      'hooks.json before settings',
      { [`${USER}/hooks.json`]: on, [`${USER}/settings.json`]: { hooks: off } },
      undefined,
    ],
    ["a project's", { [`${PROJECT}/settings.json`]: { hooks: off } }, `${PROJECT}/settings.json`],
    [
      "a project's before the user's",
      { [`${PROJECT}/hooks.json`]: on, [`${USER}/hooks.json`]: off },
      undefined,
    ],
    ['a key of another name', { [`${USER}/settings.json`]: off }, undefined],
  ])('in %s', (_name, texts, file, setting = 'hooks.hooksDisabled') => {
    const found = hooksOff(droid, view(texts as Record<string, unknown>));
    expect(found.map(({ where, args }) => [where.file, args.setting])).toEqual(
      file === undefined ? [] : [[file, setting]],
    );
  });
});

it('may have hooks in two files, of which one is read for each event', () => {
  const events = { SessionStart: [{ hooks: [{ type: 'command', command: 'date' }] }] };
  const texts = {
    [`${HOME}/.factory/hooks.json`]: events,
    [`${HOME}/.factory/settings.json`]: { hooks: events },
  };
  const context = { ...view(texts), programs: [{ client: 'droid' }] } as unknown as DoctorContext;
  expect(twoFiles(context)).toEqual([]);
});

it('runs hooks in folders that were trusted, and below them', () => {
  const trusted = view({
    [`${HOME}/.factory/settings.json`]: { trustedFolders: { '/code': { trustedAt: 'x' } } },
  });
  expect(folderDistrust(droid, '/code/shop', trusted)).toBeUndefined();
  expect(folderDistrust(droid, '/codes', trusted)).toMatchObject({ code: 'doctor.folder-untrusted' });
});

it('starts no server with an unset variable in its environment', () => {
  const { dialect } = droid.mcp;
  const server = (env: Record<string, string>) => ({
    transport: 'stdio' as const,
    command: 'x',
    args: ['${A}'],
    env,
  });
  expect(unsetVariable(server({ KEY: 'x ${A}' }), dialect, {})).toBe('A');
  expect(unsetVariable(server({ KEY: 'x ${A}' }), dialect, { A: '' })).toBe(undefined);
  expect(unsetVariable(server({ KEY: '$A ${A:-d}' }), dialect, {})).toBe(undefined);
  expect(unsetVariable(server({ KEY: '${A}' }), clientById('claude-code').mcp.dialect, {})).toBe(undefined);
});

it('has plugins, each with a record of its own', () => {
  const home = scratch();
  const root = join(home, '.factory/plugins/cache/m/pp/1');
  const put = (path: string, value: unknown): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(value));
  };
  put(join(home, '.factory/plugins/installed_plugins/pp-m-user.json'), {
    pluginId: 'pp@m',
    entry: { scope: 'user', installPath: root },
  });
  put(join(root, '.factory-plugin/plugin.json'), { name: 'pp' });
  const [kind] = droid.mcp.plugins;
  if (!kind) throw new Error('no kind of plugin');
  const found = (enabled: unknown) => {
    put(join(home, '.factory/settings.json'), { enabledPlugins: enabled });
    const read = (path: string): unknown => {
      try {
        return JSON.parse(readFileSync(path, 'utf8'));
      } catch {
        return undefined;
      }
    };
    return findPlugins(kind, placeOf(homeEnv(home), home), read);
  };
  expect(found({ 'pp@m': true })).toEqual([{ name: 'pp', root }]);
  expect(found({})).toEqual([]);
});
