#!/usr/bin/env node
/**
 * What one does when a client is released:
 *   npm run reprove                          says of which clients npm has a newer version
 *   npm run reprove -- <client>@<version>
 * Runs all cells of that version, installed into a temporary folder. Where all come out, writes them into proved.json
 * and docs/clients.md, its tools into tools.json, and the version into the client's own files. Else writes nothing,
 * says what failed, and ends with 1.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OF } from './of.mjs';

const root = join(import.meta.dirname, '../..');
const byNumbers = new Intl.Collator('en', { numeric: true });

function listNewer() {
  for (const [id, { package: name, versions }] of Object.entries(OF)) {
    if (!name || !versions?.[0]) {
      console.log(`${id}: test/clients/of/${id}.mjs says no package or no versions`);
      continue;
    }
    const latest = spawnSync('npm', ['view', name, 'version'], { encoding: 'utf8' }).stdout?.trim();
    const isNewer = byNumbers.compare(latest, versions[0]) > 0;
    if (!latest) console.log(`${id}: npm says nothing of ${name}`);
    else if (isNewer) console.log(`${id}: ${latest} is out; npm run reprove -- ${id}@${latest}`);
    else console.log(`${id}: ${versions[0]} is the newest`);
  }
}

if (process.argv.length === 2) {
  listNewer();
  process.exit();
}

const [, id, version] = /^(.+)@(\d+\.\d+\.\d+\S*)$/.exec(process.argv[2] ?? '') ?? [];
if (!OF[id] || process.argv.length > 3) {
  console.error(
    `npm run reprove -- <client>@<version>, where <client> is one of ${Object.keys(OF).join(', ')}`,
  );
  process.exit(2);
}

const run = (args, env = {}) =>
  spawnSync(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' }).status;
/** Changes one place of a file, which must be there. */
function edit(file, place, value) {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  if (!place.test(text)) throw new Error(`${file} has no ${place}`);
  writeFileSync(path, text.replace(place, value));
}

const folder = mkdtempSync(join(tmpdir(), 'mcphooks-reprove-'));
const which = ['--client', id, '--version', version, '--installed', folder];
try {
  process.exitCode = run(['test/clients/run.mjs', ...which, '--cells', '--write']) ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (process.exitCode === 0) {
  const versions = [...new Set([...OF[id].versions, version])].sort((a, b) => byNumbers.compare(b, a));
  const list = versions.map((v) => `'${v}'`).join(', ');
  edit(`test/clients/of/${id}.mjs`, /versions: \[[^\]]*\]/, `versions: [${list}]`);
  edit(
    `src/clients/${id}/index.ts`,
    /oldest: '[^']*',(\s+)newest: '[^']*'/,
    `oldest: '${versions.at(-1)}',$1newest: '${versions[0]}'`,
  );
  process.exitCode =
    run(['node_modules/@biomejs/biome/bin/biome', 'format', '--write', 'src/clients', 'test/clients']) ||
    run(['node_modules/vitest/vitest.mjs', 'run', 'test/docs/clients.test.ts'], { UPDATE_DOCS: '1' });
}
