import type { Client } from '../../clients/client.ts';
import { canonicalNames, commonPrefix } from '../../clients/tools.ts';
import type { Matcher } from '../../declarations/types.ts';
import { kindOf, type ToolKind } from '../../declarations/when.ts';
import type { Note } from '../../messages/notes.ts';
import { globSource } from '../../shims/glob.ts';
import { type CompiledMatcher, compileMatcher, never, unique } from './matcher.ts';
import { type ServerNames, unionSource } from './server-tools.ts';

/** Pattern that no name fits. */
const NOTHING = '(?!)';

/**
 * Compiles `when.tools`: a tool must fit any of these globs and kinds. Items without a tool on this client are noted;
 * when no item has a tool, the result is `never`.
 */
export function compileTools(
  tools: readonly string[],
  matcher: Matcher | undefined,
  client: Client,
  servers: ServerNames,
): CompiledMatcher {
  const all = tools.map((tool) => {
    const kind = kindOf(tool);
    return kind === undefined
      ? compileMatcher({ ...matcher, tool_name: tool }, client, servers)
      : compileKind(kind as ToolKind, matcher, client);
  });
  const some = all.filter((one) => !one.never);
  const [first] = all;
  if (some.length === 0 && first)
    return first.never?.note === 'never.not-a-glob'
      ? { never: { ...first.never, args: { ...first.never.args, inList: 1 } } }
      : first;
  const missing = tools.filter((_, i) => all[i]?.never);
  const untold = some.flatMap(({ notes = [] }) => notes);
  const notes: Note[] = [
    ...(missing.length > 0 ? [{ code: 'when.tools-some' as const, args: { names: missing } }] : []),
    ...untold.filter((note, i) => untold.findIndex(({ code }) => code === note.code) === i),
  ];
  const { name: _, search: __, ...rest } = some[0]?.match ?? {};
  const names = some.map(({ match }) => match?.name);
  const search = some.some(({ match }) => match?.search);
  const name = names.includes(undefined) ? undefined : unionSource(unique(names.map((n) => n ?? NOTHING)));
  const natives = some.map(({ native }) => native);
  return {
    match: {
      ...rest,
      ...(name !== undefined && { name }),
      ...(search && { search, ...knownTools(some, client) }),
    },
    ...(!natives.includes(undefined) && {
      native: {
        exact: unique(natives.flatMap((native) => native?.exact ?? [])),
        patterns: unique(natives.flatMap((native) => native?.patterns ?? [])),
      },
    }),
    ...(notes.length > 0 && { notes }),
  };
}

/**
 * Returns the native tool names when all are known exactly, and shell tools count only by the command they run; without
 * these.
 */
function knownTools(matchers: readonly CompiledMatcher[], { conditions }: Client): { tools?: string[] } {
  const isShell = (name: string): boolean => Object.hasOwn(conditions.shell, name);
  const isKnown = ({ match, native }: CompiledMatcher): boolean =>
    native?.patterns.length === 0 && (match?.search === true || !native.exact.some(isShell));
  if (!matchers.every(isKnown)) return {};
  const exact = matchers.flatMap(({ native }) => native?.exact ?? []);
  return { tools: unique(exact).filter((name) => !isShell(name)) };
}

/** Compiles `any:<kind>`: all ways in which the client searches or edits, by its `conditions`. */
function compileKind(kind: ToolKind, matcher: Matcher | undefined, client: Client): CompiledMatcher {
  const { kinds, shell } = client.conditions;
  const tools = kinds[kind];
  const search = kind === 'search';
  const exact = [...tools, ...(search ? Object.keys(shell) : [])];
  if (exact.length === 0) return never('never.no-such-tool', { name: `any:${kind}` });
  const names = canonical(tools, client);
  const contains = matcher?.input_contains;
  return {
    match: {
      name: names.length > 0 ? unionSource(names.map(globSource)) : NOTHING,
      ...(contains && { contains }),
      ...(search && { search }),
    },
    native: { exact, patterns: [] },
  };
}

/** Returns the canonical names of the tools with these native names. */
function canonical(natives: readonly string[], { tools }: Client): string[] {
  return unique(
    natives.flatMap((native) => {
      const names = canonicalNames(tools, native);
      return names.length > 0 ? names : [native];
    }),
  );
}

/**
 * Narrows a matcher for every tool to the tools with these native names. A narrower matcher stays unchanged if it takes
 * any of these tools (or, with `mcp`, tools of MCP servers); otherwise the result is undefined.
 */
export function narrowed(
  { match, native }: CompiledMatcher,
  natives: readonly string[],
  client: Client,
  mcp = false,
): Pick<CompiledMatcher, 'match' | 'native'> | undefined {
  if (native) {
    const takes = (name: string): boolean =>
      native.exact.includes(name) || native.patterns.some((source) => new RegExp(source).test(name));
    const mcpToo = mcp && native.patterns.some((source) => source.includes(commonPrefix(client.tools.mcp)));
    return natives.some(takes) || mcpToo ? { ...(match && { match }), native } : undefined;
  }
  if (natives.length === 0) return undefined;
  const name = unionSource(canonical(natives, client).map(globSource));
  return { match: { ...match, name }, native: { exact: [...natives], patterns: [] } };
}
