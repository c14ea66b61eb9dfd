import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { EVENTS } from '../../src/declarations/types.ts';
import { cellText, clientSection, clientsPage, type Proved } from './clients-page.ts';
import { expectGenerated } from './page.ts';

const page = fileURLToPath(new URL('../../docs/clients.md', import.meta.url));
const provedFile = fileURLToPath(new URL('../clients/proved.json', import.meta.url));

it('docs/clients.md matches the tables and the results on real clients', () => {
  const proved = existsSync(provedFile) ? (JSON.parse(readFileSync(provedFile, 'utf8')) as Proved[]) : [];
  const text = clientsPage(proved);
  expectGenerated(page, text);
});

it('every event is tried in real sessions', () => {
  const scenarios = fileURLToPath(new URL('../clients/scenarios/cells.mjs', import.meta.url));
  const [, listed = ''] = /^export const EVENTS = \[([^\]]*)/m.exec(readFileSync(scenarios, 'utf8')) ?? [];
  expect(listed.match(/\w+/g)).toEqual(EVENTS);
});

it.each(CLIENTS)('says how $title was tested', (client) => {
  const proved = { oldest: '1.0.0', newest: '2.0.0' };
  const page = (how: 'sessions' | 'source'): string =>
    clientSection({ ...client, proved: { ...proved, how } }, []).join('\n');
  expect(page('source')).toContain("Read in the client's source, 1.0.0 to 2.0.0.");
  expect(page('sessions')).toContain('Not tested on any version yet.');
});

it('has no steps for an event that is not delivered', () => {
  expect(cellText({ fidelity: 'unsupported', note: 'unsupported.session-end' })).toBe('**unsupported**');
});
