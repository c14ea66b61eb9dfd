import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ClientId } from '../../src/clients/client.ts';
import { clientById } from '../../src/clients/index.ts';
import { outcomeOf } from '../../src/fire/when/outcome.ts';
import { existsAny } from '../../src/fire/when/project-files.ts';
import { touchedFiles, touches } from '../../src/fire/when/touched-files.ts';
import { pathGlobs } from '../../src/plan/compile/path-globs.ts';
import { WINDOWS } from '../platform.ts';
import { sent } from './payloads.ts';
import { captured } from './world.ts';

describe('the outcome of a tool', () => {
  const of = (client: ClientId, payload: Record<string, unknown>): string => {
    const { native, tool } = sent(client, payload);
    const rule = clientById(client).conditions.outcome[native];
    return (rule && outcomeOf(rule, payload, tool)) ?? 'unknown';
  };

  it.each([
    ['claude-code', 'PostToolUse.Bash', 'success'],
    ['claude-code', 'PostToolUse.Edit', 'success'],
    ['claude-code', 'PostToolUseFailure.Bash', 'failure'],
    ['claude-code', 'PostToolUseFailure.mcp-fail', 'failure'],
    ['codex', 'PostToolUse', 'unknown'],
    ['codex', 'PostToolUse.failed-command', 'unknown'],
    ['codex', 'PostToolUse.apply_patch', 'success'],
    ['codex', 'PostToolUse.mcp', 'success'],
    ['gemini-cli', 'AfterTool', 'success'],
    ['gemini-cli', 'AfterTool.mcp', 'success'],
    ['gemini-cli', 'AfterTool.error', 'failure'],
  ] as const)('%s, %s: %s', (client, payload, outcome) =>
    expect(of(client, captured(client, payload))).toBe(outcome),
  );

  it.each([
    ['Output: (empty)\nExit Code: 1\nProcess Group PGID: 7', 'failure'],
    ['Output: a\nError: spawn\nExit Code: 127\nBackground PIDs: 1, 2\nProcess Group PGID: 7', 'failure'],
    ['Output: a\nSignal: SIGKILL\nProcess Group PGID: 7', 'failure'],
    ['Command was cancelled by user before it could complete. There was no output.', 'failure'],
    ['Output: the log says\nExit Code: 1\nand goes on\nProcess Group PGID: 7', 'success'],
    ['Output: Exit Code: 1\nProcess Group PGID: 7', 'success'],
    ['Command moved to background (PID: 7). Output hidden. Press Ctrl+B to view.', 'unknown'],
    ['A summary of what it printed', 'unknown'],
  ])('of a command on Gemini CLI that ends in %j: %s', (text, outcome) => {
    const payload = captured('gemini-cli', 'AfterTool');
    const wrapped = `<untrusted_context>\n${text}\n</untrusted_context>`;
    for (const llmContent of [text, wrapped, [{ text: wrapped }]])
      expect(of('gemini-cli', { ...payload, tool_response: { llmContent } })).toBe(outcome);
  });
});

const home = realpathSync(mkdtempSync(join(tmpdir(), 'mcphooks-when-')));
afterAll(() => rmSync(home, { recursive: true, force: true }));
mkdirSync(join(home, 'shop/src/.cache'), { recursive: true });
mkdirSync(join(home, 'shop/.codegraph'));
for (const file of ['package.json', 'src/shop.sln', '.hidden', 'a[b].txt'])
  writeFileSync(join(home, 'shop', file), '');
symlinkSync(join(home, 'shop'), join(home, 'link'));
symlinkSync('/nowhere', join(home, 'shop/dangling'));
symlinkSync('package.json', join(home, 'shop/CLAUDE.md'));
mkdirSync(join(home, 'wiki'));
symlinkSync(join(home, 'wiki'), join(home, 'shop/docs'));

describe('files of a project', () => {
  it.each<[string[], boolean]>([
    [['package.json'], true],
    [['nothing', 'package.json'], true],
    [['Package.json'], false],
    [['.codegraph'], true],
    [['.codegraph/'], true],
    [['package.json/'], false],
    [['src/*.sln'], true],
    [['src/*.sl?'], true],
    [['src/*.sl'], false],
    [['*.sln'], false],
    [['*idden'], false],
    [['*.hidden'], false],
    [['.hid*'], true],
    [['src/.*'], true],
    [['s?c/'], true],
    [['p*e.js?n'], true],
    [['no/*'], false],
    [['dangling'], false],
    [['dang*'], false],
    [['a(b).txt', 'a+b', '$'], false],
  ])('%j: %s', (patterns, there) => expect(existsAny(patterns, join(home, 'shop'))).toBe(there));
});

