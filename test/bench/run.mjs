// Ratios of paired runs (npm run bench). Only printed, never asserted: how to read them is in docs/performance.md.
//   npm run bench [-- <runs>] [-- <part of a row's name>]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliRows, planningRows } from './cli.mjs';
import { fireRows } from './fire.mjs';
import { measure, writePlugin } from './plugin.mjs';
import { PROMPTS, sessions } from './session.mjs';

/** The one client whose hooks are code. */
const PROGRAM = new URL('../../src/clients/opencode/program.js', import.meta.url);

const runs = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 60);
const part = process.argv.slice(2).find((word) => !/^\d+$/.test(word)) ?? '';
const home = mkdtempSync(join(tmpdir(), 'mcphooks-bench-'));
mkdirSync(join(home, 'shop', '.git'), { recursive: true });
const hookEnv = { PATH: process.env.PATH, HOME: home, CLAUDE_PROJECT_DIR: join(home, 'shop') };

/** Milliseconds of one run. A run that doesn't print what it should is worth no number. */
function time({ command, args, input, prints, ends = 0, env = hookEnv }) {
  const begin = process.hrtime.bigint();
  const ran = spawnSync(command, args, { input, env, cwd: join(home, 'shop'), maxBuffer: 1 << 26 });
  const ms = Number(process.hrtime.bigint() - begin) / 1e6;
  const out = String(ran.stdout);
  if (ran.status !== ends || (prints === '' ? out !== '' : !out.includes(prints ?? '')))
    throw new Error(`${command} ${args.join(' ')} ended with ${ran.status} and printed ${out.slice(0, 200)}`);
  return ms;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** `ratio` is the median of the pairs' own ratios: what else the machine does then slows both sides of a pair. */
function print(name, ours, other, theirs, ratio, bound) {
  const cells = [
    name.padEnd(44),
    ours.toFixed(2).padStart(8),
    `/ ${other}`.padEnd(28),
    theirs.toFixed(2).padStart(8),
  ];
  console.log(
    ...cells,
    `= ${ratio.toFixed(2).padStart(6)}`,
    `(at most ${bound})`,
    ratio <= bound ? '' : 'ABOVE',
  );
}

/** Rows: { name, run, against: { name, run }, bound }; each run is { command, args, input?, prints?, ends?, env? }. */
const rows = [...(await fireRows(home)), ...(await cliRows(home, hookEnv))].filter((row) =>
  row.name.includes(part),
);
console.log(`${runs} paired runs each; medians in ms, and the median of the ratios`);
for (const { name, run, against, bound } of rows) {
  // Encoded once: that is no cost of a hook.
  run.input = Buffer.from(run.input ?? '');
  const pairs = [];
  for (let i = 0; i < runs + 3; i++) {
    const pair = [];
    for (const side of i % 2 ? [0, 1] : [1, 0]) pair[side] = time(side === 0 ? run : against.run);
    if (i >= 3) pairs.push(pair);
  }
  const [ours, theirs] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
  print(name, ours, against.name, theirs, median(pairs.map(([a, b]) => a / b)), bound);
}
if ('planning'.includes(part)) {
  const [least, ...larger] = await planningRows(Math.ceil(runs / 6));
  for (const { n, times } of larger) {
    const ratio = median(times.map((ms, i) => ms / least.times[i]));
    print(
      `planning ${n}, per declaration`,
      median(times),
      `planning ${least.n}`,
      median(least.times),
      ratio,
      1.5,
    );
  }
}
if ('plugin'.includes(part)) {
  writePlugin(join(home, 'plugin'), readFileSync(PROGRAM, 'utf8'));
  for (const [name, ms, most] of await measure(join(home, 'plugin')))
    console.log(`${name.padEnd(44)} ${ms.toFixed(3)} ms (at most ${most}) ${ms <= most ? '' : 'ABOVE'}`);
}
if ('prompts'.includes(part)) {
  console.log(
    `a session with ${PROMPTS} prompts, each with a hook that calls a tool; and how often it fits into the first`,
  );
  const ways = await sessions(join(home, 'session'), hookEnv, time);
  const sum = (times) => times.reduce((all, ms) => all + ms, 0);
  for (const [name, times] of ways)
    console.log(
      name.padEnd(44),
      `${(sum(times) / 1000).toFixed(1).padStart(6)} s`,
      `${median(times).toFixed(0).padStart(6)} ms a prompt`,
      `${(sum(ways[0][1]) / sum(times)).toFixed(1).padStart(6)} times faster`,
    );
}
rmSync(home, { recursive: true, force: true });
