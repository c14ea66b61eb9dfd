import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { EVENTS } from '../../src/declarations/types.ts';

const root = new URL('../../', import.meta.url);
const path = fileURLToPath(new URL('README.md', root));

/** What the declaration above becomes, from the golden trees; the shim's folder is shortened. */
function becomes(): string {
  return CLIENTS.flatMap((client) => {
    const file = client.hookFiles[0];
    if (!file) return [];
    const golden = new URL(`snapshots/${client.id}/commit-reminder/${client.folder.home}/${file.path}`, root);
    const text = readFileSync(golden, 'utf8').replace(/\/home\/user\/[^']*\//g, '~/…/');
    const lines = text
      .split('\n')
      .filter((line) => !/PostToolUseFailure|BeforeAgent/.test(line) || file.format === 'toml');
    const shown =
      file.format === 'toml'
        ? text.trim()
        : lines.filter((line) => /hooks"|AfterTool|PostToolUse/.test(line)).join('\n');
    return [
      `${client.title}, \`~/${client.folder.home}/${file.path}\`:`,
      '',
      `\`\`\`${file.format === 'toml' ? 'toml' : 'json'}`,
      shown,
      '```',
      '',
    ];
  })
    .join('\n')
    .trim();
}

function matrix(): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['', ...CLIENTS.map((c) => c.title)]),
    row(['---', ...CLIENTS.map(() => '---')]),
    ...EVENTS.map((event) => row([`\`${event}\``, ...CLIENTS.map((c) => c.events[event].fidelity)])),
  ].join('\n');
}

it('README.md shows what the golden trees and the tables say', () => {
  const parts: Record<string, string> = { becomes: becomes(), matrix: matrix() };
  const before = readFileSync(path, 'utf8');
  const after = before.replace(
    /(<!-- (\w+) -->\n)[\s\S]*?(\n<!-- end -->)/g,
    (_, open, name, close) => `${open}${parts[name]}${close}`,
  );
  for (const name of Object.keys(parts)) expect(before).toContain(`<!-- ${name} -->`);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(path, after);
  expect(readFileSync(path, 'utf8')).toBe(after);
});
