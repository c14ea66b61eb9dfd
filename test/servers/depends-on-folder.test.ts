import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { namesThisFolder } from '../../src/app/approval/start-gate.ts';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import type { McpDialect } from '../../src/clients/mcp-config.ts';
import { dependsOnFolder } from '../../src/servers/launch/depends-on-folder.ts';
import { launch } from '../../src/servers/launch/launch.ts';
import { projectFolder } from '../../src/servers/launch/project-folder.ts';
import { startFolders } from '../../src/servers/launch/start-folders.ts';
import type { DefinitionSource } from '../../src/servers/types.ts';
import { homeEnv } from '../platform.ts';
import { type Stdio, stdio } from './definitions.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'mcphooks-depends-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
/** A session's folder with files of the names that definitions use. */
const session = join(root, 'clone');
mkdirSync(join(session, 'node_modules/.bin'), { recursive: true });
for (const name of ['.env', 'srv.sh', 'evil.cjs', 'server.mjs']) writeFileSync(join(session, name), '');
const env = homeEnv(root);
const { dialect } = clientById('claude-code').mcp;
const depends = (
  definition: Stdio,
  own: McpDialect = dialect,
  source: DefinitionSource = { scope: 'user' },
): boolean => dependsOnFolder({ definition, source, dialect: own }, { ...env, PATH: '/bin' }, session);
const withEnv = (variables: Record<string, string>): Stdio => stdio([], { command: 'srv', env: variables });

it('a definition may start in the folder of its project, elsewhere up to the top of the repository', () => {
  const repositories = join(root, 'repositories');
  const [one, other, below] = ['one', 'other', 'one/packages/web'].map((at) => join(repositories, at)) as [
    string,
    string,
    string,
  ];
  mkdirSync(below, { recursive: true });
  for (const folder of [one, other]) mkdirSync(join(folder, '.git'), { recursive: true });
  const up = [below, join(one, 'packages'), one];
  expect(startFolders(one, below, root)).toEqual([one]);
  expect(startFolders(other, below, root)).toEqual(up);
  expect(startFolders(undefined, below, root)).toEqual(up);
});

describe('a file with variables makes a definition depend on the folder', () => {
  const readers = CLIENTS.filter(({ mcp }) => mcp.dialect.keys.envFile !== undefined);
  it.each(readers.map(({ title, mcp }) => [title, mcp.dialect] as const))('%s', (_, own) => {
    const reading = (envFile: string): boolean => depends(stdio([], { command: 'srv', envFile }), own);
    expect(reading('.env')).toBe(true);
    expect(reading('no-such-file')).toBe(true);
    expect(reading('${workspaceFolder}/.env')).toBe(true);
    expect(reading('${userHome}/.env')).toBe(false);
    expect(reading(join(root, '.env'))).toBe(false);
  });
});

describe('a variable with a path in the folder makes a definition depend on it', () => {
  it.each<[Record<string, string>, boolean]>([
    [{ BASH_ENV: './srv.sh' }, true],
    [{ ENV: 'srv.sh' }, true],
    [{ NODE_OPTIONS: '--no-warnings --require=./evil.cjs' }, true],
    [{ NODE_OPTIONS: '--require ./evil.cjs' }, true],
    [{ NODE_OPTIONS: ' --require "./evil.cjs"' }, true],
    [{ NODE_OPTIONS: '-r./evil.cjs' }, true],
    [{ PYTHONPATH: ['/opt', '.'].join(delimiter) }, true],
    [{ BASH_ENV: './no-such-file.sh' }, false],
    [{ BASE_URL: 'https://a.example/x.y', MODE: 'fast' }, false],
  ])('%j', (variables, expected) => expect(depends(withEnv(variables))).toBe(expected));
});

