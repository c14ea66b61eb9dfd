import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';

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
