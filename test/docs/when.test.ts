import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lint } from '../../src/api/authoring.ts';
import { WHEN_KEYS } from '../../src/declarations/when.ts';
import { whenTable } from './when-table.ts';

const page = fileURLToPath(new URL('../../docs/authors.md', import.meta.url));
const TABLE = /(<!-- conditions -->\n)[\s\S]*?(\n<!-- end -->)/;

describe('conditions in docs/authors.md', () => {
  it('are on each client what its data says', () => {
    const text = readFileSync(page, 'utf8');
    const wanted = text.replace(TABLE, (_, begin, end) => `${begin}${whenTable()}${end}`);
    if (process.env.UPDATE_DOCS === '1') writeFileSync(page, wanted);
    expect(readFileSync(page, 'utf8')).toBe(wanted);
    expect(text).toMatch(TABLE);
  });

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