describe('an argument with a path in the folder makes a definition depend on it', () => {
  it.each<[string[], boolean]>([
    [['server.mjs'], true],
    [['-c', 'exec node server.mjs'], true],
    [['-lc', 'cd /opt; . ./srv.sh && exec server'], true],
    [['-cx', '--', 'exec node server.mjs'], true],
    [['/c', 'node .\\x.mjs & node server.mjs'], true],
    [['-c', 'cd node_modules && exec node x.mjs'], true],
    [['-c', 'exec node "$PWD"/no-such-file.mjs'], true],
    [['-c', 'exec node "$(git rev-parse --show-toplevel)/no-such-file.mjs"'], true],
    [['-c', 'cd /opt || true; exec node server.mjs'], true],
    [['-c', 'cd /opt && git pull && cd - && exec node server.mjs'], true],
    [['-c', 'cd /opt && exec node server.mjs'], false],
    [['-c', 'cd "$HOME/my servers" && npm ci && exec node server.mjs'], false],
    [['-ce', 'exec node server.mjs'], true],
    [['-c', 'exec node "$(pwd)"/server.mjs'], true],
    [['-Command', 'node server.mjs'], true],
    [['-c', 'cd /opt/app && true; node server.mjs'], true],
    [['-c', 'cd /opt/app && true || node server.mjs'], true],
    [['-c', 'cd /opt/app && true & node server.mjs'], true],
    [['-c', 'cd /../$(pwd) && exec node server.mjs'], true],
    [['-c', 'cd . && exec node server.mjs'], true],
    [['-ceu', 'exec node server.mjs'], true],
    [['-c', 'uvx --from . server'], true],
    [['-c', 'docker run -v .:/srv image'], true],
    [['-c', 'exec node .'], true],
    [['-c', '"$PWD"/no-such-file'], true],
    [['-c', './server.mjs'], true],
    [['-c', 'test -d /opt && (cd node_modules; node x.mjs)'], true],
    [['-c', 'npx -y pkg@1.2.3 --dir /opt 2>/dev/null | tee /tmp/log'], false],
    [['-c', 'exec npx -y @scope/pkg stdio'], false],
    [['-cp', '.', 'Main'], true],
    [['-C', '.', 'run', 'mcp'], true],
    [['-c', '(cd /opt && make) && exec node server.mjs'], true],
    [['-c', 'cd /`pwd` && exec node server.mjs'], true],
    [['-c', 'cd /"$(pwd)" && exec node server.mjs'], true],
    [['-c', 'exec node -r./evil.cjs /opt/server.mjs'], true],
    [['-c', 'cd /opt && exec node "$OLDPWD/no-such-file"'], true],
    [['-c', 'cd /; exec npx -y pkg'], false],
    [['-c', 'cd /node_modules; exec npx -y pkg'], false],
    [['-c', 'cd "$HOME"/mcp && exec node server.mjs'], false],
    [['-c', '{ . /opt/env; } && exec server'], false],
    [['-c', 'if [ -f ~/.env ]; then . ~/.env; fi; exec npx -y pkg'], false],
    [['/c', 'cd /d node_modules && node x.mjs'], true],
    [['-c', 'cd -- node_modules && exec node x.mjs'], true],
    [['-c', 'cd /opt && exec node ~-/server.mjs'], true],
    [['-c', 'cd /opt/app && exec node server.mjs 2>&1'], false],
    [['-c', '. /opt/env; exec server'], false],
    [['-c', 'cd /opt && TOKEN="$(pass show token)" exec npx -y server@1.2.3'], false],
    [['-r./evil.cjs', '/opt/server.mjs'], true],
    [['-javaagent:./evil.cjs', '-jar', '/opt/server.jar'], true],
    [['-cp', ['/opt/lib.jar', './server.mjs'].join(delimiter), 'Main'], true],
    [['-cp', ['/opt/lib.jar', 'server.mjs'].join(delimiter), 'Main'], true],
    [['./evil'], true],
    [['-r', './evil', '/opt/server.mjs'], true],
    [['-e', "require('./evil')"], true],
    [['-y', 'file:node_modules'], true],
    [['run', '.#server'], true],
    [['--mount', 'type=bind,src=.,dst=/srv'], true],
    [['--about', 'Look at server.mjs'], false],
    [['--about', 'The folder is $PWD or . alone'], false],
    [['-y', 'file:/opt/server.tgz', './no-such-file'], false],
    [['--about', '... ./no-such-file'], false],
    [['https://a.example/server.mjs', 'user@host:/srv.sh', '-v', '/srv.sh:/srv.sh'], false],
  ])('%j', (args, expected) => expect(depends(stdio(args, { command: 'srv' }))).toBe(expected));
});

