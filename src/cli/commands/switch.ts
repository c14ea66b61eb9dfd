import type { Context } from '../../app/context.ts';
import { switchServer } from '../../app/switch.ts';
import { clientById } from '../../clients/index.ts';
import { notSilenced, STILL_ACTIVE, switched } from '../../messages/done.ts';
import type { Exit } from '../exit.ts';
import { printJson } from '../json/print.ts';

/** `mcphooks disable` and `mcphooks enable`: entries stay in the clients' files, while their shims print nothing. */
const switching =
  (command: 'disable' | 'enable') =>
  async ([server]: [server: string], flags: { json?: boolean }, context: Context): Promise<Exit> => {
    const { changed, unreached } = await switchServer(server, command === 'disable', context);
    const state = command === 'disable' ? 'disabled' : 'enabled';
    const status = changed ? state : 'unchanged';
    if (flags.json) {
      const clients = [...new Set(unreached.map(({ client }) => client))];
      printJson(command, { status, exit: 0, server, unreached: clients, faults: [] }, context);
      return 0;
    }
    context.err(switched(server, state, changed));
    for (const { client, scope } of unreached) {
      const about = notSilenced(server, scope, clientById(client).title);
      context.err(`${context.errStyle('magenta', STILL_ACTIVE)} ${about}`);
    }
    return 0;
  };

export const disable = { run: switching('disable') };
export const enable = { run: switching('enable') };
