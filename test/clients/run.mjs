#!/usr/bin/env node
/**
 * Proves on the real clients that declared text reaches the model, and that nothing else changes.
 *   node test/clients/run.mjs [--client id [--version v]] [--only text] [--cells] [--spread n] [--all] [--seconds n]
 *                             [--list] [--write] [--json]
 * Exit 1 when something failed. `--all`: older versions too; `--version`: this one instead; `--installed`: the folder
 * for clients; `--cells`: only what proves cells; `--spread n`: a scenario that hardly depends on the client (`anywhere`)
 * runs on every nth variant, beginning with another one for each scenario, and one that depends neither on the model nor on
 * the file of the hooks (`perClient`) runs on one variant of each client; `--seconds n`: what hasn't begun after n seconds
 * is skipped, and reported so; `--list`: only says what would run; `--write`: records in proved.json what was proved.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installClient, pinned } from './install.mjs';
import { NoneThere, NothingSaid, OF, ownScenarios } from './of.mjs';
import { scenarios as catalogue } from './scenarios/catalogue.mjs';
import { scenarios as cells, EVENTS } from './scenarios/cells.mjs';
import { scenarios as exports } from './scenarios/export.mjs';
import { scenarios as fleet } from './scenarios/fleet.mjs';
import { scenarios as harmless } from './scenarios/harmless.mjs';
import { scenarios as interactive } from './scenarios/interactive.mjs';
import { scenarios as joint } from './scenarios/joint.mjs';
import { scenarios as life } from './scenarios/life.mjs';
import { scenarios as matching } from './scenarios/matching.mjs';
import { scenarios as runner } from './scenarios/runner.mjs';
import { scenarios as target } from './scenarios/target.mjs';
import { scenarios as teams } from './scenarios/teams.mjs';
import { scenarios as tools } from './scenarios/tools.mjs';
import { scenarios as warm } from './scenarios/warm.mjs';
import { scenarios as conditions } from './scenarios/when.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    client: { type: 'string' },
    version: { type: 'string' },
    installed: { type: 'string' },
    cells: { type: 'boolean' },
    spread: { type: 'string', default: '1' },
    seconds: { type: 'string' },
    only: { type: 'string' },
    all: { type: 'boolean' },
    'all-versions': { type: 'boolean' },
    list: { type: 'boolean' },
    write: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
/** Jobs at a time that compute; one more waits, for servers that hang. */
const CONCURRENT = 2;

if (!existsSync(join(here, '../../dist/mcphooks.cjs'))) {
  console.error('dist/mcphooks.cjs is missing: npm run build');
  process.exit(1);
}

const chosen = options.version
  ? [[options.client, options.version]]
  : pinned({ older: options.all || options['all-versions'], only: options.client });
const spread = Number(options.spread);
if (!Number.isInteger(spread) || spread < 1) {
  console.error(`--spread takes a whole number from 1, not ${options.spread}`);
  process.exit(1);
}
const seconds = options.seconds === undefined ? Number.POSITIVE_INFINITY : Number(options.seconds);
if (!(seconds >= 0)) {
  console.error(`--seconds takes a number from 0, not ${options.seconds}`);
  process.exit(1);
}
if (!chosen.every(([id]) => OF[id]) || chosen.length === 0) {
  console.error(`test/clients/of/${options.client}.mjs is missing, or names no version`);
  process.exit(1);
}
const clients = chosen.map(([id, version]) =>
  options.list
    ? { id, version, older: version !== OF[id].versions[0] }
    : installClient(id, version, options.installed),
);
const variants = clients
  .filter((c) => !c.missing)
  .flatMap((client) =>
    (OF[client.id].variants ?? [{}]).map((way) => ({
      client,
      ...way,
      label: [client.id, client.version, way.model].filter(Boolean).join(' '),
      /** Another client, for what two of them share. */
      another: () => {
        const [[id, version]] = pinned({}).filter(([one]) => one !== client.id);
        return { client: installClient(id, version, options.installed), ...OF[id].variants?.[0] };
      },
    })),
  );

const results = clients
  .filter((c) => c.missing)
  .map((c) => ({ label: `${c.id} ${c.version}`, scenario: 'all', name: c.missing, state: 'skipped' }));

/** Variants on which a scenario doesn't run because of `--spread`, summed up over the scenarios. */
let leftOut = 0;
const jobsOf = (scenarios) => {
  const spreadable = scenarios.filter((s) => s.anywhere || s.perClient);
  return scenarios
    .filter((s) => (!options.only || s.name.includes(options.only)) && (!options.cells || s.cells))
    .flatMap((scenario) => {
      const having = variants.filter((variant) => !scenario.when || scenario.when(variant));
      const turn = spreadable.indexOf(scenario);
      const every = scenario.anywhere ? Math.min(spread, having.length) : 1;
      const isTurn = (variant, i) => {
        if (!scenario.perClient || spread === 1) return (turn + i) % every === 0;
        const same = having.filter(({ client }) => client === variant.client);
        return same.indexOf(variant) === turn % same.length;
      };
      const taken = having.filter(isTurn);
      leftOut += having.length - taken.length;
      return taken.map((variant) => ({ scenario, variant }));
    });
};

