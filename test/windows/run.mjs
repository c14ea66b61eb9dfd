/**
 * Tests of the Windows side, on Windows or under Wine: unit tests with node.exe, commands as a person types them, and
 * sessions of the real clients. On Linux it sets up Wine and the Windows programs in a folder that later runs use again:
 *
 *   node test/windows/run.mjs [--seconds N] [unit] [commands] [sessions] [cost] [FILE.test.ts...]
 *
 * --seconds          how long all of it may take (default 1800); what hasn't ended by then has failed. Unit tests of
 *                    files that don't begin within three quarters of it are skipped
 * MCPHOOKS_WINDOWS   that folder (default ~/.cache/mcphooks-windows)
 * MCPHOOKS_TEST=all  all unit tests; without it those whose subject differs between systems
 *
 * `cost` measures what a hook costs, and runs only when it is asked for.
 * Ends with `N passed, N failed, N skipped`. What can't run here is skipped and says why.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { parseArgs } from 'node:util';
import { CLIENTS, Missing, setUp, slashed, Wine } from './wine.mjs';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = process.env.MCPHOOKS_WINDOWS || join(homedir(), '.cache/mcphooks-windows');
const VITEST = 'node_modules/vitest/vitest.mjs';
const TABLE = join(import.meta.dirname, 'excluded.json');

/** Unit tests whose subject differs between systems: paths, files, processes, commands, and what is written with them. */
const PLATFORM = [
  'base/',
  'edit/rules',
  'edit/read',
  'edit/flat',
  'store/',
  'servers/connect',
  'servers/resolve',
  'servers/package-runner',
  'servers/env-file',
  'plan/command',
  'plan/stale',
  'plan/owned',
  'fire/units',
  'fire/glob',
  'fire/dialects',
  'fire/double-fire',
  'fire/kept-texts',
  'fire/shim',
  'fire/warm',
  'fire/code-cache',
  'fire/when-parts',
  'servers/definition',
  'servers/dialects',
  'servers/environment',
  'servers/identity',
  'servers/mask',
  'plan/version',
  'plan/windows',
  'api/with-hooks',
  'export/export',
  'joint/project',
  'project/codex-command',
  'cli/keep-warm',
  'cli/lifecycle',
  'cli/completions',
  'cli/code-cache',
  'cli/output',
  'cli/own-folders',
  'cli/scan',
  'cli/start-folder',
  'cli/switch',
  'cli/uninstall-client',
].map((name) => `test/${name}`);

/** What runs: sessions first, since time may run out. A file ends its output with `N passed, N failed[, N skipped]`. */
const PARTS = {
  sessions: 'test/windows/sessions.mjs',
  commands: 'test/windows/life.mjs',
  unit: VITEST,
  cost: 'test/windows/cost.mjs',
};

/** Seconds that a part needs at least. */
const LEAST = 60;

// Under Wine, a worker of vitest dies or hangs now and then. So unit tests run in shards, and a shard that breaks, or
// prints nothing for SILENT seconds, runs once more.
const SHARDS = 3;
const SILENT = 150;

const begun = Number(process.env.MCPHOOKS_WINDOWS_BEGUN ?? Date.now());
const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '1800' }, inside: { type: 'boolean', default: false } },
});
const left = () => Math.max(1, Number(values.seconds) - (Date.now() - begun) / 1000);
const chosen = words.filter((word) => word in PARTS);
const files = words.filter((word) => !(word in PARTS));
const parts =
  chosen.length > 0
    ? chosen
    : files.length > 0
      ? ['unit']
      : Object.keys(PARTS).filter((name) => name !== 'cost');
const say = (text) => console.log(`[${Math.round((Date.now() - begun) / 1000)} s] ${text}`);
const total = { passed: 0, failed: 0, skipped: 0 };

function end() {
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exit(total.failed === 0 ? 0 : 1);
}

function skipAll(why) {
  console.log(`!! SKIPPED, all tests on Windows: ${why}`);
  total.skipped += parts.length;
  end();
}

/** Prints what is added to a file, until the returned function is called. */
function follow(path) {
  const decoder = new StringDecoder('utf8');
  let at = 0;
  const more = () => {
    if (!existsSync(path)) return;
    const file = openSync(path, 'r');
    const bytes = Buffer.alloc(fstatSync(file).size - at);
    at += readSync(file, bytes, 0, bytes.length, at);
    closeSync(file);
    process.stdout.write(decoder.write(bytes));
  };
  const timer = setInterval(more, 1000);
  return () => {
    clearInterval(timer);
    more();
  };
}

/** Windows itself: what `Wine` is elsewhere. */
const here = {
  makeTemp: () => () => {},
  serveGit: async () => () => {},
  end: () => {},
  root: ROOT,
  logs: FOLDER,
  clients: {},
  node(args, { env = {}, log, seconds }) {
    const out = openSync(log, 'w');
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', out, out],
      timeout: seconds * 1000,
    });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        closeSync(out);
        resolve(code);
      });
    });
  },
};

function count(passed, failed, skipped) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}

async function unit(system) {
  const shards = files.length > 0 ? 1 : SHARDS;
  const results = [];
  for (let shard = 1; shard <= shards; shard++) {
    const args = [`--shard=${shard}/${shards}`];
    let ran = await vitest(system, args);
    if (!ran && left() > LEAST) ran = await vitest(system, args);
    if (ran) results.push(...ran);
    else {
      console.log(`FAILED unit: vitest didn't run all tests of ${args}`);
      count(0, 1, 0);
    }
  }
  reportExcluded(results);
}

