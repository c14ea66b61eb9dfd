import { expect, test } from 'vitest';
import { packageRun, runnerEnv } from '../../src/servers/packages/package-runner.ts';
import type { PackageRun } from '../../src/servers/types.ts';

const words = (line: string): [string, string[]] => {
  const [command = '', ...args] = line.split(' ').map((word) => word.replaceAll('␣', ' '));
  return [command, args];
};
const run = (line: string, env?: Record<string, string>): PackageRun | undefined =>
  packageRun(...words(line), env);

test.each([
  ['npx -y some-mcp', 'npx', 'some-mcp', undefined, false],
  ['npx -y some-mcp --port 3 -v', 'npx', 'some-mcp', undefined, false],
  ['npx --yes @scope/some.mcp@1.2.3 -- x', 'npx', '@scope/some.mcp', '1.2.3', true],
  ['npx some-mcp@latest', 'npx', 'some-mcp', 'latest', false],
  ['npx some-mcp@^1.2.3', 'npx', 'some-mcp', '^1.2.3', false],
  ['npx some-mcp@1', 'npx', 'some-mcp', '1', false],
  ['npx some-mcp@v1.2.3+a', 'npx', 'some-mcp', 'v1.2.3+a', true],
  ['npx -y --package=some-mcp@2.0.0-rc.1 other', 'npx', 'some-mcp', '2.0.0-rc.1', true],
  ['npx -p some-mcp -c some-mcp', 'npx', 'some-mcp', undefined, false],
  ['npx --cache /tmp/x --prefer-offline some-mcp', 'npx', 'some-mcp', undefined, false],
  ['/usr/bin/npx -y some-mcp', 'npx', 'some-mcp', undefined, false],
  ['C:\\Program␣Files\\nodejs\\npx.cmd -y some-mcp', 'npx', 'some-mcp', undefined, false],
  ['NPX.CMD some-mcp', 'npx', 'some-mcp', undefined, false],
  ['npm exec some-mcp', 'npm exec', 'some-mcp', undefined, false],
  ['npm --silent x --yes -- some-mcp@1.0.0 --flag', 'npm exec', 'some-mcp', '1.0.0', true],
  ['npm exec --package=some-mcp -- other', 'npm exec', 'some-mcp', undefined, false],
  ['bunx --bun some-mcp', 'bunx', 'some-mcp', undefined, false],
  ['bun x some-mcp@1.0.0', 'bunx', 'some-mcp', '1.0.0', true],
  ['pnpm dlx some-mcp', 'pnpm dlx', 'some-mcp', undefined, false],
  ['pnpm --package=some-mcp dlx other', 'pnpm dlx', 'some-mcp', undefined, false],
  ['pnpx some-mcp', 'pnpm dlx', 'some-mcp', undefined, false],
  ['yarn dlx -q -p some-mcp other', 'yarn dlx', 'some-mcp', undefined, false],
  ['uvx some-mcp', 'uvx', 'some-mcp', undefined, false],
  ['uvx some-mcp@1.2.3 --x', 'uvx', 'some-mcp', '1.2.3', true],
  ['uvx some-mcp@latest', 'uvx', 'some-mcp', 'latest', false],
  ['uvx --python 3.12 --with other --from some-mcp[cli]==1.2.3 run', 'uvx', 'some-mcp', '1.2.3', true],
  ['uvx some-mcp@1.2.post1', 'uvx', 'some-mcp', '1.2.post1', true],
  ['uvx --from some-mcp===␣1.2 run', 'uvx', 'some-mcp', '1.2', true],
  ['uvx --from some-mcp==1!2.0 run', 'uvx', 'some-mcp', '1!2.0', true],
  ['uvx --from some-mcp>=1.2 run', 'uvx', 'some-mcp', '>=1.2', false],
  ['uvx --from some-mcp==1.* run', 'uvx', 'some-mcp', '1.*', false],
  ['uv --quiet tool run some-mcp', 'uv tool run', 'some-mcp', undefined, false],
  ['pipx run some-mcp', 'pipx run', 'some-mcp', undefined, false],
  ['pipx run --spec some-mcp==0.1 other', 'pipx run', 'some-mcp', '0.1', true],
  ['docker run -i --rm mcp/memory', 'docker run', 'mcp/memory', undefined, false],
  [
    'docker run -i --rm -e KEY --env X=1 -v /a:/b --network host --name n mcp/memory:1.2 arg',
    'docker run',
    'mcp/memory',
    '1.2',
    true,
  ],
  ['docker run -it -p8080:80 -eKEY ghcr.io/x/y:latest', 'docker run', 'ghcr.io/x/y', 'latest', false],
  ['docker run -ie KEY --rm localhost:5000/x/y', 'docker run', 'localhost:5000/x/y', undefined, false],
  [
    `podman container run --rm=true -i mcp/memory@sha256:${'a'.repeat(64)}`,
    'podman run',
    'mcp/memory',
    `sha256:${'a'.repeat(64)}`,
    true,
  ],
  ['cmd /c npx -y some-mcp', 'npx', 'some-mcp', undefined, false],
  ['C:\\Windows\\system32\\cmd.exe /d /s /C npx.cmd -y some-mcp', 'npx', 'some-mcp', undefined, false],
  ['cmd /c npx␣-y␣some-mcp', 'npx', 'some-mcp', undefined, false],
  ['env -i -u X A=b PATH=/bin npx some-mcp', 'npx', 'some-mcp', undefined, false],
  ['env --chdir /x npx some-mcp', 'npx', 'some-mcp', undefined, false],
  ['/usr/bin/env -- uvx some-mcp', 'uvx', 'some-mcp', undefined, false],
])('%s', (line, runner, name, version, pinned) => {
  expect(run(line)).toMatchObject({ runner, name, pinned, ...(version !== undefined && { version }) });
  expect(run(line)?.version).toBe(version);
});

