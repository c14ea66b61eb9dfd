import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ownPaths } from '../../src/base/paths.ts';
import { interpreterOf, programOnPath } from '../../src/base/program.ts';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import { signatureOf } from '../../src/edit/decide.ts';
import { findNodes, node } from '../../src/inspect/doctor/node.ts';
import type { DoctorContext } from '../../src/inspect/doctor/types.ts';
import { settingsPath } from '../../src/inspect/settings.ts';
import type { Surveyed } from '../../src/inspect/survey.ts';
import { planInstall } from '../../src/plan/install.ts';
import { userScope } from '../../src/plan/scopes/user-scope.ts';
import { nodeIn } from '../../src/shims/entry-owner.ts';
import { codeFor, patient } from '../../src/store/fs.ts';
import { filesOf } from '../files.ts';
import { WINDOWS } from '../platform.ts';
import { HOME, inputFor } from './golden.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'mcphooks-windows-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const system = { platform: 'win32', node: 'C:\\Program Files\\nodejs\\node.exe' };
const declarations = [
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash' },
    context: 'Noted.',
    priority: 'suggestion',
  } as const,
];
const planOn = (
  client: Parameters<typeof inputFor>[1],
  found?: string,
  items = [...declarations],
  by = system.node,
) => {
  const input = inputFor({ declarations: items }, client);
  const scope = userScope({ HOME }, ownPaths({ HOME }, 'linux'), { ...system, node: by });
  const plan = planInstall({ ...input, scope, versions: () => (found ? { [client]: found } : {}) });
  return plan.clients[0] as (typeof plan.clients)[number];
};

describe('a plan for Windows', () => {
  it.each(CLIENTS.map(({ id }) => id))('starts node and a .cjs script in the entries of %s', (client) => {
    const { entries, fault } = planOn(client);
    expect(fault).toBeUndefined();
    for (const { group } of entries) {
      const line = JSON.stringify(group.hooks);
      expect(line).toContain('node.exe');
      expect(line).toContain('.cjs');
      expect(line).not.toContain('/bin/sh');
      for (const handler of group.hooks) expect(nodeIn(signatureOf(handler) ?? '')).toBe(system.node);
    }
  });

  it('takes the PowerShell tool of Claude Code for Bash, and no other', () => {
    expect(planOn('claude-code').entries.map(({ group }) => group.matcher)).toEqual([
      'Bash|PowerShell',
      'Bash|PowerShell',
    ]);
    const elsewhere = planInstall(inputFor({ declarations: [...declarations] }, 'claude-code'));
    expect(elsewhere.clients[0]?.entries.map(({ group }) => group.matcher)).toEqual(['Bash', 'Bash']);
    expect(planOn('codex').entries.map(({ group }) => group.matcher)).toEqual(['Bash']);
  });

  it.each([
    ['a command', { when: { command: ['git', 'commit'] } }, 'Bash|PowerShell'],
    ['a search', { when: { tools: ['any:search'], otherwise: 'drop' } }, 'Grep|Glob|Bash|PowerShell'],
    ['an edit', { when: { tools: ['any:edit'], otherwise: 'drop' } }, 'Edit|MultiEdit|Write|NotebookEdit'],
  ])('starts node for %s at these tools of Claude Code only', (_, when, matcher) => {
    const item = { event: 'post_tool_use', context: 'Noted.', priority: 'suggestion', ...when };
    const { entries, shims } = planOn('claude-code', undefined, [item as never]);
    expect(entries.map(({ group }) => group.matcher)).toEqual([matcher, matcher]);
    const shell = matcher.includes('Bash') ? { Bash: 'command', PowerShell: 'command' } : undefined;
    for (const { data } of shims) expect(data.payload.shell).toEqual(shell);
  });

  it('refuses a Claude Code that ignores the arguments of a hook', () => {
    expect(planOn('claude-code', '2.1.138').fault).toMatchObject({
      code: 'plan.client-old',
      args: { found: '2.1.138', since: '2.1.139' },
    });
    expect(planOn('claude-code', '2.1.139').fault).toBeUndefined();
    expect(planOn('codex', '0.1.0').fault).toBeUndefined();
  });
});

