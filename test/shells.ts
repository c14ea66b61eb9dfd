import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the real path of a shell; undefined when this machine hasn't got it. */
export function shellPath(shell: string): string | undefined {
  const { stdout } = spawnSync('/bin/sh', ['-c', `command -v ${shell}`], { encoding: 'utf8' });
  // Null where there is no /bin/sh.
  const found = stdout?.trim() ?? '';
  return found === '' ? undefined : realpathSync(found);
}

/** Returns the command lines whose shell is on this machine; says which are left out. */
export function present(shells: readonly string[][]): string[][] {
  return shells.filter(([shell = '']) => {
    const found = shellPath(shell) !== undefined;
    if (!found) console.warn(`SKIPPED: ${shell} isn't on this machine`);
    return found;
  });
}

/** Makes a folder for PATH, below another one, whose `mkdir` ignores the umask, as below a folder with a default ACL. */
export function mkdirBelowAcl(folder: string): string {
  const tools = join(folder, 'acl');
  mkdirSync(tools);
  writeFileSync(join(tools, 'mkdir'), '#!/bin/sh\numask 0; exec /bin/mkdir "$@"\n', { mode: 0o700 });
  return tools;
}