test.each([
  'npx git+https://example.org/x.git',
  'npx github:me/x',
  'npx me/x',
  'npx ./local',
  'npx https://example.org/x.tgz',
  'npx x.tgz',
  'npx other@npm:some-mcp',
  'npx --registry https://example.org some-mcp',
  'npx --@scope:registry=https://example.org @scope/some-mcp',
  'npx --userconfig x some-mcp',
  'uvx --from git+https://example.org/x run',
  'uvx --index-url https://example.org some-mcp',
  'uvx --from ./dir run',
  'pipx run --pip-args=-i␣https://example.org some-mcp',
  'env npm_config_registry=https://example.org npx some-mcp',
  'docker run -i UPPER//x',
  'npx',
  'npx --call whatever',
  'npx --some-new-option some-mcp other',
  'docker run --some-new-option mcp/memory other',
  'docker -H tcp://example.org run -i mcp/memory',
])('%s: a package runner, and a package that no registry names', (line) => {
  expect(run(line)).toBeDefined();
  expect(run(line)?.name).toBeUndefined();
});

test('variables of the definition can lead to another registry', () => {
  expect(run('npx x', { NPM_CONFIG_REGISTRY: 'https://example.org' })?.name).toBeUndefined();
  expect(run('uvx x', { UV_DEFAULT_INDEX: 'https://example.org' })?.name).toBeUndefined();
  expect(run('npx x', { npm_config_userconfig: 'x' })?.name).toBeUndefined();
  expect(run('uvx x', { UV_FIND_LINKS: './x' })?.name).toBeUndefined();
  expect(run('pipx run x', { PIP_CONFIG_FILE: 'x' })?.name).toBeUndefined();
  expect(run('podman run x', { CONTAINER_CONNECTION: 'x' })?.name).toBeUndefined();
  expect(run('npx x', { API_KEY: 'x' })?.name).toBe('x');
});

test.each([
  'node server.mjs',
  'npm start',
  'npm run exec',
  'npm install exec',
  'bun run x.ts',
  'pnpm exec x',
  'yarn x',
  'uv run server.py',
  'uv tool install x',
  'pipx install x',
  'docker compose run x',
  'docker exec -i x y',
  'sh -c npx␣x',
  'cmd /c',
  'cmd npx x',
  'cmd x /c npx y',
  'npm --yes',
  'uv tool',
  'env',
  'my-npx x',
  '',
])('%s: no package runner', (line) => expect(run(line)).toBeUndefined());

test('npm asks its registry only for what is missing, unless the user decided that', () => {
  const run = (words: string): PackageRun => {
    const [command = '', ...args] = words.split(' ');
    return packageRun(command, args) as PackageRun;
  };
  expect(runnerEnv(run('npx a'), { A: '1' })).toEqual({ A: '1', npm_config_prefer_offline: 'true' });
  for (const env of [{ NPM_CONFIG_PREFER_ONLINE: 'true' }, { npm_config_prefer_offline: 'false' }])
    expect(runnerEnv(run('npx a'), env)).toEqual(env);
  expect(runnerEnv(run('uvx a'), { A: '1' })).toEqual({ A: '1' });
});
