/** An administrator's files in /etc, for one process and what it starts: nothing of this machine's /etc is touched. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ALONE = ['unshare', '--mount', 'sh', '-c'];
const OVER = `set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/up" "$1/work"
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$1/up,workdir=$1/work" /etc
cp -R "$2/." /etc
shift 2
exec "$@"`;

/** Linux, and the right to mount. */
export const canManage =
  spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;

/** A command that runs with `files`: path under /etc -> text. */
export function managed(world, files, command) {
  const [etc, scratch] = [join(world.dir, 'etc'), join(world.dir, 'scratch')];
  mkdirSync(scratch, { recursive: true });
  rmSync(etc, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(etc, path)), { recursive: true });
    writeFileSync(join(etc, path), text);
  }
  return [...ALONE, OVER, 'sh', scratch, etc, ...command];
}
