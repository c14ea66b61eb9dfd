import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Client } from '../../src/clients/client.ts';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import type { WantedEntry } from '../../src/edit/types.ts';
import { HOME, planFor, type Scenario } from '../plan/golden.ts';
import { expectGenerated, inWords, matrixTable, row } from './page.ts';

const root = new URL('../../', import.meta.url);
const path = fileURLToPath(new URL('README.md', root));
const COMMIT_REMINDER: Scenario = JSON.parse(
  readFileSync(new URL('test/fixtures/scenarios/commit-reminder.json', root), 'utf8'),
);

/** What an install of the declaration above comes to: the client's file, and the entries in it. */
function planned(client: Client): { file: string; text: string; entries: readonly WantedEntry[] } {
  const [plan] = planFor(COMMIT_REMINDER, client.id).clients;
  if (!plan?.file) throw new Error(`${client.id} gets no hooks`);
  return { file: plan.file, text: plan.after ?? '', entries: plan.entries };
}

/** What the declaration above becomes, side by side. */
function becomes(): string {
  const rows = CLIENTS.map((client) => {
    const { entries, file } = planned(client);
    const code = (values: readonly unknown[]): string =>
      [...new Set(values.filter((v) => v !== undefined))].map((v) => `\`${v}\``).join(', ');
    return row([
      client.title,
      code([file.replace(HOME, '~')]),
      code(entries.map((e) => e.event)),
      code(entries.map((e) => e.group.matcher)),
      code(entries.map((e) => e.group.hooks[0]?.[client.hooks.timeout.key])),
    ]);
  });
  const heads = ['', 'file', 'event', 'matcher', 'timeout'];
  return [row(heads), row(heads.map(() => '---')), ...rows].join('\n');
}

/** One entry of it as it is written; the shim's folder is shortened. */
function entry(): string {
  const text = planned(clientById('claude-code')).text.replace(/\/home\/user\/[^']*\//g, '~/…/');
  const lines = text.split('\n').filter((line) => /"hooks": \{|PostToolUse": \[|\/PostToolUse'/.test(line));
  return ['```json', ...lines, '```'].join('\n');
}

it('README.md shows what the plan and the tables say', () => {
  const parts: Record<string, string> = { becomes: becomes(), entry: entry(), matrix: matrixTable() };
  const before = readFileSync(path, 'utf8');
  const after = before.replace(
    /(<!-- (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, open, name, close) => `${open}${parts[name]}\n${close}`,
  );
  for (const name of Object.keys(parts)) expect(before).toContain(`<!-- ${name} -->`);
  expectGenerated(path, after);
});

it('README.md shows the example that it compiles', () => {
  const shown = /```json\n(\{.*?)```/s.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
  const declarations = (file: string): unknown =>
    JSON.parse(readFileSync(new URL(file, root), 'utf8')).declarations;
  expect([JSON.parse(shown)]).toEqual(declarations('examples/patterns/commit.json'));
  expect([JSON.parse(shown)]).toEqual(declarations('test/fixtures/scenarios/commit-reminder.json'));
});

it.each(['README.md', 'docs/authors.md', 'package.json'])('%s names every client where it begins', (file) => {
  const named = inWords(CLIENTS.map(({ title }) => title));
  const begins = readFileSync(new URL(file, root), 'utf8').slice(0, 500);
  expect(begins, `${file}: name all clients by title, in this order`).toContain(named);
});

it.each(['CHANGELOG.md', 'docs/decisions.md'])('%s names every client', (file) => {
  const text = readFileSync(new URL(file, root), 'utf8');
  expect(CLIENTS.map(({ title }) => title).filter((title) => !text.includes(title))).toEqual([]);
});

it('package.json is found by the id of every client', () => {
  const { keywords } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  expect(keywords).toEqual(expect.arrayContaining(CLIENTS.map(({ id }) => id)));
});
