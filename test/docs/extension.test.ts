import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { lint } from '../../src/api/authoring.ts';
import { defineHooks, type Hook, withHooks } from '../../src/api/hooks.ts';
import { schemaNamed } from '../../src/cli/json/schemas.ts';
import { MAX_DECLARATIONS, MAX_TEXT } from '../../src/declarations/rules.ts';
import { EVENTS } from '../../src/declarations/types.ts';
import { EVENT_BUDGET, SESSION_BUDGET } from '../../src/plan/compile/budget.ts';
import { OWN_EXTENSION } from '../../src/servers/mcp/announce.ts';
import { blocks, expectGenerated, page, root } from './page.ts';

const text = page('extension.md');
const [client, settings, , request] = blocks('extension.md', 'json').map((json) => JSON.parse(json));

/** JSON whose objects and lists stand in one line where they fit there. */
function compact(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replace(/\n */g, ' ');
  if (value === null || typeof value !== 'object' || indent.length + line.length <= 100) return line;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item) => inner + compact(item, inner))
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${compact(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

it('docs/extension.md holds the schema of a server’s settings', () => {
  const { anyOf } = schemaNamed('declarations') as { anyOf: { properties: object }[] };
  const { properties, ...rest } = anyOf[0] as { properties: { $schema?: object } };
  const { $schema: _, ...own } = properties;
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...rest, properties: own };
  const block = `<!-- schema -->\n\`\`\`json\n${compact(schema)}\n\`\`\`\n<!-- end -->`;
  const wanted = text.replace(/<!-- schema -->[\s\S]*?<!-- end -->/, () => block);
  expectGenerated(join(root, 'docs/extension.md'), wanted);
  expect(wanted).toContain('"declarations": {');
});

it('docs/extension.md shows settings that are valid, of the identifier that is read', () => {
  expect(text).toContain(`| identifier | \`${OWN_EXTENSION}\` |`);
  expect(EVENTS).toEqual(expect.arrayContaining(client.supported_events));
  const codes = lint(settings).warnings.map(({ code }) => code);
  // Of a client that can't tell the outcome of a shell command, lint says so.
  expect(codes.filter((code) => code !== 'lint.when-some')).toEqual([]);
});

it('docs/extension.md shows what a server answers to the request that it shows', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const other: Hook = { event: 'session_end', context: 'The end.', priority: 'suggestion' };
  const server = new McpServer({ name: 'notebook', version: '1.0.0' });
  await withHooks(server, defineHooks([...settings.declarations, other])).connect(far);
  const asking = new Client(request.clientInfo, { capabilities: request.capabilities });
  await asking.connect(near);
  expect(asking.getServerCapabilities()?.extensions).toEqual({ [OWN_EXTENSION]: settings });
  await asking.close();
});

it('docs/extension.md names the limits that hold', () => {
  const n = (value: number): string => value.toLocaleString('en');
  expect(text).toContain(`${MAX_DECLARATIONS} items, ${n(MAX_TEXT)} characters a text`);
  expect(text).toContain(`${n(EVENT_BUDGET)} characters an event and ${n(SESSION_BUDGET)} a session`);
});