const jobs = jobsOf([
  // The longest ones first, so that none is left for one worker alone at the end.
  ...(await ownScenarios()),
  ...cells,
  ...matching,
  ...conditions,
  ...life,
  ...joint,
  ...exports,
  ...fleet,
  ...runner,
  ...warm,
  ...catalogue,
  ...target,
  ...teams,
  ...tools,
  ...interactive,
]);
/** Jobs that mostly wait. */
const waiting = jobsOf(harmless);

if (options.list) {
  const rows = [...jobs, ...waiting].map(({ scenario, variant }) => `${variant.label}: ${scenario.name}\n`);
  // An exit cuts off what a pipe hasn't taken yet.
  await new Promise((done) => process.stdout.write(rows.join(''), done));
  process.exit();
}

if (jobs.length + waiting.length === 0) {
  console.error(['nothing to run', ...results.map((r) => `${r.label}: ${r.name}`)].join('\n'));
  process.exit(1);
}

const unknown = [];
/** Works off the lists, one after another. */
async function work(...lists) {
  const next = () => lists.find((list) => list.length > 0)?.shift();
  for (let job = next(); job; job = next()) {
    const { scenario, variant } = job;
    const started = Date.now();
    if (performance.now() > seconds * 1000) {
      const name = `no time was left in ${seconds} s`;
      results.push({ label: variant.label, scenario: scenario.name, name, state: 'skipped' });
      continue;
    }
    let found = [];
    const note = (entry) =>
      found.push({
        label: variant.label,
        client: variant.client.id,
        version: variant.client.version,
        scenario: scenario.name,
        ...entry,
      });
    const state = (ok) => (ok ? 'passed' : 'failed');
    const t = {
      skip: (why) => note({ name: why, state: 'skipped' }),
      /** Tools of a version of which tools.json says nothing yet. */
      tools: (row) => {
        unknown.push(row);
        if (!options.write) t.skip('tools.json says nothing of this version: --write records it');
      },
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
    const attempt = async () => {
      try {
        await scenario.run(variant, t);
      } catch (error) {
        if (error instanceof NoneThere) return;
        const state = error instanceof NothingSaid ? 'skipped' : 'failed';
        note({ name: 'runs', state, why: error.message });
      }
    };
    await attempt();
    const { flaw } = OF[variant.client.id];
    const broken = found.filter((r) => r.state === 'failed');
    if (flaw && broken.length > 0) {
      for (const { name } of broken)
        process.stderr.write(`AGAIN ${variant.label}: ${scenario.name}: ${name}: ${flaw}\n`);
      found = [];
      await attempt();
    }
    results.push(...found);
    process.stderr.write(
      `${((Date.now() - started) / 1000).toFixed(1)} s ${variant.label}: ${scenario.name}\n`,
    );
  }
}
await Promise.all([...Array.from({ length: CONCURRENT }, () => work(jobs, waiting)), work(waiting)]);

const order = (r) => [r.client, r.version, EVENTS.indexOf(r.event), r.kind].join(' ');
const { compare } = new Intl.Collator('en', { numeric: true });
const inOrder = (a, b) => compare(order(a), order(b));

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
  return [...rows.values()].sort(inOrder);
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
  if (leftOut > 0)
    console.log(
      `--spread ${spread}: ${leftOut} times a scenario did NOT RUN on a variant; without --spread all run`,
    );
  console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
}
// A scenario that broke off says nothing of its cells, which must not go on as proved.
if (options.write && total('failed') > 0) console.error('proved.json is left alone: something failed');
else if (options.write) {
  const file = join(here, 'proved.json');
  const tools = join(here, 'tools.json');
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  const save = (path, list) => writeFileSync(path, `${JSON.stringify(list, null, 2)}\n`);
  // What this run didn't look at stays as it was proved before.
  const cellOf = (r) => [r.client, r.version, r.event, r.kind].join(' ');
  const seen = new Set(rows.map(cellOf));
  const kept = read(file).filter((r) => !seen.has(cellOf(r)));
  save(file, [...kept, ...rows.map(({ why: _, ...row }) => row)].sort(inOrder));
  const version = (r) => [r.client, r.version].join(' ');
  if (unknown.length > 0)
    save(
      tools,
      [...read(tools), ...unknown].sort((a, b) => compare(version(a), version(b))),
    );
}
process.exitCode = total('failed') > 0 ? 1 : 0;
