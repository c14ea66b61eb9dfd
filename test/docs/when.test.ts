import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lint } from '../../src/api/authoring.ts';
import { KEYS } from '../../src/declarations/schema.ts';
import { WHEN_KEYS } from '../../src/declarations/when.ts';
import { expectGenerated } from './page.ts';
import { keysTable, whenTable } from './when-table.ts';

const page = fileURLToPath(new URL('../../docs/authors.md', import.meta.url));

it.each([
  ['keys', keysTable],
  ['conditions', whenTable],
] as const)('%s in docs/authors.md are on each client what its data says', (name, tableOf) => {
  const table = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(\\n?<!-- end -->)`);
  const text = readFileSync(page, 'utf8');
  const wanted = text.replace(table, (_, begin) => `${begin}${tableOf()}\n<!-- end -->`);
  expectGenerated(page, wanted);
  expect(text).toMatch(table);
});

it('every key of a declaration stands in the tables', () => {
  const { declaration, matcher, when } = KEYS();
  const [keys, conditions] = [keysTable(), whenTable()];
  expect(when.filter((key) => !conditions.includes(`\`${key}\``))).toEqual([]);
  expect(matcher.filter((key) => !keys.includes(`\`matcher.${key}\``))).toEqual([]);
  expect(declaration.filter((key) => key !== 'matcher' && !keys.includes(`\`${key}\``))).toEqual([]);
});

describe('conditions in docs/authors.md', () => {
  it('are explained, every key of them', () => {
    const section = readFileSync(page, 'utf8').split('## Conditions')[1]?.split('\n## ')[0] ?? '';
    expect(WHEN_KEYS().when.filter((key) => !section.includes(`\`${key}\``))).toEqual([]);
  });

  it('are shown in examples that lint has nothing to say of but what the page says', () => {
    const section = readFileSync(page, 'utf8').split('## Conditions')[1]?.split('\n## ')[0] ?? '';
    const examples = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) =>
      JSON.parse(json),
    );
    expect(examples.length).toBeGreaterThan(2);
    for (const example of examples) {
      const { warnings } = lint({ declarations: [example].flat() });
      expect(warnings.filter(({ code }) => !['lint.when-some', 'lint.tool-data'].includes(code))).toEqual([]);
    }
  });
});