describe('relative folders in a PATH of the definition', () => {
  const pathIn = (path: string): string | undefined => {
    const started = launch(
      { definition: withEnv({ PATH: path }), source: { scope: 'user' }, dialect },
      { PATH: '/bin' },
      session,
    );
    return 'env' in started ? started.env.PATH : undefined;
  };

  it('are left out of what the server gets, so that the definition does not depend on the folder', () => {
    expect(pathIn(['node_modules/.bin', '', '.', '/usr/bin'].join(delimiter))).toBe('/usr/bin');
    expect(pathIn('node_modules/.bin')).toBe('/bin');
    expect(depends(withEnv({ PATH: ['node_modules/.bin', '/usr/bin'].join(delimiter) }))).toBe(false);
  });

  it("stay in a project's definition, which is approved with its folder", () => {
    const path = ['./node_modules/.bin', '/usr/bin'].join(delimiter);
    const source: DefinitionSource = { scope: 'project', file: join(session, '.mcp.json') };
    const started = launch(
      { definition: withEnv({ PATH: path }), source, dialect },
      { PATH: '/bin' },
      session,
    );
    expect('env' in started && started.env.PATH).toBe(path);
  });
});

describe('relative paths of a definition that starts in a folder of its own', () => {
  const opt = join(root, 'opt');
  const starting = (cwd: string, more: Partial<Stdio> = {}): Stdio =>
    stdio(['server.mjs'], { command: './srv.sh', env: { BASH_ENV: './srv.sh' }, cwd, ...more });

  it("don't depend on the session's folder, whatever files that has", () => {
    expect(depends(starting(opt))).toBe(false);
    expect(depends(starting('${HOME}/opt'))).toBe(false);
    expect(dependsOnFolder({ definition: starting(opt), source: { scope: 'user' }, dialect }, env, opt)).toBe(
      false,
    );
  });

  it('depend on it where that folder does, or a variable', () => {
    expect(depends(starting('.'))).toBe(true);
    expect(depends(starting('${PWD}'))).toBe(true);
    expect(depends(starting(opt, { args: ['${PWD}/server.mjs'] }))).toBe(true);
    expect(depends(starting(opt, { envFile: '.env' }))).toBe(true);
  });

  it("don't depend on it for a plugin's server that starts in the plugin's folder", () => {
    const inPlugin = { ...dialect, pluginCwd: true } as const;
    const { cwd: _, ...server } = starting(opt);
    expect(depends(server, inPlugin, { scope: 'plugin', root: opt })).toBe(false);
    expect(depends(server)).toBe(true);
  });
});

it('a definition that a client holds for one project is for the folder in its place', () => {
  const client = 'claude-code';
  const pointer = ['projects', '/code/project', 'mcpServers', 'memo'];
  const source = { client, scope: 'local', file: '/home/.claude.json', pointer } as const;
  expect(projectFolder(source)).toBe('/code/project');
  expect(projectFolder({ ...source, scope: 'user', pointer: ['mcpServers', 'memo'] })).toBeUndefined();
});

describe('who names a definition on the command line approves its start in the folder', () => {
  const names = (command: string, ...args: string[]): boolean =>
    namesThisFolder(stdio(args, { command }), { env: { ...env, PATH: '/bin' }, cwd: session });
  it('where it names a program, also one of the folder', () => {
    expect([names('srv', 'stdio'), names('./srv.sh'), names('node', 'server.mjs')]).toEqual([
      true,
      true,
      true,
    ]);
  });
  it('but no package runner, which takes what it finds there, unless it names the folder, too', () => {
    expect([names('npx', '-y', 'pkg'), names('uvx', 'pkg'), names('bunx', 'pkg', 'stdio')]).toEqual([
      false,
      false,
      false,
    ]);
    expect([names('npx', '-y', 'pkg', './server.mjs'), names('uvx', '--from', '.', 'pkg')]).toEqual([
      true,
      true,
    ]);
  });
});
