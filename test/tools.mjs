/**
 * Runs the tests of hook scripts with the tools of other systems: `node test/tools.mjs [toybox] [busybox]`. macOS has
 * neither GNU's tools nor those of Linux: what the scripts call has to do with what POSIX says.
 *
 *   --bash FILE   also takes this program for bash, say a 3.2, which is what macOS has
 *   --tmp FOLDER  temporary files go there, say a file system that doesn't tell `A` from `a`
 *
 * Ends with `N passed, N failed, N skipped`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
/** What templates/*.sh call and no shell has built in. */
const TOOLS = ['cat', 'cksum', 'date', 'find', 'grep', 'kill', 'mkdir', 'mv', 'rm', 'sleep'];
const TESTS = [
  'fire/shim',
  'fire/log',
  'fire/harmless',
  'fire/prefilter',
  'fire/kept-texts',
  'fire/when',
  'joint/',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bash: { type: 'string' }, tmp: { type: 'string' } },
});
const total = { passed: 0, failed: 0, skipped: 0 };

function run(name, program) {
  const folder = mkdtempSync(join(tmpdir(), 'mcphooks-tools-'));
  try {
    for (const tool of TOOLS) symlinkSync(program, join(folder, tool));
    if (values.bash) symlinkSync(resolve(values.bash), join(folder, 'bash'));
    const report = join(folder, 'report.json');
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile=${report}`];
    const env = { MCPHOOKS_TEST: 'long', ...process.env, PATH: `${folder}:${process.env.PATH}` };
    if (values.tmp) env.TMPDIR = resolve(values.tmp);
    console.log(`== hook scripts with the tools of ${name}`);
    const files = TESTS.map((test) => `test/${test}`);
    const { status } = spawnSync('npx', ['vitest', ...args, ...files], { cwd: ROOT, env, stdio: 'inherit' });
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
    total.passed += numPassedTests;
    total.failed += numFailedTests || (status === 0 ? 0 : 1);
    total.skipped += numPendingTests;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const name of positionals.length > 0 ? positionals : ['toybox', 'busybox']) {
  const path = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' }).stdout.trim();
  if (path) run(name, path);
  else {
    console.log(`!! SKIPPED: hook scripts with the tools of ${name}, which isn't on this machine`);
    total.skipped++;
  }
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);
