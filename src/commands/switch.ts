import { clientById } from '../clients/index.ts';
import type { Context } from '../context.ts';
import { oneLine, visibleJson } from '../declarations/visible.ts';
import { switchServer } from '../plan/switch.ts';
import type { Exit } from './outcome.ts';

/** `mcphooks disable` and `mcphooks enable`: the entries stay in the clients' files, their shims say nothing. */
export async function switchCommand(
  command: 'disable' | 'enable',
  server: string,
  flags: { json?: boolean },
  context: Context,
): Promise<Exit> {
  const { changed, unreached } = await switchServer(server, command === 'disable', context);
  const state = command === 'disable' ? 'disabled' : 'enabled';
  const status = changed ? state : 'unchanged';
  if (flags.json) {
    const document = { version: 1, command, status, exit: 0, server, unreached, faults: [] };
    context.out(visibleJson(document));
    return 0;
  }
  const name = oneLine(server);
  const effect =
    command === 'disable'
      ? `its hooks stay silent, in running sessions too. 'mcphooks enable ${name}' lets them speak again`
      : 'its hooks speak again, in running sessions too';
  context.err(changed ? `${name} is ${state}: ${effect}.` : `Nothing to do: ${name} is ${state} already.`);
  for (const id of unreached)
    context.err(
      `${context.errStyle('magenta', 'Not silenced:')} hooks for which ${clientById(id).title} calls a tool of ${name} itself (--handler mcp_tool). Only 'mcphooks uninstall ${name}' or the client's own settings end them.`,
    );
  return 0;
}
