import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ClientId } from '../../src/clients/client.ts';
import { clientById } from '../../src/clients/index.ts';
import { installedVersion } from '../../src/clients/installed-version.ts';
import { isProved } from '../../src/clients/versions.ts';
import { planInstall } from '../../src/plan/install.ts';
import { inputFor } from './golden.ts';

const base = mkdtempSync(join(realpathSync(tmpdir()), 'mcphooks-version-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A program as an installer lays it down; the result is a PATH that leads to it. */
function installed(binary: string, target: string, manifest?: object): string {
  const at = join(base, target);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, '#!/bin/sh\nexit 1\n');
  chmodSync(at, 0o755);
  if (manifest) writeFileSync(join(dirname(dirname(at)), 'package.json'), JSON.stringify(manifest));
  const bin = join(base, `bin-${target.replaceAll('/', '-')}`);
  mkdirSync(bin);
  symlinkSync(at, join(bin, binary));
  return `/nowhere:${bin}`;
}

describe("a client's version", () => {
  it.each<[ClientId, string, string, string]>([
    ['codex', 'codex', '@openai/codex', 'bin/codex.js'],
    ['droid', 'droid', 'droid', 'bin/droid'],
    ['droid', 'droid', '@factory/cli', 'bin/droid'],
  ])('is read from the package that the program lies in: %s, %s of %s', (id, binary, name, file) => {
    const PATH = installed(binary, `lib/node_modules/${name}/${file}`, { name, version: '0.170.1' });
    expect(installedVersion(clientById(id), { PATH })).toBe('0.170.1');
  });
  it("is read from the path that the client's own installer makes", () => {
    const PATH = installed('claude', 'share/claude/versions/2.1.99');
    expect(installedVersion(clientById('claude-code'), { PATH })).toBe('2.1.99');
  });
  it('is unknown where nothing says it, and nothing is started for it', () => {
    const PATH = installed('gemini', 'other/bin/gemini', { name: 'something-else', version: '1.0.0' });
    expect(installedVersion(clientById('gemini-cli'), { PATH })).toBeUndefined();
    expect(installedVersion(clientById('gemini-cli'), { PATH: '/nowhere' })).toBeUndefined();
  });
  it('is compared by numbers', () => {
    const proved = { oldest: '2.1.118', newest: '2.1.329' };
    expect(['2.1.118', '2.1.200', '2.1.329'].every((v) => isProved(v, proved))).toBe(true);
    expect(['2.1.99', '2.1.330', '2.2.0', '3', '1.9.9'].some((v) => isProved(v, proved))).toBe(false);
    expect(isProved('2.1.329-beta.1', proved)).toBe(true);
  });
  it('is remarked on in the plan where it was not tried', () => {
    const scenario = {
      declarations: [{ event: 'pre_request', context: 'x', priority: 'suggestion' }] as const,
    };
    const input = inputFor({ declarations: [...scenario.declarations] }, 'codex');
    const notes = (version: string) =>
      planInstall({ ...input, versions: () => ({ codex: version }) }).clients[0]?.notes.map((n) => n.code);
    expect(notes('0.1.0')).toEqual(['version.unproved']);
    expect(notes('0.169.0')).toEqual([]);
  });
  it('is remarked on with what it carries less, where that is known', () => {
    const input = inputFor(
      { declarations: [{ event: 'pre_request', context: 'x', priority: 'suggestion' }] },
      'droid',
    );
    const notes = (version: string) =>
      planInstall({ ...input, versions: () => ({ droid: version }) }).clients[0]?.notes.map((n) => n.code);
    expect(notes('0.117.0')).toEqual(['version.unproved', 'droid.older']);
    expect(notes(clientById('droid').proved.newest)).toEqual([]);
    expect(notes('99.0.0')).toEqual(['version.unproved']);
  });
  it('is remarked on where hooks do nothing in a new one', () => {
    const input = inputFor(
      { declarations: [{ event: 'pre_request', context: 'x', priority: 'suggestion' }] },
      'opencode',
    );
    const notes = (version: string) =>
      planInstall({ ...input, versions: () => ({ opencode: version }) }).clients[0]?.notes.map((n) => n.code);
    expect(notes('1.99.0')).toEqual(['version.unproved']);
    expect(notes('2.0.0')).toEqual(['version.unproved', 'opencode.newer']);
  });
});
