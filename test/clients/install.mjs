/** Installs the pinned clients when they are missing, and finds their programs for this platform. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const platform = `${process.platform}-${process.arch}`;
const TRIPLES = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};

/** Native binaries come inside per-platform packages, which install scripts would only copy. */
const native = (manifest, name, path) =>
  join(dirname(createRequire(manifest).resolve(`${name}-${platform}/package.json`)), path);

const CLIENTS = [
  {
    id: 'claude-code',
    folder: here,
    name: '@anthropic-ai/claude-code',
    program: (m) => [native(m, '@anthropic-ai/claude-code', 'claude')],
  },
  {
    id: 'codex',
    folder: here,
    name: '@openai/codex',
    program: (m) => [native(m, '@openai/codex', `vendor/${TRIPLES[platform]}/bin/codex`)],
  },
  {
    id: 'gemini-cli',
    folder: here,
    name: '@google/gemini-cli',
    program: (m) => [process.execPath, join(dirname(m), 'bundle/gemini.js')],
  },
  ...['2.1.118', '2.1.250'].map((version) => ({
    id: 'claude-code',
    older: true,
    folder: join(here, 'older'),
    name: `claude-code-${version}`,
    program: (m) => [native(m, '@anthropic-ai/claude-code', 'claude')],
  })),
];

function wanted(folder, name) {
  const { version } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages[
    `node_modules/${name}`
  ];
  return version;
}

function find({ id, older = false, folder, name, program }) {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  const version = wanted(folder, name);
  try {
    const installed = JSON.parse(readFileSync(manifest, 'utf8')).version;
    if (installed !== version) return { id, older, version, missing: `${installed} is installed` };
    const command = program(manifest);
    const absent = command.find((file) => !existsSync(file));
    return absent ? { id, older, version, missing: `no ${absent}` } : { id, older, version, command };
  } catch (error) {
    return { id, older, version, missing: error.message.split('\n')[0] };
  }
}

/** [{ id, version, older, command }] or, where a client can't be had, { ..., missing: reason }. `only`: the id of one. */
export function installClients({ older, only }) {
  const chosen = CLIENTS.filter((c) => (older || !c.older) && (!only || c.id === only));
  for (const folder of new Set(chosen.filter((c) => find(c).missing).map((c) => c.folder))) {
    process.stderr.write(`installing the pinned clients into ${folder}\n`);
    spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      stdio: ['ignore', 2, 2],
    });
  }
  return chosen.map(find);
}
