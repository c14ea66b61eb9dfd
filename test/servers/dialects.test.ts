import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT_IDS } from '../../src/clients/client.ts';
import { type McpConfig, type McpDialect, PROJECT } from '../../src/clients/mcp-config.ts';

import { isOff, toDefinition } from '../../src/servers/definitions/definition.ts';
import { findServers } from '../../src/servers/definitions/resolve.ts';
import { launch } from '../../src/servers/launch/launch.ts';
import type { Definition } from '../../src/servers/types.ts';

import { homeEnv } from '../platform.ts';

const dialect = (more: Partial<McpDialect>): McpDialect => ({
  format: 'jsonc',
  keys: { env: 'env', url: ['url'], headers: 'headers', held: {} },
  expand: 'braces',
  stands: {},
  inherits: [],
  hookOnly: [],
  adds: {},
  ...more,
});

describe('entries of other clients', () => {
  const keys = {
    ...dialect({}).keys,
    argv: 'command',
    types: { local: 'stdio', remote: 'http' },
    disabled: 'disabled',
  } as const;

  it('hold a program with its arguments in one list', () => {
    const local = { type: 'local', command: ['npx', '-y', 's'] };
    expect(toDefinition(local, keys)).toMatchObject({ command: 'npx', args: ['-y', 's'] });
    expect(toDefinition({ command: ['npx'] }, keys)).toMatchObject({ command: 'npx', args: [] });
    expect(toDefinition({ type: 'local', command: [] }, keys)).toBeUndefined();
    expect(toDefinition({ type: 'local', command: ['npx', 1] }, keys)).toBeUndefined();
    expect(toDefinition({ type: 'local', command: 'npx' }, keys)).toBeUndefined();
  });

  it('name transports in words of their own, and no others', () => {
    expect(toDefinition({ type: 'remote', url: 'https://a/' }, keys)).toMatchObject({ transport: 'http' });
    expect(toDefinition({ type: 'http', url: 'https://a/' }, keys)).toBeUndefined();
    expect(toDefinition({ type: 'remote', command: ['npx'] }, keys)).toBeUndefined();
  });

  it('are none where arguments are no list, and where the type is a word of JavaScript', () => {
    const usual = dialect({}).keys;
    expect(toDefinition({ command: 'npx', args: 'x' }, usual)).toBeUndefined();
    expect(toDefinition({ type: 'constructor', url: 'https://a/' }, usual)).toBeUndefined();
  });

  it('are off where they say so', () => {
    expect(isOff({ disabled: true }, keys)).toBe(true);
    expect(isOff({ disabled: false }, keys)).toBe(false);
    expect(isOff({}, keys)).toBe(false);
  });
});

