import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import { findServers } from '../../src/servers/definitions/resolve.ts';
import { launch } from '../../src/servers/launch/launch.ts';
import { homeEnv } from '../platform.ts';

type Server = 'off' | { command?: string[]; environment?: object; url?: string; headers?: object };

/** Configurations, and what the real client makes of each (test/clients/of/opencode.own.mjs). */
interface Configuration {
  name: string;
  files: Record<string, string>;
  env?: Record<string, string>;
  cwd?: string;
  servers?: Record<string, Server>;
  refused?: 'syntax' | 'shape';
}
const ALL: Configuration[] = JSON.parse(
  readFileSync(new URL('../fixtures/opencode/configurations.json', import.meta.url), 'utf8'),
);

const root = mkdtempSync(join(tmpdir(), 'mcphooks-opencode-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const { dialect } = clientById('opencode').mcp;

function found({ name, files, env = {}, cwd = 'project' }: Configuration) {
  const dir = join(root, name);
  const home = join(dir, 'home');
  for (const [path, text] of Object.entries({ ...files, 'project/.git/HEAD': '' })) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const own = Object.entries(env).map(([key, value]) => [key, value.replace('<home>', home)]);
  const all = { ...homeEnv(home), ...Object.fromEntries(own) };
  const place = join(dir, cwd);
  const { on, off, broken } = findServers({ env: all, cwd: place }).of('opencode');
  const servers = on.map(({ alias, definition, source }): [string, Server] => {
    const to = launch({ definition, source, dialect }, all, place);
    if ('url' in to)
      return [alias, { url: to.url, ...(Object.keys(to.headers).length > 0 && { headers: to.headers }) }];
    const named = definition.transport === 'stdio' ? Object.keys(definition.env) : [];
    const environment = Object.fromEntries(named.map((key) => [key, to.env[key]]));
    const command = [to.command, ...to.args];
    return [alias, { command, ...(named.length > 0 && { environment }) }];
  });
  return {
    broken,
    servers: Object.fromEntries([...servers, ...off.map(({ alias }) => [alias, 'off'])]) as object,
  };
}

describe('the servers of OpenCode are found as it finds them', () => {
  it.each(ALL.filter(({ servers }) => servers).map((one) => [one.name, one] as const))('%s', (_, one) => {
    expect(found(one)).toEqual({ broken: [], servers: one.servers });
  });

  it.each(ALL.filter(({ refused }) => refused).map((one) => [one.name, one] as const))(
    'without a fault of ours where it refuses: %s',
    (_, one) => {
      const { broken } = found(one);
      if (one.refused === 'syntax') expect(broken).toHaveLength(1);
    },
  );

  it('are as many as they are said to be', () => {
    expect(ALL.filter(({ servers }) => servers).length).toBeGreaterThanOrEqual(30);
    expect(ALL.filter(({ refused }) => refused).length).toBeGreaterThanOrEqual(10);
  });

  it("takes no entry of a project's that includes a file, which no approval would cover", () => {
    const text = '{"mcp":{"a":{"type":"local","command":["x"],"environment":{"KEY":"{file:~/key}"}}}}';
    const of = (path: string, name: string) => found({ name, files: { [path]: text } }).servers;
    expect(of('project/opencode.json', 'of a project')).toEqual({});
    const bySteps = text.replace('{file:', '{{env:NOT_SET}file:');
    expect(found({ name: 'by steps', files: { 'project/opencode.json': bySteps } }).servers).toEqual({});
    const nested = text.replace('{file:', '{fi{env:{}le:');
    expect(found({ name: 'nested', files: { 'project/opencode.json': nested } }).servers).toEqual({});
    const named = text.replace('{file:', '{{env:WHAT}:');
    const asked = { name: 'by name', files: { 'project/opencode.json': named, 'home/key': 'k' } };
    expect(found({ ...asked, env: { WHAT: 'file' } }).servers).toMatchObject({
      a: { environment: { KEY: '{file:~/key}' } },
    });
    expect(of('home/.config/opencode/opencode.json', 'of one’s own')).toHaveProperty('a');
  });
});
