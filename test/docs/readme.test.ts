import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import type { Client } from '../../src/clients/client.ts';
import type { HookFile } from '../../src/clients/hook-config.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { EVENTS } from '../../src/declarations/types.ts';

const root = new URL('../../', import.meta.url);
const path = fileURLToPath(new URL('README.md', root));

/** A client's file of the golden tree for the declaration above. */
function golden(client: Client, file: HookFile): string {
  const path = `snapshots/${client.id}/commit-reminder/${client.home.home}/${file.path}`;
  return readFileSync(new URL(path, root), 'utf8');
}

interface Entry {
  event: string;
  matcher?: string;
  hooks: { command: string; timeout: number }[];
}

function entriesOf(client: Client, file: HookFile): Entry[] {
  const text = golden(client, file);
  const { hooks } = (file.format === 'toml' ? parse(text) : JSON.parse(text)) as {
    hooks: Record<string, Omit<Entry, 'event'>[]>;
  };
  return Object.entries(hooks).flatMap(([event, groups]) => groups.map((group) => ({ event, ...group })));
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** What the declaration above becomes, side by side. */
function becomes(): string {
  const columns = CLIENTS.map((client) => {
    const file = client.hooks.user[0] as HookFile;
    const entries = entriesOf(client, file);
    const code = (values: readonly unknown[]): string =>
      [...new Set(values.filter((v) => v !== undefined))].map((v) => `\`${v}\``).join(', ');
    return [
      client.title,
      '---',
      code([`~/${client.home.home}/${file.path}`]),
      code(entries.map((e) => e.event)),
      code(entries.map((e) => e.matcher)),
      code(entries.map((e) => e.hooks[0]?.timeout)),
    ];
  });
  const heads = ['', '---', 'file', 'event', 'matcher', 'timeout'];
  return heads.map((head, i) => row([head, ...columns.map((column) => column[i] ?? '')])).join('\n');
}

/** One entry of it as it is written; the shim's folder is shortened. */
function entry(): string {
  const [client] = CLIENTS;
  const text = golden(client as Client, client?.hooks.user[0] as HookFile).replace(
    /\/home\/user\/[^']*\//g,
    '~/…/',
  );
  const lines = text.split('\n').filter((line) => /"hooks": \{|PostToolUse": \[|\/PostToolUse'/.test(line));
  return ['```json', ...lines, '```'].join('\n');
}

function matrix(): string {
  return [
    row(['', ...CLIENTS.map((c) => c.title)]),
    row(['---', ...CLIENTS.map(() => '---')]),
    ...EVENTS.map((event) => row([`\`${event}\``, ...CLIENTS.map((c) => c.events[event].fidelity)])),
  ].join('\n');
}

it('README.md shows what the golden trees and the tables say', () => {
  const parts: Record<string, string> = { becomes: becomes(), entry: entry(), matrix: matrix() };
  const before = readFileSync(path, 'utf8');
  const after = before.replace(
    /(<!-- (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, open, name, close) => `${open}${parts[name]}\n${close}`,
  );
  for (const name of Object.keys(parts)) expect(before).toContain(`<!-- ${name} -->`);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(path, after);
  expect(readFileSync(path, 'utf8')).toBe(after);
});

it('README.md shows an example whose files the golden trees hold', () => {
  const shown = /```json\n(\{.*?)```/s.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
  const declarations = (file: string): unknown =>
    JSON.parse(readFileSync(new URL(file, root), 'utf8')).declarations;
  expect([JSON.parse(shown)]).toEqual(declarations('examples/patterns/commit.json'));
  expect([JSON.parse(shown)]).toEqual(declarations('test/fixtures/scenarios/commit-reminder.json'));
});