describe('the file that a tool touches', () => {
  const root = join(home, 'shop');
  const is = (path: string, globs: string[], folder = root): boolean =>
    touches(touchedFiles({ file_path: path }, { paths: ['file_path'] }, folder), pathGlobs(globs), root);

  it.each<[string, string[], boolean]>([
    ['src/a.ts', ['*.ts'], true],
    ['a.ts', ['*.ts'], true],
    ['a.tsx', ['*.ts'], false],
    ['src/a.tsx', ['*.ts', '*.tsx'], true],
    ['src/a.ts', ['src/*.ts'], true],
    ['src/deep/a.ts', ['src/*.ts'], false],
    ['src/deep/a.ts', ['src/**/*.ts'], true],
    ['src/a.ts', ['src/**/*.ts'], true],
    ['lib/src/a.ts', ['src/**'], false],
    ['src/a.ts', ['./src/**'], true],
    ['a.ts', ['./*.ts'], true],
    ['src/a.ts', ['./*.ts'], false],
    ['src/.env', ['src/*'], true],
    ['.github/workflows/ci.yml', ['*.yml'], true],
    ['docs/a.mdx', ['docs/*.{md,mdx}'], true],
    ['docs/a.txt', ['docs/*.{md,mdx}'], false],
    ['a.TS', ['*.ts'], false],
    ['a1.ts', ['a[0-9].ts'], false],
    ['a[0-9].ts', ['a[0-9].ts'], true],
    ['a(b).ts', ['a(b).ts'], true],
    ['+(a).ts', ['+(a).ts'], true],
    ['aa.ts', ['+(a).ts'], false],
    ['../other/a.ts', ['*.ts', '**'], false],
    ['/etc/passwd', ['**', 'etc/*'], false],
    ['/etc/passwd', ['/etc/*'], true],
    [join(root, 'src/a.ts'), ['src/*'], true],
    [join(home, 'link/src/a.ts'), ['src/*'], true],
    [join(home, 'link/src/new/deep/a.ts'), ['src/**'], true],
    [join(home, 'link/src/shop.sln'), ['src/*'], true],
    ['CLAUDE.md', ['CLAUDE.md'], true],
    ['CLAUDE.md', ['package.json'], true],
    [join(home, 'link/CLAUDE.md'), ['CLAUDE.md'], true],
    ['docs/new/a.md', ['docs/**'], true],
    ['docs/a.md', [`${home}/wiki/*`], true],
    [join(home, 'wiki/a.md'), ['docs/**'], false],
    [join(home, 'link/src/a.ts'), [`${home}/link/src/*`], true],
    [`${root}/src/${'a/'.repeat(3000)}x.ts`, ['*.ts'], false],
    [`src/${'a'.repeat(256)}.ts`, ['*.ts'], false],
    [`src/${'a'.repeat(250)}.ts`, ['*.ts'], true],
    ['src/a.ts\0', ['*'], false],
    ['', ['**'], false],
    ['.', ['**'], false],
  ])('%j, %j: %s', (path, globs, fits) => expect(is(path, globs)).toBe(fits));

  it.runIf(WINDOWS)('is in the project however a session spells the drive', () =>
    expect(
      is(
        join(root, 'src/a.ts').replace(/^[A-Z]/, (c) => c.toLowerCase()),
        ['src/*'],
      ),
    ).toBe(true),
  );

  it('is named below the folder that the payload says', () =>
    expect(is('a.ts', ['src/*'], join(root, 'src'))).toBe(true));

  it('is each file of a patch', () => {
    const patch =
      '*** Begin Patch\n*** Add File: src/new.ts\n+*** Add File: no.py\n*** Update File: a.md\r\n*** Move to: b/c.rs\n@@\n*** Delete File: old.go\n*** End Patch';
    const files = touchedFiles({ command: patch }, { patch: 'command' }, root);
    expect(files).toEqual(['src/new.ts', 'a.md', 'b/c.rs', 'old.go'].map((file) => join(root, file)));
  });

  it('of a captured payload', () => {
    const { tool_input } = captured('codex', 'PostToolUse.apply_patch');
    expect(touchedFiles(tool_input, clientById('codex').conditions.files.apply_patch, root)).toEqual([
      join(root, 'a.txt'),
    ]);
    const read = captured('gemini-cli', 'AfterTool.error').tool_input;
    expect(touchedFiles(read, clientById('gemini-cli').conditions.files.read_file, root)).toEqual([
      join(root, 'missing.txt'),
    ]);
  });

  it.each([
    ['apply_patch', '*** Begin Patch\n*** Update File: src/a.ts\n*** End Patch', ['src/a.ts']],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Add File: b.ts\n*** End Patch', explanation: 'x' },
      ['b.ts'],
    ],
    ['insert_edit_into_file', { filePath: 'c.ts', code: 'x' }, ['c.ts']],
    [
      'multi_replace_string_in_file',
      { replacements: [{ filePath: 'd.ts' }, { filePath: 'e.ts' }] },
      ['d.ts', 'e.ts'],
    ],
  ])('is told by each form of %s that Copilot CLI or VS Code sends: %j', (tool, input, files) => {
    const { conditions, tools } = clientById('copilot');
    expect(conditions.kinds.edit).toContain(tool);
    expect(tools.names.Edit).toContain(tool);
    expect(touchedFiles(input, conditions.files[tool], root)).toEqual(files.map((file) => join(root, file)));
  });

  it('is looked for in the usual fields where no table knows the tool', () => {
    expect(touchedFiles({ path: 'x' }, undefined, root)).toEqual([join(root, 'x')]);
    expect(touchedFiles({ path: 3, file_path: null }, undefined, root)).toEqual([]);
    expect(touchedFiles(undefined, undefined, root)).toEqual([]);
  });
});
