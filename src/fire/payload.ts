import { ifText, valueAt } from '../base/json-value.ts';
import type { Env } from '../base/paths.ts';
import type { Paths } from '../clients/protocol.ts';
import { canonicalHead } from '../declarations/canonical-name.ts';
import type { SessionSource } from '../declarations/when.ts';
import type { FireHook, PayloadShape } from './format.ts';
import type { ShellLine } from './shell/shell-line.ts';

/** The JSON object that a client wrote to the hook's stdin. */
export type Payload = Record<string, unknown>;

/** Returns the value at a dotted path, own properties only; for several paths, the first value found. */
export function at(payload: unknown, paths: Paths | undefined): unknown {
  if (paths === undefined || typeof paths === 'string') return paths && atPath(payload, paths);
  return paths.map((path) => atPath(payload, path)).find((value) => value !== undefined);
}

const atPath = (payload: unknown, path: string): unknown => valueAt(payload, path.split('.'));

/** Returns the value at a path when that value is a string. */
export const textAt = (payload: unknown, path: Paths | undefined): string | undefined =>
  ifText(at(payload, path));

/** Returns the path of what shows that the client drops text given with this payload; undefined when it doesn't. */
export function dropSignOf(payload: Payload, { keepIf, keepLike }: PayloadShape): string | undefined {
  if (at(payload, keepIf) !== undefined) return keepIf;
  const isLike = keepLike && new RegExp(keepLike.like).test(textAt(payload, keepLike.path) ?? '');
  return isLike ? keepLike.path : undefined;
}

/**
 * The tool of a payload, by canonical names: `Bash`, `mcp__<alias>__<tool>`. Several names where one native tool has
 * several.
 */
export interface Tool {
  names: string[];
  /** Aliases of the MCP servers to which the tool may belong, in the order of `names`; [] for a tool of the client's. */
  servers: string[];
  /** The client's own name of the tool. */
  native: string;
  /** The shell command that the tool runs, read only when a hook has a condition on the command. */
  line?: ShellLine | undefined;
}

/** Returns the tool of a payload. `readLine` reads a shell command; without `readLine`, no tool has a `line`. */
export function toolOf(
  payload: Payload,
  shape: PayloadShape,
  readLine?: (line: string) => ShellLine,
): Tool | undefined {
  const native = textAt(payload, shape.toolName);
  if (native === undefined) return undefined;
  const server = textAt(payload, shape.server);
  const found =
    server === undefined ? byPrefix(native, shape) : [{ server, prefix: prefixOf(native, server) }];
  if (found.length === 0)
    return {
      names: Object.hasOwn(shape.names, native) ? (shape.names[native] ?? []) : [native],
      servers: [],
      native,
      line: readLine && lineOf(payload, shape, native, readLine),
    };
  const names = found.map(({ server: alias, prefix }) => {
    const tool = textAt(payload, shape.serverTool) ?? native.slice(prefix.length);
    return `${canonicalHead(alias)}${tool}`;
  });
  return { names, servers: found.map((f) => f.server), native };
}

function lineOf(
  payload: Payload,
  { shell = {}, toolInput }: PayloadShape,
  native: string,
  readLine: (line: string) => ShellLine,
): ShellLine | undefined {
  const field = Object.hasOwn(shell, native) ? shell[native] : undefined;
  if (field === undefined) return undefined;
  const line = at(at(payload, toolInput), field);
  return readLine(typeof line === 'string' ? line : '');
}

/**
 * Returns the servers with the longest matching prefix. Several aliases can share one (Codex 0.169.0: `my-server`,
 * `my_server`).
 */
function byPrefix(native: string, shape: PayloadShape): { server: string; prefix: string }[] {
  const longest = shape.prefixes.find(([prefix]) => native.startsWith(prefix))?.[0];
  const { own: serverTools } = shape;
  const isServers = serverTools?.tools.includes(native.slice(longest?.length ?? 0));
  return shape.prefixes
    .filter(
      ([prefix, server]) =>
        prefix === longest && (!serverTools || (server === serverTools.server) === isServers),
    )
    .map(([prefix, server]) => ({ server, prefix }));
}

function prefixOf(native: string, server: string): string {
  const prefix = canonicalHead(server);
  return native.startsWith(prefix) ? prefix : '';
}

/** Returns the canonical name by which a hook's matcher accepts the tool; undefined when it doesn't. */
export function acceptedName({ match }: FireHook, tool: Tool | undefined): string | undefined {
  const { name, search, server } = match ?? {};
  const { names: all = [], servers = [] } = tool ?? {};
  // Where a tool may belong to several servers, another server's name of it counts for nothing.
  const names =
    server !== undefined && servers.includes(server) ? all.filter((_, i) => servers[i] === server) : all;
  if (name === undefined) return names[0] ?? '';
  const test = new RegExp(name);
  const isSearch = search && tool?.line?.searches;
  return names.find((n) => test.test(n)) ?? (isSearch ? names[0] : undefined);
}

/** Returns the part of a hook's matcher that refuses the payload, and the payload's value there. */
export function refusal(
  hook: FireHook,
  tool: Tool | undefined,
  input = '',
): { code: 'matcher.tool' | 'matcher.server' | 'matcher.input'; got: string } | undefined {
  const { contains = '', server } = hook.match ?? {};
  const { names = [], servers = [] } = tool ?? {};
  if (acceptedName(hook, tool) === undefined) {
    const run = hook.match?.search && tool?.line?.text;
    return { code: 'matcher.tool', got: names.join(', ') + (run ? `: ${run}` : '') };
  }
  if (server !== undefined && !servers.includes(server))
    return { code: 'matcher.server', got: servers.join(', ') };
  return input.includes(contains) ? undefined : { code: 'matcher.input', got: input };
}

/** Returns how the session began, when the payload contains that. */
export function sourceOf(payload: Payload, { source }: PayloadShape): SessionSource | undefined {
  const word = source && textAt(payload, source.path);
  return word !== undefined && Object.hasOwn(source?.words ?? {}, word) ? source?.words[word] : undefined;
}

/** Returns the id of who reads the texts: the session's id, in a sub-agent with the sub-agent's behind it. */
export function readerOf(payload: Payload, { session, agent }: PayloadShape): string | undefined {
  const [id, sub] = [textAt(payload, session), textAt(payload, agent)];
  return id && sub ? `${id}-${sub}` : id;
}

/**
 * Returns the variable or field that shows another program than this client runs the hook; undefined when none does.
 */
export function foreignSign(payload: Payload, shape: PayloadShape, env: Env): string | undefined {
  const { foreign } = shape;
  if (!foreign) return undefined;
  const session = textAt(payload, shape.session);
  if (foreign.ownSession && session && env[foreign.ownSession] === session) return undefined;
  return (
    foreign.env.find((name) => env[name]) ?? foreign.fields.find((field) => Object.hasOwn(payload, field))
  );
}
