// Ratios of paired runs (npm run bench). Only printed, never asserted: how to read them is in docs/performance.md.
//   npm run bench [-- <runs>] [-- <part of a row's name>]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fireRows } from './fire.mjs';

const runs = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 60);
const part = process.argv.slice(2).find((word) => !/^\d+$/.test(word)) ?? '';
const home = mkdtempSync(join(tmpdir(), 'mcphooks-bench-'));
mkdirSync(join(home, 'shop', '.git'), { recursive: true });

/** Milliseconds of one run. A run that doesn't print what it should is worth no number. */
function time({ command, args, input, prints }) {
  const env = { PATH: process.env.PATH, HOME: home, CLAUDE_PROJECT_DIR: join(home, 'shop') };
  const begin = process.hrtime.bigint();
  const ran = spawnSync(command, args, { input, env, cwd: join(home, 'shop'), maxBuffer: 1 << 26 });
  const ms = Number(process.hrtime.bigint() - begin) / 1e6;
  const out = String(ran.stdout);
  if (ran.status !== 0 || (prints === '' ? out !== '' : !out.includes(prints ?? '')))
    throw new Error(`${command} ${args.join(' ')} ended with ${ran.status} and printed ${out.slice(0, 200)}`);
  return ms;
}

const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

/** Rows: { name, run, against: { name, run }, bound }; each run is { command, args, input?, prints? }. */
const rows = [...(await fireRows(home))].filter((row) => row.name.includes(part));
console.log(`${runs} paired runs each, medians in ms`);
for (const { name, run, against, bound } of rows) {
  // Encoded once: that is no cost of a hook.
  run.input = Buffer.from(run.input ?? '');
  const times = [[], []];
  for (let i = 0; i < runs + 3; i++) {
    const order = i % 2 ? [0, 1] : [1, 0];
    for (const side of order) {
      const ms = time(side === 0 ? run : against.run);
      if (i >= 3) times[side].push(ms);
    }
  }
  const [ours, theirs] = times.map(median);
  const ratio = ours / theirs;
  const cells = [
    name.padEnd(44),
    ours.toFixed(2).padStart(8),
    `/ ${against.name}`.padEnd(28),
    theirs.toFixed(2).padStart(8),
  ];
  console.log(
    ...cells,
    `= ${ratio.toFixed(2).padStart(6)}`,
    `(at most ${bound})`,
    ratio <= bound ? '' : 'ABOVE',
  );
}
rmSync(home, { recursive: true, force: true });
