#!/usr/bin/env node
/**
 * How much more a client's session takes with hooks that have nothing to say in it: pairs of sessions with one prompt,
 * with and without, in turns. What else the machine does slows both sides of a pair; the time of the processor, that of
 * all processes of a session, is the steadier measure on a busy machine.
 *   node test/clients/start.mjs --client opencode [--pairs 20]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBench } from './bench.mjs';
import { installClient } from './install.mjs';
import { OF } from './of.mjs';
import { count } from './requests.mjs';

const { values } = parseArgs({ options: { client: { type: 'string' }, pairs: { type: 'string' } } });
const { client: id, pairs = '20' } = values;
const HOOKS = [
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash', input_contains: 'git commit' },
    context: 'MARK-COMMIT',
    priority: 'suggestion',
  },
];

const client = installClient(id, OF[id].versions[0]);
if (client.missing) throw new Error(client.missing);
const variant = { client, ...OF[id].variants?.[0] };
/** Bash says what its children took: the second line that `times` prints. */
const timed = (file) => ({
  ...client,
  command: ['bash', '-c', '"$@"; c=$?; times >"$0"; exit $c', file, ...client.command],
});
const seconds = (text) => {
  const [, minutes, rest] = /^(\d+)m([\d.]+)s$/.exec(text);
  return Number(minutes) * 60 + Number(rest);
};
const benches = [await makeBench(variant, HOOKS), await makeBench(variant, HOOKS)];
const [ours, without] = benches;
/** Milliseconds of a session: of the clock, and of the processor. */
async function time({ talk, world }) {
  const file = join(world.dir, 'times');
  const begin = performance.now();
  const { code, requests } = await talk([{ turns: [{ say: 'ANSWER' }] }], { client: timed(file) });
  const clock = performance.now() - begin;
  if (code !== 0 || requests.length !== 1 || count(requests, 0, 'MARK-') > 0)
    throw new Error(`it ended with ${code} after ${requests.length} requests`);
  const [user, system] = readFileSync(file, 'utf8').split('\n')[1].split(' ').map(seconds);
  return { clock, processor: (user + system) * 1000 };
}

const quantile = (numbers, part) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * part)];
const shown = (numbers) => [0.25, 0.5, 0.75].map((part) => quantile(numbers, part).toFixed(0)).join(' / ');
try {
  await ours.install();
  const found = [];
  for (let i = -2; i < Number(pairs); i++) {
    const pair = [];
    for (const side of i % 2 ? [0, 1] : [1, 0]) pair[side] = await time(benches[side]);
    if (i >= 0) found.push(pair);
  }
  console.log(`${id} ${client.version}, ${pairs} pairs; lower quarter / median / upper quarter in ms`);
  for (const what of ['clock', 'processor']) {
    console.log(`${what}: with hooks  ${shown(found.map(([a]) => a[what]))}`);
    console.log(`${what}: without     ${shown(found.map(([, b]) => b[what]))}`);
    console.log(`${what}: difference  ${shown(found.map(([a, b]) => a[what] - b[what]))}`);
  }
} finally {
  for (const bench of [ours, without]) bench.remove();
}