describe('references', () => {
  const env = { SET: 'value' };

  it('to variables that are not set are named, but no part of what may be a password', () => {
    const unset = (value: string, more: Partial<McpDialect>): string[] => {
      const names = new Set<string>();
      const definition: Definition = { transport: 'stdio', command: 'x', args: [], env: { KEY: value } };
      launch({ definition, source: { scope: 'user' }, dialect: dialect(more) }, env, '/', names);
      return [...names];
    };
    expect(unset('${A} ${SET} ${B:-b} ${/}', {})).toEqual(['A']);
    expect(unset('$A', {})).toEqual([]);
    expect(unset('Bearer $A', { expand: 'dollar' })).toEqual(['A']);
    expect(unset('pa$word$A1', { expand: 'dollar' })).toEqual(['']);
    expect(unset('${ghp_0123456789abcdefghij}${A}', {})).toEqual(['', 'A']);
    expect(unset('${JBSWY3DPEHPK3PXPJBSWY3DP}', {})).toEqual(['']);
    for (const emptied of ['empty', 'empty-in-env'] as const)
      expect(unset('{env:A}{env:SET}', { expand: 'curly', unset: emptied })).toEqual(['A']);
  });
  const words = ['$SET', '${SET}', '${SET:-d}', '${NONE:-d}', '${env:SET}', '{env:SET}', '${env:NONE}'];
  const started = (more: Partial<McpDialect>, entry: { args?: string[]; env?: Record<string, string> }) =>
    launch(
      {
        definition: { transport: 'stdio', command: 'x', args: entry.args ?? [], env: entry.env ?? {} },
        source: { scope: 'user' },
        dialect: dialect(more),
      },
      env,
      '/folder',
    );

  it.each([
    ['env', {}, ['$SET', '${SET}', '${SET:-d}', '${NONE:-d}', 'value', '{env:SET}', '${env:NONE}']],
    ['braces-env', {}, ['$SET', 'value', 'value', 'd', 'value', '{env:SET}', '${env:NONE}']],
    ['curly', {}, ['$SET', '${SET}', '${SET:-d}', '${NONE:-d}', '${env:SET}', 'value', '${env:NONE}']],
    [
      'dollar',
      { fallbacks: false },
      ['value', 'value', '${SET:-d}', '${NONE:-d}', '${env:SET}', '{env:SET}', '${env:NONE}'],
    ],
  ] as const)('as %s', (expand, more, expected) => {
    expect(started({ expand, ...more }, { args: [...words] })).toMatchObject({ args: expected });
  });

  it('in values of the environment alone', () => {
    const given = { args: ['${SET}'], env: { A: '${SET}' } };
    expect(started({ expandOnly: 'env' }, given)).toMatchObject({ args: ['${SET}'], env: { A: 'value' } });
  });

  it('that are no more than the name of a variable', () => {
    const given = { args: ['SET'], env: { A: 'SET', B: 'NONE', C: 'SET ' } };
    const expected = { args: ['SET'], env: { A: 'value', B: 'NONE', C: 'SET ' } };
    expect(started({ bareEnv: true }, given)).toMatchObject(expected);
  });

  it('to the home folder', () => {
    const own = dialect({ stands: { userHome: '<home>' } });
    const definition = { transport: 'stdio', command: 'x', args: ['${userHome}/s'], env: {} } as const;
    const found = launch(
      {
        definition: { ...definition, args: [...definition.args] },
        source: { scope: 'user' },
        dialect: own,
      },
      { HOME: '/home/me' },
      '/folder',
    );
    expect(found).toMatchObject({ args: ['/home/me/s'] });
  });
});

describe('a project that a list of trusted folders names', () => {
  let top: string;
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'mcphooks-')));
  });
  afterEach(() => rmSync(top, { recursive: true }));
  const write = (path: string, value: unknown): void => {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), JSON.stringify(value));
  };
  const home = { envSub: '', home: '.other' };
  const mcp: McpConfig = {
    dialect: dialect({}),
    files: [
      {
        scope: 'project',
        in: 'top',
        path: '.mcp.json',
        at: ['mcpServers'],
        onlyIf: { in: home, path: 'config.json', at: ['trustedFolders'], lists: PROJECT },
      },
    ],
    switches: [],
    plugins: [],
  };
  const id = CLIENT_IDS[0];
  const found = () =>
    findServers({
      env: homeEnv(join(top, 'home')),
      cwd: join(top, 'project'),
      clients: [{ id, mcp }],
    })
      .of(id)
      .on.map(({ alias }) => alias);

  it('has its servers, and no other project has', () => {
    write('project/.mcp.json', { mcpServers: { a: { command: 'x' } } });
    expect(found()).toEqual([]);
    write('home/.other/config.json', { trustedFolders: [join(top, 'elsewhere')] });
    expect(found()).toEqual([]);
    write('home/.other/config.json', { trustedFolders: [join(top, 'project')] });
    expect(found()).toEqual(['a']);
    write('home/.other/config.json', { trustedFolders: join(top, 'project') });
    expect(found()).toEqual([]);
  });
});
