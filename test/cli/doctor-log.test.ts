import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { slugFor } from '../../src/base/slug.ts';
import type { LogLine } from '../../src/fire/log.ts';
import { isIncident, openIncidents } from '../../src/inspect/doctor/log.ts';
import { matchesFilter } from '../../src/inspect/entries.ts';
import type { Surveyed } from '../../src/inspect/survey.ts';
import { scratch } from '../store/support.ts';

const NOW = new Date().toISOString();
const NAME = 'Context7';
const line = (more: Partial<LogLine>): LogLine =>
  ({ at: NOW, server: NAME, client: 'codex', ...more }) as LogLine;

/** What doctor shows of lines of a server whose data file is missing. */
function shown(state: string, ...lines: LogLine[]) {
  const clients = [{ client: 'codex', since: '2020-01-01T00:00:00.000Z', missing: ['a.json'], altered: [] }];
  const record = { server: NAME, slug: slugFor(NAME), clients: {} };
  const surveyed = { scope: { paths: { state } }, record, clients } as unknown as Surveyed;
  return openIncidents(lines.filter(isIncident), [surveyed], NOW);
}

it('knows a server by its folder, too, as a script does whose data can not be read', () => {
  const unreadable = line({ server: slugFor(NAME), incident: 'data.unreadable' });
  expect(unreadable.server).not.toBe(NAME);
  expect(shown(scratch(), unreadable)).toEqual([unreadable]);
  expect(matchesFilter({ server: NAME })(unreadable)).toBe(true);
});

it('shows the failure of a tool until it answers, also of one with a colon in its name', () => {
  const state = scratch();
  const failure = (detail: string) => line({ incident: 'tool.failed', detail });
  expect(shown(state, failure('memory:search: refused'))).toEqual([]);
  mkdirSync(join(state, 'tools'));
  writeFileSync(join(state, 'tools/0.failed'), JSON.stringify({ server: NAME, tool: 'memory:search' }));
  const failing = failure('memory:search: refused');
  expect(shown(state, failing, failure('memory: refused'), failure('memory:search2: refused'))).toEqual([
    failing,
  ]);
  writeFileSync(join(state, 'tools/0.failed'), JSON.stringify({ server: NAME, tool: 'memory' }));
  expect(shown(state, failing)).toEqual([]);
});
