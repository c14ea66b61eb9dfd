import { isObject, valueAt } from '../base/json-value.ts';
import { EVENTS } from '../declarations/types.ts';
import { HOOK_PATHS } from '../servers/mcp/announce.ts';
import { checked, type HooksDocument, hooksCapabilities } from './define-hooks.ts';

/** What the SDKs' `Server` and `McpServer` have in common (v1 and v2), without depending on either. */
interface Connecting {
  connect(transport: object): Promise<void>;
  readonly transport?: unknown;
}

/** A transport of theirs: one of its callbacks, one of its methods. */
interface Transport {
  onmessage?: ((message: unknown, extra: unknown) => void) | undefined;
  send: (message: unknown, options: unknown) => Promise<void>;
}

/** Where a client says in a request what it can do, by the methods whose answers have the server's capabilities. */
const ANNOUNCED: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['initialize', ['params', 'capabilities']],
  ['server/discover', ['params', '_meta', 'io.modelcontextprotocol/clientCapabilities']],
]);

/**
 * Lets a server of the official TypeScript SDKs declare hooks, before it is connected, and returns it. A client gets
 * the hooks of the events that it announces, in all three places; one that announces none gets none, as SEP-2282 has it.
 */
export function withHooks<Server extends Connecting | { readonly server: Connecting }>(
  server: Server,
  hooks: HooksDocument,
): Server {
  const declared = checked(hooks, withHooks);
  const low: Connecting = 'server' in server ? server.server : server;
  if (low.transport !== undefined) throw new TypeError('withHooks is to be called before connect');
  const connect = low.connect.bind(low);
  low.connect = (transport) => {
    declareOver(transport as Transport, declared);
    return connect(transport);
  };
  return server;
}

/**
 * On the wire, since the SDKs hide a client's `hooks` from the server and fix its capabilities before there is a client.
 * They call the `onmessage` that a transport already has before their own.
 */
function declareOver(transport: Transport, hooks: HooksDocument): void {
  const asked = new Map<unknown, readonly string[]>();
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const path = ANNOUNCED.get(valueAt(message, ['method']));
    const events = path && eventsOf(valueAt(message, path));
    if (events) asked.set(valueAt(message, ['id']), events);
    onmessage?.(message, extra);
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const id = valueAt(message, ['id']);
    const events = valueAt(message, ['method']) === undefined ? asked.get(id) : undefined;
    if (!events) return send(message, options);
    asked.delete(id);
    return send(withCapabilities(message, hooksCapabilities(hooks, events)), options);
  };
}

/** The events that a client announces in any place; without a list, all. Undefined: it knows no hooks. */
function eventsOf(capabilities: unknown): readonly string[] | undefined {
  const announced = HOOK_PATHS.map((path) => valueAt(capabilities, path)).filter(isObject);
  if (announced.length === 0) return undefined;
  return announced.flatMap(({ supported_events: events }) => (Array.isArray(events) ? events : EVENTS));
}

/** An answer whose capabilities hold these, too; one that is an error as it is. */
function withCapabilities(message: unknown, declared: object): unknown {
  const capabilities = valueAt(message, ['result', 'capabilities']);
  if (!isObject(message) || !isObject(message.result) || !isObject(capabilities)) return message;
  const merged = Object.entries(declared).map(([key, value]) => {
    const before = capabilities[key];
    return [key, key !== 'hooks' && isObject(before) ? { ...before, ...value } : value];
  });
  return {
    ...message,
    result: { ...message.result, capabilities: { ...capabilities, ...Object.fromEntries(merged) } },
  };
}
