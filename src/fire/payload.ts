import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FireHook, PayloadShape } from './types.ts';

/** What a client wrote to the hook's stdin. */
export type Payload = Record<string, unknown>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The value at a dotted path, own properties only. */
export function at(payload: unknown, path: string | undefined): unknown {
  if (path === undefined) return undefined;
  let value = payload;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Payload)[key];
  }
  return value;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The same as a string, where it is one. */
export function textAt(payload: Payload, path: string | undefined): string | undefined {
  return text(at(payload, path));
}

/** The tool of a payload as declarations name it: `Bash`, `mcp__<alias>__<tool>`. Several, where a client has one for many. */
export interface Tool {
  names: string[];
  /** Aliases of the MCP server that it belongs to. */
  servers: string[];
}

export function toolOf(payload: Payload, shape: PayloadShape): Tool | undefined {
  const native = textAt(payload, shape.toolName);
  if (native === undefined) return undefined;
  const server = textAt(payload, shape.server);
  const found =
    server === undefined ? byPrefix(native, shape) : [{ server, prefix: prefixOf(native, server) }];
  if (found.length === 0)
    return {
      names: Object.hasOwn(shape.names, native) ? (shape.names[native] ?? []) : [native],
      servers: [],
    };
  const names = found.map(({ server: alias, prefix }) => {
    const tool = textAt(payload, shape.serverTool) ?? native.slice(prefix.length);
    return `mcp__${safe(alias)}__${tool}`;
  });
  return { names: [...new Set(names)], servers: found.map((f) => f.server) };
}

/** Several aliases can share one native prefix (Codex 0.169.0: `my-server`, `my_server`); the longest prefix counts. */
function byPrefix(native: string, shape: PayloadShape): { server: string; prefix: string }[] {
  const longest = shape.prefixes.find(([prefix]) => native.startsWith(prefix))?.[0];
  return shape.prefixes
    .filter(([prefix]) => prefix === longest)
    .map(([prefix, server]) => ({ server, prefix }));
}

/** Claude's own spelling, in which canonical names are written. */
const safe = (alias: string): string => alias.replace(/[^A-Za-z0-9_-]/g, '_');

function prefixOf(native: string, server: string): string {
  const prefix = `mcp__${safe(server)}__`;
  return native.startsWith(prefix) ? prefix : '';
}

/** The canonical name by which a hook's matcher accepts the payload; undefined: it doesn't. */
export function matched(
  hook: FireHook,
  tool: Tool | undefined,
  input: string | undefined,
): string | undefined {
  const { name, contains, server } = hook.match ?? {};
  const names = tool?.names ?? [];
  const found = name === undefined ? (names[0] ?? '') : names.find((n) => new RegExp(name).test(n));
  if (found === undefined) return undefined;
  if (server !== undefined && !tool?.servers.includes(server)) return undefined;
  return contains === undefined || input?.includes(contains) ? found : undefined;
}

/** Which part of its matcher keeps a hook silent that `matched` refuses, and what the payload has there. */
export function refusal(
  { match }: FireHook,
  tool: Tool | undefined,
  input: string | undefined,
): { code: 'matcher.tool' | 'matcher.server' | 'matcher.input'; got: string } {
  const { name, server } = match ?? {};
  const { names = [], servers = [] } = tool ?? {};
  if (name !== undefined && !names.some((n) => new RegExp(name).test(n)))
    return { code: 'matcher.tool', got: names.join(', ') };
  if (server !== undefined && !servers.includes(server))
    return { code: 'matcher.server', got: servers.join(', ') };
  return { code: 'matcher.input', got: input ?? '' };
}

/** By what another program than the client that runs this hook is known: a variable or a field; undefined: none does. */
export function foreignSign(payload: Payload, shape: PayloadShape, env: Environment): string | undefined {
  const { foreign } = shape;
  if (!foreign) return undefined;
  const session = textAt(payload, shape.session);
  if (foreign.ownSession && session && env[foreign.ownSession] === session) return undefined;
  return (
    foreign.env.find((name) => env[name]) ?? foreign.fields.find((field) => Object.hasOwn(payload, field))
  );
}

/** Whether the client made this prompt itself. `ended`: when the session's last turn ended, if nothing followed. */
export function isContinuation(payload: Payload, shape: PayloadShape, ended: string | undefined): boolean {
  const { continuation } = shape;
  if (!continuation || !ended) return false;
  const beside = textAt(payload, continuation.beside);
  const gap = Date.parse(textAt(payload, continuation.time) ?? '') - Date.parse(ended);
  if (beside === undefined || Number.isNaN(gap)) return false;
  const log = join(dirname(beside), continuation.log);
  return gap <= continuation.withinMs && !promptTimes(log).some((time) => time > ended);
}

/** Of any session of the project: after /clear they stand under the id that the session had before (Gemini CLI 0.61.0). */
function promptTimes(file: string): string[] {
  try {
    const entries: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return (Array.isArray(entries) ? entries : [])
      .filter((e) => at(e, 'type') === 'user')
      .map((e) => text(at(e, 'timestamp')) ?? '');
  } catch {
    return [];
  }
}
