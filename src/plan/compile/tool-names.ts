import { fitsGlob } from '../../base/glob.ts';
import { nearArg } from '../../base/near.ts';
import { CLIENTS } from '../../clients/index.ts';
import { CANONICAL_TOOLS, canonicalNames, isCanonical } from '../../clients/tools.ts';
import { canonicalServer } from '../../declarations/canonical-name.ts';
import type { Path } from '../../declarations/path.ts';
import type { Declaration } from '../../declarations/types.ts';
import { kindOf } from '../../declarations/when.ts';
import type { Note } from '../../messages/notes.ts';
import { unique } from './matcher.ts';
import { isGlob, knownParts, type ServerNames } from './server-tools.ts';

export const AT_TOOL_NAME: Path = ['matcher', 'tool_name'];

/** Returns the names of tools in a matcher and in `when.tools`, with their paths. */
export function toolNames({ matcher, when }: Declaration): [Path, string][] {
  const named = matcher?.tool_name === undefined ? [] : [[AT_TOOL_NAME, matcher.tool_name] as [Path, string]];
  const listed = (when?.tools ?? []).map((name, i): [Path, string] => [['when', 'tools', i], name]);
  return [...named, ...listed.filter(([, name]) => kindOf(name) === undefined)].filter(
    ([, name]) => name.trim() !== '',
  );
}

/** Characters that no tool's name contains: the pattern was meant as a regular expression or a list. */
const REGEX = /[|()[\]{}^$+\\,\s]|\.\*/;

type OwnNames = Pick<ServerNames, 'alias' | 'serverName' | 'otherNames' | 'known'>;

const isOwnServer = (server: string, { alias, serverName, otherNames = [] }: OwnNames): boolean =>
  [alias, serverName, ...otherNames].includes(server);

/**
 * Returns the part of a name that is tested for `REGEX`. The declaring server's own name is left out: it may hold any
 * characters. So are spaces, brackets and commas in another server's name, which many names hold.
 */
function judgedPart(name: string, servers: OwnNames): string {
  const parts = knownParts(name, servers);
  if (!parts) return name;
  const { server, tool } = parts;
  return isOwnServer(server, servers) ? tool : `${server.replace(/[\s(),]/g, '')}__${tool}`;
}

/** True for a name that no tool can have. `servers`: those of a client. */
export const isNoToolName = (name: string, servers?: OwnNames): boolean =>
  REGEX.test(servers ? judgedPart(name, servers) : name);

/** Returns those of the names that aren't tools of MCP servers. */
export function builtInNames(declaration: Declaration): [Path, string][] {
  if (declaration.matcher?.tool_server !== undefined) return [];
  return toolNames(declaration).filter(([, name]) => !name.startsWith('mcp__') && !isNoToolName(name));
}

/** Returns a name, or glob, of a built-in tool that no client has, with the name that was probably meant. */
export function unknownTool(name: string): { name: string; near?: string } | undefined {
  const isNative = !isCanonical(name) && CLIENTS.some(({ tools }) => canonicalNames(tools, name).length > 0);
  // A glob that matches MCP tools has something to match.
  const isKnown = CANONICAL_TOOLS.some((known) => fitsGlob(name, known));
  if (isNative || isKnown || (isGlob(name) && /^(m?c?p?_?_?)?[*?]/.test(name))) return undefined;
  return { name, ...nearArg(name.replace(/[*?]/g, ''), CANONICAL_TOOLS) };
}

/** Returns the tool, or the glob, of the declaring server that a name stands for. */
export function ownTool(name: string, { matcher }: Declaration, servers: OwnNames): string | undefined {
  // A client's built-in tool beside `tool_server` is another mistake.
  if (isNoToolName(name, servers) || isCanonical(name)) return undefined;
  const parts = knownParts(name, servers);
  // Its server, too, may stand for several.
  if (!parts && isGlob(name) && name.startsWith('mcp__')) return undefined;
  const { server, tool } = parts ?? { server: matcher?.tool_server, tool: name };
  return server !== undefined && isOwnServer(server, servers) ? tool : undefined;
}

/** True when a server lists a tool, or one that a glob matches. Names may be spelled as clients spell them. */
export const listsTool = (listed: readonly string[], tool: string): boolean =>
  listed.some((name) => [name, canonicalServer(name)].some((spelled) => fitsGlob(tool, spelled)));

/** Characters that stand in no tool's name, whatever a server calls its tools. */
const NEVER_IN_NAMES = /[|()[\]{}^$\\]/;

/**
 * Returns remarks on names that hardly any tool has, so that a hook may never fire for them. Only what is surely a
 * mistake: unlike a test of one's own file, a plan is also read by those who can't change the name. `listed`: the
 * server's tools.
 */
export function toolNameNotes(
  declaration: Declaration,
  servers: ServerNames,
  listed: readonly string[] | undefined,
): Note[] {
  const names = unique(toolNames(declaration).map(([, name]) => name));
  const serverTools = unique(names.flatMap((name) => ownTool(name, declaration, servers) ?? []));
  const builtIn = unique(builtInNames(declaration).map(([, name]) => name));
  return [
    ...names
      .filter((name) => NEVER_IN_NAMES.test(judgedPart(name, servers)) && !listsTool(listed ?? [], name))
      .map((name): Note => ({ code: 'tools.not-a-glob', args: { name } })),
    ...builtIn.flatMap((name): Note[] => {
      const args = unknownTool(name);
      return args?.near === undefined ? [] : [{ code: 'tools.unknown', args }];
    }),
    ...serverTools
      // A server may get a tool later that a glob is meant for.
      .filter((tool) => listed !== undefined && !isGlob(tool) && !listsTool(listed, tool))
      .map((name): Note => ({ code: 'tools.own-unknown', args: { name } })),
  ];
}
