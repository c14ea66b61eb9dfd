import { isAbsolute } from 'node:path';
import { HERE } from '../base/platform.ts';
import { asSpelled } from '../base/real-path.ts';
import { CLIENTS } from './list.ts';

/** Variables with the folders of the user and of mcphooks. */
const OWN = ['USERPROFILE', 'LOCALAPPDATA', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME'];

/**
 * Gives the variables with mcphooks', users' and clients' folders the spelling of the disk: on Windows any case of
 * letters, both slashes and short names name one folder, whose files would be recorded twice, and whose entries would
 * change.
 */
export function respellFolders(env: Record<string, string | undefined>): void {
  if (!HERE.windows) return;
  for (const name of [...OWN, ...CLIENTS.flatMap(({ home }) => home.env ?? [])]) {
    const folder = env[name];
    if (folder && isAbsolute(folder)) env[name] = asSpelled(folder);
  }
}
