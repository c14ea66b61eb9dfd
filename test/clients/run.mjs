#!/usr/bin/env node
/**
 * Proves on the real clients that declared text reaches the model, and that nothing else changes.
 *   node test/clients/run.mjs [--client id] [--only text] [--all-versions] [--write] [--json]
 * Exit 1 when something failed. `--write` records in proved.json what was proved.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NothingSaid } from './by-client.mjs';
import { installClients } from './install.mjs';
import { scenarios as cells, EVENTS } from './scenarios/cells.mjs';
import { scenarios as exports } from './scenarios/export.mjs';
import { scenarios as fleet } from './scenarios/fleet.mjs';
import { scenarios as handler } from './scenarios/handler.mjs';
import { scenarios as harmless } from './scenarios/harmless.mjs';
import { scenarios as interactive } from './scenarios/interactive.mjs';
import { scenarios as life } from './scenarios/life.mjs';
import { scenarios as matching } from './scenarios/matching.mjs';
import { scenarios as runner } from './scenarios/runner.mjs';
import { scenarios as target } from './scenarios/target.mjs';
import { scenarios as teams } from './scenarios/teams.mjs';
import { scenarios as tools } from './scenarios/tools.mjs';
import { scenarios as conditions } from './scenarios/when.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    client: { type: 'string' },
    only: { type: 'string' },
    'all-versions': { type: 'boolean' },
    write: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
const CONCURRENT = 2;

if (!existsSync(join(here, '../../dist/mcphooks.cjs'))) {
  console.error('dist/mcphooks.cjs is missing: npm run build');
  process.exit(1);
}

/** Codex twice: direct tools with hooks in config.toml, code mode with hooks in hooks.json that were reviewed. */
const WAYS = {
  codex: [
    { model: 'gpt-5.5', trust: 'bypass', hooksIn: 'toml', title: 'direct tools, config.toml' },
    { model: 'gpt-6.1-sol', trust: 'review', hooksIn: 'json', title: 'code mode, hooks.json' },
  ],
};
const clients = installClients({ older: options['all-versions'] ?? false, only: options.client });
if (clients.length === 0) {
  console.error(`test/clients/install.mjs says nothing of ${options.client}`);
  process.exit(1);
}
const variants = clients
  .filter((c) => !c.missing)
  .flatMap((client) =>
    (WAYS[client.id] ?? [{}]).map((way) => ({
      client,
      ...way,
      label: [client.id, client.version, way.model].filter(Boolean).join(' '),
    })),
  );

const results = clients
  .filter((c) => c.missing)
  .map((c) => ({ label: `${c.id} ${c.version}`, scenario: 'all', name: c.missing, state: 'skipped' }));

const jobs = [
  ...cells,
  ...matching,
  ...conditions,
  ...life,
  ...handler,
  ...exports,
  ...fleet,
  ...runner,
  ...target,
  ...teams,
  ...tools,
  ...interactive,
  ...harmless,
]
  .filter((s) => !options.only || s.name.includes(options.only))
  .flatMap((scenario) => variants.map((variant) => ({ scenario, variant })))
  .filter(
    ({ scenario: { only, when }, variant }) =>
      (!only || only.includes(variant.client.id)) && (!when || when(variant)),
  );

if (jobs.length === 0) {
  console.error(['nothing to run', ...results.map((r) => `${r.label}: ${r.name}`)].join('\n'));
  process.exit(1);
}

async function work() {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const { scenario, variant } = job;
    const started = Date.now();
    const note = (entry) =>
      results.push({
        label: variant.label,
        client: variant.client.id,
        version: variant.client.version,
        scenario: scenario.name,
        ...entry,
      });
    const state = (ok) => (ok ? 'passed' : 'failed');
    const t = {
      skip: (why) => note({ name: why, state: 'skipped' }),
      ok: (name, ok, why = '') => note({ name, state: state(ok), why }),
      /** `checks`: [whether, what]. */
      cell: (event, kind, fidelity, checks) => {
        const broken = checks.filter(([ok]) => !ok).map(([, what]) => `not: ${what}`);
        note({
          name: `${event} ${kind}`,
          cell: { event, kind, fidelity },
          state: state(broken.length === 0),
          why: broken.join('; '),
        });
      },
    };
    try {
      await scenario.run(variant, t);
    } catch (error) {
      const state = error instanceof NothingSaid ? 'skipped' : 'failed';
      note({ name: 'runs', state, why: error.message });
    }
    process.stderr.write(
      `${((Date.now() - started) / 1000).toFixed(1)} s ${variant.label}: ${scenario.name}\n`,
    );
  }
}
await Promise.all(Array.from({ length: CONCURRENT }, work));

const order = (r) => [r.client, r.version, EVENTS.indexOf(r.event), r.kind].join(' ');

/** The cells of all variants of a client version; proved only when every variant proved it. */
function table() {
  const rows = new Map();
  for (const { label, client, version, cell, state, why } of results.filter((r) => r.cell)) {
    const key = `${client} ${version} ${cell.event} ${cell.kind}`;
    const row = rows.get(key) ?? { client, version, ...cell, proved: true, why: [] };
    row.proved &&= state === 'passed';
    if (state !== 'passed') row.why.push(`${label}: ${why}`);
    rows.set(key, row);
  }
  return [...rows.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

const rows = table();
const total = (state) => results.filter((r) => r.state === state).length;
if (options.json) console.log(JSON.stringify({ cells: rows, results }, null, 2));
else {
  for (const r of rows) {
    const line = [
      r.event.padEnd(14),
      r.kind.padEnd(13),
      String(r.fidelity).padEnd(11),
      `${r.client} ${r.version}`.padEnd(22),
      r.proved ? 'proved' : 'NOT PROVED',
    ];
    console.log([...line, ...r.why].join(' '));
  }
  for (const r of results.filter((x) => x.state !== 'passed'))
    console.log(`${r.state.toUpperCase()} ${r.label}: ${r.scenario}: ${r.name}${r.why ? ` (${r.why})` : ''}`);
  console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
}
// A scenario that broke off says nothing of its cells, which must not go on as proved.
if (options.write && total('failed') > 0) console.error('proved.json is left alone: something failed');
else if (options.write) {
  const file = join(here, 'proved.json');
  // What this run didn't look at stays as it was proved before.
  const cellOf = (r) => [r.client, r.version, r.event, r.kind].join(' ');
  const seen = new Set(rows.map(cellOf));
  const kept = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8')).filter((r) => !seen.has(cellOf(r)))
    : [];
  const now = rows.map(({ why: _, ...row }) => row);
  const all = [...kept, ...now].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}
process.exitCode = total('failed') > 0 ? 1 : 0;
