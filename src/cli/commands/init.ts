import { resolve } from 'node:path';
import type { Context } from '../../app/context.ts';
import { propose } from '../../app/declarations/propose.ts';
import { reachedBy } from '../../app/server/reached-by.ts';
import { readTools } from '../../app/server/read-tools.ts';
import { assertNew, writeNewFile } from '../../app/write/new-file.ts';
import { excerpt } from '../../base/visible.ts';
import { Fault } from '../../messages/fault.ts';
import { declaresItself, nextStep, reasonText } from '../../messages/init.ts';
import type { Exit } from '../exit.ts';
import type { CommonFlags } from '../flags.ts';
import { requestFrom } from '../request.ts';

interface InitFlags extends CommonFlags {
  out?: string;
}

/** `mcphooks init`: proposes declarations from a server's tools: JSON on stdout or in a new file, reasons on stderr. */
export async function run(
  [server, command]: [server: string, command: string[]],
  { out, ...flags }: InitFlags,
  context: Context,
): Promise<Exit> {
  const file = out === undefined ? undefined : resolve(context.cwd, out);
  if (file !== undefined) assertNew(file);
  const request = requestFrom(server, command, flags);
  const { tools, toolsRefusal, declares } = await readTools(request, context);
  const proposed = propose(server, tools);
  if (proposed.length === 0)
    throw new Fault('init.no-tools', {
      name: server,
      tools: tools.map(({ name }) => excerpt(name)).slice(0, 3),
      ...(toolsRefusal !== undefined && { refusal: toolsRefusal }),
    });
  const text = JSON.stringify({ declarations: proposed.map(({ declaration }) => declaration) }, null, 2);
  if (file === undefined) context.out(text);
  else writeNewFile(file, `${text}\n`);
  if (declares) context.err(declaresItself(server));
  for (const [i, { reason, tools }] of proposed.entries()) context.err(reasonText(i + 1, reason, tools));
  context.err(nextStep(server, out, reachedBy(request)));
  return 0;
}
