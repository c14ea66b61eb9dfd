import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ownPaths } from '../../src/base/paths.ts';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import { signatureOf } from '../../src/edit/decide.ts';
import { shimInvocation, unquotable } from '../../src/shims/command.ts';
import { holdsEntries, holdsJoint, nodeIn, ownShim, shimOf } from '../../src/shims/entry-owner.ts';
import { windowsScript } from '../../src/shims/windows.ts';
import { LONG } from '../effort.ts';
import { homeEnv } from '../platform.ts';
import { compiledFiles, planFor } from './golden.ts';

const base = mkdtempSync(join(realpathSync(tmpdir()), 'mcphooks-command-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const claude = clientById('claude-code');
const gemini = clientById('gemini-cli');
const posix = { platform: 'linux', node: '/usr/bin/node' };
const windows = { platform: 'win32', node: 'C:\\Program Files\\nodejs\\node.exe' };
const commandOf = (...given: Parameters<typeof shimInvocation>): string => shimInvocation(...given).command;
const tail = (folder: string, s: string): string =>
  [folder, 'mcphooks', 'hooks', 'memo', '0123456789abcdef', 'claude-code', 'PostToolUse-2'].join(s);

describe('the command of an entry', () => {
  it('runs the shim whatever its path, and ends with 0 without one', () => {
    for (const name of [
      'plain',
      'with space',
      "it's",
      'dollar $HOME `id`',
      'ünï',
      '*?[a]',
      'a"b',
      'new\nline',
    ]) {
      const folder = join(base, name);
      mkdirSync(folder);
      const shim = join(folder, 'shim');
      const run = () => spawnSync('/bin/sh', ['-c', commandOf(shim, claude, posix)], { encoding: 'utf8' });
      expect(run()).toMatchObject({ status: 0, stdout: '', stderr: '' });
      writeFileSync(shim, '#!/bin/sh\nprintf ran\n', { mode: 0o755 });
      expect(run(), name).toMatchObject({ status: 0, stdout: 'ran', stderr: '' });
    }
  });

  it.each(CLIENTS)('of $id names no variable of the environment, which some clients replace', (client) => {
    for (const [system, shim] of [
      [posix, tail('/home/me', '/')],
      [windows, tail('C:\\Users\\me', '\\')],
    ] as const)
      expect(signatureOf(shimInvocation(shim, client, system))).not.toMatch(/\$(\w|\{)|%\w+%/);
  });

  it('starts node directly on Windows, in the form that each client can start there', () => {
    const shim = tail("C:\\Users\\Zoë O'Neil & Sön 100% (x)\\AppData\\Local", '\\');
    const quietly = 'try{require(process.argv[1])}catch{}';
    expect(shimInvocation(shim, claude, windows)).toEqual({
      command: windows.node,
      args: ['-e', quietly, `${shim}.cjs`],
    });
    const quoted = shim.replace("O'Neil", "O''Neil");
    const line = `try { & 'C:\\Program Files\\nodejs\\node.exe' '-e' '${quietly}' '${quoted}.cjs' } catch {}; exit 0`;
    for (const client of [gemini, clientById('codex'), clientById('copilot')]) {
      expect(shimInvocation(shim, client, windows)).toEqual({ command: line });
      expect(line).not.toMatch(/[$"]|\|\|/);
      expect(unquotable(shim, client, windows)).toBeUndefined();
    }
    for (const client of [clientById('cursor'), clientById('droid'), clientById('qwen-code')])
      expect(commandOf(tail('C:\\x', '\\'), client, windows)).toBe(
        `"${windows.node}" "-e" "${quietly}" "${tail('C:\\x', '\\')}.cjs"`,
      );
  });

  it('is recognised in the forms of 0.1.0 on Windows', () => {
    const path = `${tail("C:\\Users\\O''Neil", '\\')}.cjs`;
    for (const command of [`"C:\\node.exe" "${path}"`, `& 'C:\\node.exe' '${path}'; exit 0`])
      expect([shimOf(command)?.key, nodeIn(command)]).toEqual(['PostToolUse-2', 'C:\\node.exe']);
    for (const other of [
      `"C:\\node.exe" "-e" "x" "${path}"`,
      `try { & 'a' '-e' 'x' '${path}' } catch {}; exit 0`,
    ])
      expect(shimOf(other)).toBeUndefined();
  });

  it('is seen in a file whatever slashes and escapes stand in it', () => {
    for (const text of [
      '"/h/mcphooks/hooks/memo/x"',
      JSON.stringify('C:\\x\\mcphooks\\hooks\\memo\\x'),
      "'C:\\x\\mcphooks\\hooks\\memo\\x'",
    ]) {
      expect([holdsEntries(Buffer.from(text), 'memo'), holdsEntries(Buffer.from(text))]).toEqual([
        true,
        true,
      ]);
      expect(holdsEntries(Buffer.from(text), 'mem')).toBe(false);
      expect(holdsJoint(Buffer.from(text.replace('hooks', 'joint')))).toBe(false);
      expect(holdsJoint(Buffer.from(text.replace(/hooks(?=[\\/])(?!.*hooks)/, 'joint')))).toBe(true);
    }
  });

  it.each([
    ['braces', posix, tail("/home/o'neil", '/')],
    ['braces', posix, tail('/home/new\nline', '/')],
    ['exec', windows, tail("C:\\Users\\O'Neil 100% (x)", '\\')],
  ] as const)('in the form %s is recognised, and does nothing without a shim', (form, system, path) => {
    const hooks = {
      ...claude.hooks,
      posix: 'braces' as const,
      windows: { form: 'exec' as const, project: 'never' as const },
    };
    const { command, args } = shimInvocation(path, { ...claude, hooks }, system);
    expect(shimOf(signatureOf({ command, args }) ?? '')).toMatchObject({
      slug: 'memo',
      key: 'PostToolUse-2',
    });
    const ran = form === 'exec' ? spawnSync(process.execPath, args) : spawnSync('sh', ['-c', command]);
    expect([ran.status, String(ran.stdout), String(ran.stderr)]).toEqual([0, '', '']);
    if (form === 'exec') return;
    // What is appended to the line reaches the shim.
    const shim = join(base, 'shim');
    writeFileSync(shim, '#!/bin/sh\ncat\n', { mode: 0o755 });
    const line = `${command.replace(/'.*'/s, `'${shim}'`)} <<'EOF'\n{"a":1}\nEOF`;
    expect(String(spawnSync('sh', ['-c', line]).stdout)).toBe('{"a":1}\n');
  });

  it('is recognised as ours, of its server and client alone', () => {
    for (const [folder, separator, client, system] of [
      ["/home/o'neil x", '/', claude, posix],
      ['C:\\Users\\Zoë X', '\\', claude, windows],
      ["C:\\Users\\O'Neil $x", '\\', clientById('codex'), windows],
      ['C:\\Users\\Zoë X', '\\', clientById('droid'), windows],
      ['C:\\Users\\O\u2019Neil', '\\', gemini, windows],
    ] as const) {
      const command = signatureOf(shimInvocation(tail(folder, separator), client, system)) ?? '';
      expect(shimOf(command)).toEqual({
        slug: 'memo',
        client: 'claude-code',
        key: 'PostToolUse-2',
        shared: false,
      });
      const scope = { shared: false };
      expect(ownShim(command, { slug: 'memo', client: 'claude-code', scope })).toBe('PostToolUse-2');
      expect(ownShim(command, { slug: 'memo2', client: 'claude-code', scope })).toBeUndefined();
      expect(ownShim(command, { slug: 'memo', client: 'codex', scope })).toBeUndefined();
      for (const other of [
        `${command} `,
        `cd x; ${command}`,
        command.slice(1),
        command.replace('mcphooks', 'other'),
      ])
        expect(shimOf(other), other).toBeUndefined();
    }
  });

  it('is recognised by any name that a client and its events may have', () => {
    const owner = (path: string) => shimOf(commandOf(join(base, 'mcphooks', path), claude, posix));
    expect(owner('hooks/memo/0123456789abcdef/coder-2/after_tool-2')).toMatchObject({
      client: 'coder-2',
      key: 'after_tool-2',
    });
    const joint = owner('joint/coder-2/after_tool');
    expect(joint).toMatchObject({ client: 'coder-2', key: 'after_tool', joint: true });
  });

  it('is refused where a path could not be quoted', () => {
    expect(unquotable('C:\\100% mine', clientById('droid'), windows)).toBe('%');
    expect(unquotable('C:\\100% mine', claude, windows)).toBeUndefined();
    expect(unquotable('C:\\100% mine', gemini, windows)).toBeUndefined();
    expect(unquotable("/home/o'neil", claude, posix)).toBeUndefined();
  });
});

describe('Windows', () => {
  it('keeps own files below %LOCALAPPDATA%', () => {
    const env = { LOCALAPPDATA: '/local', HOME: '/home/x' };
    expect(ownPaths(env, 'win32').data).toBe(join('/local', 'mcphooks'));
    expect(new Set(Object.values(ownPaths(env, 'win32'))).size).toBe(3);
    expect(ownPaths({ ...env, XDG_DATA_HOME: '/data' }, 'linux').data).toBe(join('/data', 'mcphooks'));
  });

  it.runIf(LONG)(
    'gives the document through the script that node starts, and nothing where it is silenced',
    () => {
      const declarations = [
        { event: 'pre_request', context: 'Hello {session_id}.', priority: 'suggestion' },
      ] as const;
      const files = compiledFiles(planFor({ declarations: [...declarations] }, 'claude-code'));
      const [path, data] = [...files].find(([name]) => name.endsWith('UserPromptSubmit.json')) as [
        string,
        string,
      ];
      const folder = join(base, 'windows', ...path.split('/').slice(-4, -1));
      mkdirSync(folder, { recursive: true });
      const shim = join(folder, 'UserPromptSubmit');
      writeFileSync(`${shim}.json`, data.replaceAll('/home/user', JSON.stringify(base).slice(1, -1)));
      const runtime = fileURLToPath(new URL('../../dist/runtime/fire.cjs', import.meta.url));
      writeFileSync(`${shim}.cjs`, windowsScript(runtime));
      const run = (env = {}) =>
        spawnSync(process.execPath, [`${shim}.cjs`], {
          input: JSON.stringify({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'x' }),
          env: { PATH: process.env.PATH, ...homeEnv(base), ...env },
          encoding: 'utf8',
        });
      expect(JSON.parse(run().stdout).hookSpecificOutput.additionalContext).toContain('Hello s1.');
      expect(run({ MCPHOOKS_DISABLE: 'notebook' })).toMatchObject({ status: 0, stdout: '', stderr: '' });
      writeFileSync(join(folder, '..', '..', 'disabled'), '');
      expect(run()).toMatchObject({ status: 0, stdout: '', stderr: '' });
    },
  );
});
