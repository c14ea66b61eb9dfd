import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { clientsPage, type Proved } from './clients-page.ts';

const page = fileURLToPath(new URL('../../docs/clients.md', import.meta.url));
const provedFile = fileURLToPath(new URL('../clients/proved.json', import.meta.url));

it('docs/clients.md says what the tables and the real clients say', () => {
  const proved = existsSync(provedFile) ? (JSON.parse(readFileSync(provedFile, 'utf8')) as Proved[]) : [];
  const text = clientsPage(proved);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, text);
  expect(readFileSync(page, 'utf8')).toBe(text);
});
