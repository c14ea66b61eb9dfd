import { isObject, valueAt } from '../base/json-value.ts';
import { pathText } from '../declarations/path.ts';
import { EVENTS } from '../declarations/types.ts';
import { HOOK_PATHS } from '../servers/mcp/announce.ts';
import { checked, type HooksDocument, hooksCapabilities } from './define-hooks.ts';
import { inWords } from './in-words.ts';

/** Common members of the SDKs' `Server` and `McpServer` (v1 and v2), so that neither is a dependency. */
interface Connecting {
  connect(transport: object): Promise<void>;
  readonly transport?: unknown;
}

/** The members of an SDK's transport that are used here: one callback and one method. */
interface ServerTransport {
  onmessage?: ((message: unknown, extra: unknown) => void) | undefined;
  send: (message: unknown, options: unknown) => Promise<void>;
}

/** By method, the path at which a request contains the client's capabilities; the answers contain the server's. */
const ANNOUNCED: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['initialize', ['params', 'capabilities']],
  ['server/discover', ['params', '_meta', 'io.modelcontextprotocol/clientCapabilities']],
]);

/**
 * Lets a server of the official TypeScript SDKs declare hooks, and returns the server. Call it before connecting. Each
 * client receives the hooks of the events that it announces, in all three places; a client that announces none receives
 * none, as in SEP-2282. Throws `Faults` for the hooks, and a TypeError for a server that can't be given them.
 */
export const withHooks: <Server extends Connecting | { readonly server: Connecting }>(
  server: Server,
  hooks: HooksDocument,
) => Server = inWords((server, hooks) => {
  const low = connecting(server);
  if (!isObject(hooks))
    throw new TypeError('withHooks takes what defineHooks returns; give the list to defineHooks');
  const declared = checked(hooks);
  if (WITH_HOOKS.has(low))
    throw new TypeError(
      'withHooks: this server has hooks already; give defineHooks one list with all of them',
    );
  if (low.transport !== undefined) throw new TypeError('withHooks has to be called before connect');
  refuseOwnHooks(low);
  WITH_HOOKS.add(low);
  const connect = low.connect.bind(low);
  low.connect = async (transport) => {
    // Capabilities may be registered until a server connects.
    refuseOwnHooks(low);
    declareOver(transport as ServerTransport, declared);
    return connect(transport);
  };
  return server;
});

/** Servers that were given hooks. */
const WITH_HOOKS = new WeakSet<Connecting>();

/** Returns the object that connects: a `Server`, or the one in an `McpServer`. */
function connecting(server: unknown): Connecting {
  const low = isObject(server) && 'server' in server ? server.server : server;
  if (!isObject(low) || typeof low.connect !== 'function')
    throw new TypeError('withHooks takes an McpServer or a Server of the TypeScript SDKs, then its hooks');
  return low as unknown as Connecting;
}

/** Throws for a server that declares hooks of its own, of which a client could receive only one part. */
function refuseOwnHooks(low: Connecting): void {
  // Private in the types of the SDK v1.
  const capabilities = (low as { getCapabilities?: () => unknown }).getCapabilities?.();
  const own = HOOK_PATHS.find((path) => valueAt(capabilities, path) !== undefined);
  if (own)
    throw new TypeError(
      `withHooks: this server already declares hooks in capabilities.${pathText(own)}; give all of them to defineHooks`,
    );
}

/**
 * Adds the hooks in the transport, because the SDKs hide a client's `hooks` from the server and fix the server's
 * capabilities before a client connects. The SDKs call a transport's existing `onmessage` before their own.
 */
function declareOver(transport: ServerTransport, hooks: HooksDocument): void {
  const eventsWanted = new Map<unknown, readonly string[]>();
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const path = ANNOUNCED.get(valueAt(message, ['method']));
    const events = path && eventsOf(valueAt(message, path));
    if (events) eventsWanted.set(valueAt(message, ['id']), events);
    onmessage?.(message, extra);
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const id = valueAt(message, ['id']);
    const events = valueAt(message, ['method']) === undefined ? eventsWanted.get(id) : undefined;
    if (!events) return send(message, options);
    eventsWanted.delete(id);
    return send(withCapabilities(message, hooksCapabilities(hooks, events)), options);
  };
}

/**
 * Returns the events that a client announces in any place, or all events for an announcement without a list. Undefined
 * when the client doesn't support hooks.
 */
function eventsOf(capabilities: unknown): readonly string[] | undefined {
  const announced = HOOK_PATHS.map((path) => valueAt(capabilities, path)).filter(isObject);
  if (announced.length === 0) return undefined;
  return announced.flatMap(({ supported_events: events }) => (Array.isArray(events) ? events : EVENTS));
}

/** Returns an answer with these capabilities added; an error answer unchanged. */
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
