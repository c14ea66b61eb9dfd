import { findServers } from '../../servers/definitions/resolve.ts';
import type { ServerTool } from '../../servers/types.ts';
import { startApprovals } from '../approval/approvals.ts';
import { namesThisFolder } from '../approval/start-gate.ts';
import type { Context } from '../context.ts';
import { openRecord } from '../open-record.ts';
import type { Request } from '../request.ts';
import { askServer } from './ask-server.ts';
import { findEntry } from './find-entry.ts';
import { serverReference } from './server-reference.ts';
import { unknownServer } from './unknown-server.ts';

/** Asks a server, through the gate, for its tools and whether it declares hooks. Faults as `askServer`. */
export async function readTools(
  request: Request,
  context: Context,
): Promise<{ tools: readonly ServerTool[]; toolsRefusal?: string; declares: boolean }> {
  const { env, cwd } = context;
  const table = findServers({ env, cwd });
  const reference = serverReference(request, undefined, cwd);
  const entry = findEntry(request, reference, { previous: undefined, table, installed: [] });
  if (!entry) throw unknownServer(request.server, reference, table, []);
  const named = request.given !== undefined && namesThisFolder(request.given, context);
  const approvals = startApprovals(openRecord(context).record, context);
  const { reading } = await askServer(
    { question: { ...request, named }, entry, approvals, wanted: { tools: true } },
    context,
  );
  const { tools = [], toolsRefusal, place } = reading;
  return { tools, ...(toolsRefusal !== undefined && { toolsRefusal }), declares: place !== undefined };
}
