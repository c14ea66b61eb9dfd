import { HERE } from '../base/platform.ts';
import { asSpelled } from '../base/real-path.ts';
import { CLIENTS } from './list.ts';

/**
 * Gives the variables with users' and clients' folders the spelling of the disk: on Windows any case of letters and both
 * slashes name one folder, whose files would be recorded twice.
 */
export function respellFolders(env: Record<string, string | undefined>): void {
  if (!HERE.windows) return;
  const names = ['USERPROFILE', ...CLIENTS.flatMap(({ home }) => home.env ?? [])];
  for (const name of names) {
    const folder = env[name];
    if (folder) env[name] = asSpelled(folder);
  }
}
