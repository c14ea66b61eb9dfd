/**
 * Tries the properties of the tests with ever new values, for as long as one likes.
 *   npm run fuzz -- [--seconds N] [--seed S] [target...]
 * Each target gets N seconds (60), in rounds with a seed of their own, which is printed before each: a round with
 * that seed alone (`--seed S --rounds 1`) tries the same values again. Ends with `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** What is tried, and the tests that hold its properties and generators. */
const TARGETS = {
  definitions: ['test/servers/definition-hash.test.ts', 'test/servers/mask.test.ts'],
  trees: ['test/project/tree.test.ts'],
  files: ['test/edit/properties.test.ts', 'test/edit/flat.test.ts'],
  sequences: ['test/sequences/sequences.test.ts'],
  payloads: ['test/fire/prefilter.test.ts', 'test/plan/matcher.test.ts', 'test/fire/glob.test.ts'],
};
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, rounds: { type: 'string' } },
});
const seconds = Number(values.seconds ?? 60);
const rounds = Number(values.rounds ?? Number.POSITIVE_INFINITY);
const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const names = positionals.length > 0 ? positionals : Object.keys(TARGETS);
const unknown = names.filter((name) => !Object.hasOwn(TARGETS, name));
const fitting = [seconds, first, values.rounds === undefined ? 1 : rounds].every(
  (n) => Number.isFinite(n) && n >= 0,
);
if (unknown.length > 0 || !fitting) {
  console.error(
    `npm run fuzz -- [--seconds N] [--seed S] [--rounds N] [${Object.keys(TARGETS).join('] [')}]`,
  );
  process.exit(1);
}

/** Of one property in one round: long enough to come to rare values, and short enough that all get their turn. */
const slice = Math.min(30_000, Math.max(500, seconds * 100));

/** Whether a target holds for its time. */
function holds(name) {
  const end = Date.now() + seconds * 1000;
  for (let round = 0; round < rounds && (round === 0 || Date.now() < end); round++) {
    const seed = (first + round) % 2 ** 31;
    console.log(`== ${name}: --seed ${seed}`);
    const program = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [program, 'run', '--reporter=dot', '--testTimeout=0', ...TARGETS[name]];
    const env = { MCPHOOKS_TEST: 'long', ...process.env, MCPHOOKS_FUZZ: `${seed}/${slice}` };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    if (status === 0) continue;
    console.log(stdout, stderr);
    console.log(
      `!! ${name} failed; again: npm run fuzz -- ${name} --seconds ${seconds} --seed ${seed} --rounds 1`,
    );
    return false;
  }
  return true;
}

const failed = names.filter((name) => !holds(name)).length;
console.log(`${names.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
