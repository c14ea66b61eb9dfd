import type { Context } from '../../app/context.ts';
import { Fault } from '../../messages/fault.ts';
import { chooseServer } from '../choose-server.ts';
import type { Exit } from '../exit.ts';
import type { CommonFlags } from '../flags.ts';
import { installFrozen } from '../install-frozen.ts';
import { asks, installOne, resultJson } from '../install-server.ts';
import { printJson } from '../json/print.ts';
import { namedServer, requestFrom } from '../request.ts';

/** `mcphooks install`: plan, show, ask, write. */
export async function run(
  [server, command]: [server: string | undefined, command: string[]],
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  if (flags.frozen) return installFrozen(server, command, flags, context);
  const mayAsk = asks(flags);
  const words = namedServer(server, flags);
  const named = words.server ?? (mayAsk && context.interactive() ? await chooseServer(context) : undefined);
  if (named === undefined) throw new Fault('usage.no-server', { verb: 'install' });
  const request = {
    ...requestFrom(named, command, words.flags),
    keepsFile: true as const,
    ...(mayAsk && { offers: true as const }),
  };
  const result = await installOne({ request, flags, context });
  if (flags.json) printJson('install', resultJson(result), context);
  return result.exit;
}