/** Runs unit tests and counts them. Resolves to vitest's results by file, undefined if it ended before all had run. */
async function vitest(system, more) {
  const report = 'unit.json';
  const path = join(system.root, report);
  rmSync(path, { force: true });
  const only = files.length > 0 ? files : process.env.MCPHOOKS_TEST === 'all' ? [] : PLATFORM;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`];
  // Starting a process costs ten times what it costs elsewhere: more workers would only wait for each other, and what is
  // measured in time can come late once.
  const args = [VITEST, 'run', '--maxWorkers=2', '--retry=1', ...reporters, ...more, ...only];
  const log = join(system.logs, 'unit.log');
  const stop = follow(log);
  const until = begun + Number(values.seconds) * 750;
  const env = { MCPHOOKS_TEST: process.env.MCPHOOKS_TEST ?? 'long', MCPHOOKS_UNTIL: String(until) };
  const code = await system.node(args, { env, log, seconds: left(), silent: SILENT });
  stop();
  const written = existsSync(path);
  const { testResults, numPassedTests, numPendingTests } = written
    ? JSON.parse(readFileSync(path, 'utf8'))
    : { testResults: [] };
  const failing = testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
    return status === 'failed' ? (failed.length > 0 ? failed : ['']).map((test) => `${name}: ${test}`) : [];
  });
  if (!written || (code !== 0 && failing.length === 0)) {
    console.log(`!! unit: vitest ended with ${code} before all tests had run`);
    return undefined;
  }
  count(numPassedTests, failing.length, numPendingTests);
  return testResults;
}

/** Says what was left out and why, by reason. A row of the table that names no test is out of date, and a fault. */
function reportExcluded(results) {
  const { reasons, files: whole, tests } = JSON.parse(readFileSync(TABLE, 'utf8'));
  const ran = new Map(
    results.map(({ name, assertionResults }) => [
      slashed(name).replace(/^.*?\/(?=test\/)/, ''),
      assertionResults.map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' > ')),
    ]),
  );
  const stale = [
    ...whole.filter(({ file }) => !existsSync(join(ROOT, file))).map(({ file }) => file),
    ...tests.flatMap(({ file, test, all }) => {
      const names = all && process.env.MCPHOOKS_TEST !== 'all' ? undefined : ran.get(file);
      const gone = names ? !names.some((name) => name.startsWith(test)) : !existsSync(join(ROOT, file));
      return gone ? [`${file}: ${test}`] : [];
    }),
  ];
  for (const row of stale)
    console.log(`FAILED unit: test/windows/excluded.json names what there is not: ${row}`);
  count(0, stale.length, 0);
  for (const [why, { text }] of Object.entries(reasons)) {
    const of = (rows) => rows.filter((row) => row.why === why).length;
    console.log(`Excluded: ${of(whole)} files and ${of(tests)} rows of tests: ${text}`);
  }
}

async function part(name, system) {
  const file = PARTS[name];
  if (!existsSync(join(ROOT, file))) {
    console.log(`!! SKIPPED ${name}: there is no ${file}`);
    return count(0, 0, 1);
  }
  const log = join(system.logs, `${name}.log`);
  const stop = follow(log);
  const code = await system.node([file], { env: system.clients, log, seconds: left() });
  stop();
  const lines = [...readFileSync(log, 'utf8').matchAll(/(\d+) passed, (\d+) failed(?:, (\d+) skipped)?/g)];
  const [, passed = 0, failed = 0, skipped = 0] = (lines.at(-1) ?? []).map((n) => Number(n ?? 0));
  const broke = code !== 0 && failed === 0;
  if (broke) console.log(`FAILED ${name}: ${file} ended with ${code}`);
  count(passed, failed + (broke ? 1 : 0), skipped);
}

async function onWindows() {
  mkdirSync(FOLDER, { recursive: true });
  const { MCPHOOKS_CLAUDE, MCPHOOKS_CODEX } = process.env;
  await runParts({ ...here, clients: { MCPHOOKS_CLAUDE, MCPHOOKS_CODEX } });
}

/** The rest runs where no other machine can be reached, wineserver included: a client would ask for updates. */
function again() {
  const options = ['--inside', '--seconds', values.seconds];
  const inside = [process.execPath, process.argv[1], ...options, ...words];
  const script = 'ip link set lo up && exec "$@"';
  const alone = [['--net'], ['--map-root-user', '--net']].find(
    (flags) => spawnSync('unshare', [...flags, 'sh', '-c', script, 'sh', 'true']).status === 0,
  );
  if (!alone) return skipAll('there is no network namespace (unshare --net) to keep clients on this machine');
  const { status } = spawnSync('unshare', [...alone, 'sh', '-c', script, 'sh', ...inside], {
    stdio: 'inherit',
    env: { ...process.env, MCPHOOKS_WINDOWS_BEGUN: String(begun) },
  });
  process.exit(status ?? 1);
}

async function runParts(system) {
  const clean = system.makeTemp();
  const endGit = await system.serveGit();
  try {
    for (const name of parts) {
      if (left() < LEAST) {
        console.log(`!! SKIPPED ${name}: no time was left`);
        count(0, 0, 1);
        continue;
      }
      say(name);
      await (name === 'unit' ? unit(system) : part(name, system));
    }
  } finally {
    endGit();
    system.end();
    clean();
  }
  say('done');
  end();
}

if (process.platform === 'win32') await onWindows();
else if (values.inside) {
  const wine = new Wine(FOLDER);
  await runParts(Object.assign(wine, { root: join(FOLDER, 'w/src'), logs: FOLDER, clients: CLIENTS }));
} else {
  try {
    mkdirSync(FOLDER, { recursive: true });
    setUp(FOLDER, say);
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    skipAll(error.message);
  }
  again();
}
