// Makes a fresh clone ready: installs what package-lock.json names, when it isn't installed, and builds, when dist/
// was built from other sources.
// Uses nothing but Node, since it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const stamp = join(root, 'node_modules', '.mcphooks-lock');
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // npm is a batch file on Windows. The path of node may hold a blank, which a shell would take for its end.
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (status !== 0) {
    console.error(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
    process.exit(status || 1);
  }
}

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, wanted);
}
run(process.execPath, [join(root, 'build.mjs'), '--if-changed']);
