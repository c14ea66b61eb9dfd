/** Installs clients where they are missing, each version into a folder of its own, and finds their programs. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OF } from './of.mjs';

const INSTALLED = join(import.meta.dirname, 'installed');
const platform = `${process.platform}-${process.arch}`;
const triple = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
}[platform];
const [ourNode] = process.versions.node.split('.').map(Number);

/** npm packages: the client's, and a Node where it needs a later one than this. */
const packages = ({ package: name, node }, version) => ({
  [name]: version,
  ...(node > ourNode ? { [`node-${platform}`]: String(node) } : {}),
});

/** The program's command, or why there is none. */
function find(id, version, folder) {
  const { package: name, program } = OF[id];
  try {
    const require = createRequire(join(folder, 'package.json'));
    // Not every package lets its package.json be resolved.
    const packed = (of, from = require) =>
      from.resolve
        .paths(of)
        .map((dir) => join(dir, of))
        .find(existsSync) ?? dirname(from.resolve(`${of}/package.json`));
    const manifest = join(folder, 'node_modules', name, 'package.json');
    const installed = JSON.parse(readFileSync(manifest, 'utf8')).version;
    if (installed !== version) return { missing: `${installed} is installed` };
    const command = program({
      manifest,
      // Native binaries come inside packages for each platform, which install scripts would only copy.
      native: (path, of = name) => join(packed(`${of}-${platform}`, createRequire(manifest)), path),
      triple,
      node: OF[id].node > ourNode ? join(packed(`node-${platform}`), 'bin/node') : process.execPath,
    });
    const absent = command.find((file) => !existsSync(file));
    return absent ? { missing: `no ${absent}` } : { command };
  } catch (error) {
    return { missing: error.message.split('\n')[0] };
  }
}

/** { id, version, older, command }, or { ..., missing: why it can't be had }. `within`: the folder for all clients. */
export function installClient(id, version, within = INSTALLED) {
  const folder = join(within, `${id}-${version}`);
  if (find(id, version, folder).missing) {
    process.stderr.write(`installing ${OF[id].package} ${version}\n`);
    mkdirSync(folder, { recursive: true });
    const manifest = { private: true, dependencies: packages(OF[id], version) };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    spawnSync('npm', ['install', ...options], { cwd: folder, stdio: ['ignore', 2, 2] });
  }
  return { id, version, older: version !== OF[id].versions[0], ...find(id, version, folder) };
}

/** The pinned clients. `older`: their older versions, too; `only`: the id of one. */
export const pinned = ({ older, only }) =>
  Object.entries(OF)
    .filter(([id]) => !only || id === only)
    .flatMap(([id, { versions = [] }]) =>
      (older ? versions : versions.slice(0, 1)).map((version) => [id, version]),
    );
