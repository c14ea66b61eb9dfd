import type { ClientId } from '../../src/clients/client.ts';
import { clientById } from '../../src/clients/index.ts';
import { EVENTS } from '../../src/declarations/types.ts';
import type { PayloadShape } from '../../src/fire/format.ts';
import { compile } from '../../src/plan/compile/compile.ts';
import { DEFAULT_OPTIONS } from '../../src/plan/options.ts';

/** Aliases of MCP servers that the captured payloads are of, and such that clients write alike. */
const KNOWN = ['mem', 'memo', 'memory', 'my-server', 'my_server', 'my server.x'];

/** What a client's payloads look like at a native event, as the compiler says it; without one, after a tool. */
export function shapeOf(client: string, native?: string): PayloadShape {
  const declarations = EVENTS.map((event) => ({ event, context: 'x', priority: 'suggestion' as const }));
  const { shims } = compile(declarations, {
    client: clientById(client as ClientId),
    servers: { alias: 'mem', known: KNOWN },
    slug: 'mem',
    options: { ...DEFAULT_OPTIONS, sessionEnd: 'defer' },
    shimFolder: '/shims',
    toolAccess: { note: { code: 'unsupported.no-definition', args: {} } },
    invoke: (path) => ({ command: path }),
    mark: (key) => key,
    documentTools: [],
  });
  const data = shims.map((shim) => shim.data);
  const found =
    data.find((one) => one.native === native) ??
    data.find(({ hooks }) => hooks.some(({ event }) => event === 'post_tool_use'));
  if (!found) throw new Error(`${client} has no tool event`);
  return found.payload;
}
