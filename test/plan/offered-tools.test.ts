import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ClientId } from '../../src/clients/client.ts';
import { clientById } from '../../src/clients/index.ts';
import { absenceOf, CANONICAL_TOOLS, missingTools, nativeNames } from '../../src/clients/tools.ts';
import { compareVersions } from '../../src/clients/versions.ts';

/** What real sessions were seen to offer their model (npm run test:clients -- --only tools). */
const SEEN: { client: ClientId; version: string; headless: string[]; terminal: string[] }[] = JSON.parse(
  readFileSync(new URL('../clients/tools.json', import.meta.url), 'utf8'),
);
/** Offered only while a plan is made, with network, or behind a tool that calls others. */
const NOT_AT_FIRST: Partial<Record<ClientId, string[]>> = {
  droid: ['WebFetch', 'WebSearch'],
  copilot: ['WebFetch'],
  'gemini-cli': ['ExitPlanMode'],
  'qwen-code': ['WebFetch'],
};

const versions = (id: ClientId) =>
  SEEN.filter(({ client }) => client === id).sort((a, b) => compareVersions(a.version, b.version));

it.each([...new Set(SEEN.map(({ client }) => client))])('%s has the tools that its table names', (id) => {
  const { tools, proved } = clientById(id);
  const names = (canonical: string): readonly string[] =>
    nativeNames(tools, canonical).length > 0 ? nativeNames(tools, canonical) : [canonical];
  const isOffered = (canonical: string, { headless, terminal }: (typeof SEEN)[number]): boolean =>
    names(canonical).some((name) => [...headless, ...terminal].includes(name) || name === 'Bash');
  const all = versions(id);
  const newest = all.at(-1);
  expect(newest?.version).toBe(proved.newest);
  const missing = missingTools(tools);
  const wrong = CANONICAL_TOOLS.filter((name) => !missing.includes(name))
    .filter((name) => !NOT_AT_FIRST[id]?.includes(name))
    .filter((name) => newest && !isOffered(name, newest));
  expect(wrong).toEqual([]);
  for (const name of missing) {
    const { since } = absenceOf(tools, name);
    const without = all.filter((one) => !since || compareVersions(since, one.version) <= 0);
    expect(without.filter((one) => isOffered(name, one)).map(({ version }) => `${name} ${version}`)).toEqual(
      [],
    );
    // It was there before, or it has no first version without.
    const before = all.filter((one) => since && compareVersions(one.version, since) < 0);
    if (since) expect(before.some((one) => isOffered(name, one))).toBe(true);
  }
});
