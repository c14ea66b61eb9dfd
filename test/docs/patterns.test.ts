import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { describe, expect, it } from 'vitest';
import { lint } from '../../src/api/authoring.ts';
import { schemaNamed } from '../../src/cli/json/schemas.ts';
import { CLIENT_IDS } from '../../src/clients/client.ts';
import { clientById } from '../../src/clients/index.ts';
import { WHEN_KEYS } from '../../src/declarations/when.ts';
import { expectGenerated, page, root } from './page.ts';
import { EXAMPLES, exampleNames, exampleText, linted, PATTERNS, patternTables } from './patterns-tables.ts';

const isSchema = new AjvJsonSchemaValidator().getValidator(schemaNamed('declarations'));

describe('examples of hooks that people wrote by hand', () => {
  it('are twelve, each with what it replaces', () => {
    expect(exampleNames()).toHaveLength(12);
    expect(exampleNames().sort()).toEqual(Object.keys(EXAMPLES).sort());
  });

  it.each(Object.entries(EXAMPLES))(
    '%s: one hook, and no warning but those that are explained',
    (name, { warns = {} }) => {
      const { declarations, warnings, clients } = linted(name);
      expect(declarations).toHaveLength(1);
      const places = `test/fixtures/patterns.json: examples.${name}.warns`;
      expect(
        warnings.map(({ code }) => code),
        `${places} has the warnings of lint, each with why the example stays`,
      ).toEqual(Object.keys(warns));
      expect(clients.map(({ client }) => client)).toEqual([...CLIENT_IDS]);
      for (const { hooks } of clients) {
        const { fidelity, notes } = hooks[0] ?? {};
        expect(fidelity === 'unsupported' && notes?.length === 0).toBe(false);
      }
      const without = clients.filter(({ hooks }) => hooks[0]?.fidelity === 'unsupported');
      const why = Object.values(warns).join('\n');
      const titles = without.map(({ client }) => clientById(client).title);
      expect(
        titles.filter((title) => !why.includes(title)),
        `${places} says why these clients lack it`,
      ).toEqual([]);
    },
  );

  it.each(exampleNames())(
    '%s: names the schema that it fits, and says it in two sentences at most',
    (name) => {
      const document = JSON.parse(exampleText(name));
      expect(existsSync(join(root, 'examples/patterns', document.$schema))).toBe(true);
      expect(isSchema(document).errorMessage).toBeUndefined();
      const { context = '' } = document.declarations[0];
      expect(context.split(/(?<=[.?!]) /).length).toBeLessThanOrEqual(2);
    },
  );

  it('use every condition that there is', () => {
    const used = exampleNames().flatMap((name) =>
      linted(name).declarations.flatMap(({ when = {} }) => Object.keys(when)),
    );
    expect(WHEN_KEYS().when.filter((key) => !used.includes(key))).toEqual([]);
  });
});

describe('the 48 patterns', () => {
  it('are counted: each is said or has a reason why not', () => {
    expect(PATTERNS.map(({ n }) => n)).toEqual(Array.from({ length: 48 }, (_, i) => i + 1));
    for (const { n, said, not } of PATTERNS)
      expect([n, (said ?? []).length > 0]).toEqual([n, not === undefined]);
    expect(PATTERNS.filter(({ said }) => said)).toHaveLength(36);
  });

  it('are said by examples, each of which is used, or by declarations that at least one client carries', () => {
    const all = PATTERNS.flatMap(({ n, said = [] }) => said.map((how) => [n, how] as const));
    const names = all.flatMap(([, how]) => (typeof how === 'string' ? [how] : []));
    expect([...new Set(names)].sort()).toEqual(exampleNames().sort());
    for (const [n, how] of all) {
      if (typeof how === 'string') continue;
      const { clients, warnings } = lint({ declarations: [how] });
      const carried = clients.filter(({ hooks }) => hooks[0]?.fidelity !== 'unsupported');
      expect(carried.length, `${n}`).toBeGreaterThan(0);
      expect(
        warnings.map(({ code }) => code),
        `${n}`,
      ).not.toContain('lint.untrue-when-failed');
    }
  });

  it('stand in docs/authors.md as the data says', () => {
    const before = page('authors.md');
    const tables = patternTables();
    const after = before.replace(
      /(<!-- (examples|patterns) -->\n)[\s\S]*?(<!-- end -->)/g,
      (_, begin, name, end) => `${begin}${tables[name]}\n${end}`,
    );
    for (const name of Object.keys(tables)) expect(before).toContain(`<!-- ${name} -->`);
    expectGenerated(join(root, 'docs/authors.md'), after);
  });
});