describe('programs on Windows', () => {
  it('are found with the endings of PATHEXT, in their order', () => {
    const [one, two] = [join(base, 'one'), join(base, 'two')];
    for (const folder of [one, two]) mkdirSync(folder);
    for (const file of [join(one, 'npx'), join(one, 'npx.cmd'), join(two, 'npx.exe'), join(two, 'py.exe')])
      writeFileSync(file, '');
    const env = { PATH: [one, two, 'relative'].join(delimiter), PATHEXT: '.EXE;.exe;.CMD;.cmd' };
    // Windows finds a name in any case, and returns the ending as PATHEXT spells it.
    const find = (name: string) => programOnPath(name, env, true)?.replace(/\w+$/, (e) => e.toLowerCase());
    expect([find('npx'), find('npx.exe'), find('py'), find('nothing')]).toEqual([
      join(one, 'npx.cmd'),
      join(two, 'npx.exe'),
      join(two, 'py.exe'),
      undefined,
    ]);
    // Elsewhere it would have to be executable.
    if (!WINDOWS) expect(programOnPath('npx', env)).toBeUndefined();
  });

  it.each([
    ['#!/usr/bin/env node\n1', ['node']],
    ['#! /usr/bin/env -S node --no-warnings\r\n1', ['node', '--no-warnings']],
    ['#!/bin/sh -e\n', ['sh', '-e']],
    ['1\n#!/bin/sh\n', undefined],
  ])('run a script by its first line: %j', (text, words) => {
    const script = join(base, 'script');
    writeFileSync(script, text);
    expect(interpreterOf(script)).toEqual(words);
  });
});

describe('a file that another program has open', () => {
  const refusal = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });

  it('is tried again, and at last told apart from a missing permission', () => {
    let left = 2;
    const act = patient(() => {
      if (left-- > 0) throw refusal('EPERM', 'rename');
    }, [1, 1, 1]);
    act();
    expect(left).toBe(-1);
    const never = patient(() => {
      throw refusal('EBUSY', 'rename');
    }, [1]);
    expect(never).toThrow('EBUSY');
    let tries = 0;
    const full = patient(() => {
      tries++;
      throw refusal('ENOSPC', 'rename');
    }, [1]);
    expect(full).toThrow('ENOSPC');
    expect(tries).toBe(1);
    expect(codeFor('EPERM', refusal('EPERM', 'rename'), true)).toBe('apply.in-use');
    expect(codeFor('EPERM', refusal('EPERM', 'open'), true)).toBe('apply.denied');
    expect(codeFor('EPERM', refusal('EPERM', 'rename'), false)).toBe('apply.denied');
  });
});

describe('doctor, where the node that entries on Windows start is gone', () => {
  const gone = 'C:\\gone\\node.exe';
  const found = async (client: Parameters<typeof planOn>[0]) => {
    const { entries } = planOn(client, undefined, undefined, gone);
    const record = { server: 'memo', clients: { [client]: { entries, own: {} } } };
    const servers = [{ scope: { name: 'user' }, record }] as unknown as readonly Surveyed[];
    const nodes = await findNodes(servers, { env: { PATH: dirname(process.execPath) }, read: () => null });
    return node({ nodes } as DoctorContext);
  };
  const [alone, others] = [true, false].map((needed) =>
    CLIENTS.filter(({ program }) => needed === !program.runsScripts).map(({ id }) => id),
  );

  it.each(alone ?? [])('finds that none of %s fires, whatever is on PATH', async (client) => {
    const args = { name: 'memo', node: gone };
    expect(await found(client)).toEqual([{ code: 'doctor.node-gone', args, where: {}, server: 'memo' }]);
  });

  it.each(others ?? [])('finds nothing that stops those of %s, which runs scripts itself', async (client) => {
    for (const { remark } of await found(client)) expect(remark).toBe(true);
  });
});

describe("administrators' settings on Windows", () => {
  it.each([
    ['claude-code', 'C:\\Program Files\\ClaudeCode\\managed-settings.json'],
    ['codex', 'D:\\Data\\OpenAI\\Codex\\requirements.toml'],
    ['gemini-cli', 'D:\\Data\\gemini-cli\\settings.json'],
  ] as const)('of %s are in %s', (id, path) => {
    const client = clientById(id);
    const files = client.gates.switches.flatMap((one) => one.files);
    const view = { ...filesOf({}), env: { ProgramData: 'D:\\Data', HOME }, cwd: HOME };
    expect(files.map((file) => settingsPath(file, client, view, true))).toContain(path);
    expect(files.map((file) => settingsPath(file, client, view, false)).join()).not.toContain('D:');
  });
});
