import { CLIENTS } from '../clients/index.ts';
import { absenceOf, canonicalNames, isCanonical } from '../clients/tools.ts';
import { canonicalServer, mcpParts } from '../declarations/canonical-name.ts';
import type { Path } from '../declarations/path.ts';
import type { Declaration } from '../declarations/types.ts';
import { isGlob } from '../plan/compile/server-tools.ts';
import {
  AT_TOOL_NAME,
  builtInNames,
  isNoToolName,
  ownTool,
  toolNames,
  unknownTool,
} from '../plan/compile/tool-names.ts';
import { needleTrouble } from './needle.ts';
import type { LintRule, Occurrence, Subject } from './types.ts';

/** Native name -> the clients that have it, and its canonical names. */
const NATIVE = new Map<string, { clients: string[]; names: string[] }>();
for (const { title, tools } of CLIENTS)
  for (const native of new Set(Object.values(tools.names).flat())) {
    if (isCanonical(native)) continue;
    const { clients = [], names = [] } = NATIVE.get(native) ?? {};
    NATIVE.set(native, {
      clients: [...clients, title],
      names: [...new Set([...names, ...canonicalNames(tools, native)])],
    });
  }

/** Returns the names in a pattern that only lists names; [] for any other. */
function namesInPattern(pattern: string): string[] {
  const names = pattern.split(/\s*[|,]\s*|\s+/);
  const isMeant = (name: string): boolean =>
    /^[\w*?-]+$/.test(name) &&
    (name.startsWith('mcp__') || unknownTool(name) === undefined) &&
    !NATIVE.has(name);
  return names.length > 1 && names.every(isMeant) ? names : [];
}

/** Returns the tools of the declaring server that a matcher and `when.tools` name, with their paths. */
export function ownToolsMatched(declaration: Declaration, { clients }: Subject): [Path, string][] {
  return toolNames(declaration).flatMap(([at, name]): [Path, string][] => {
    const [tool] = clients.flatMap(({ servers }) => ownTool(name, declaration, servers) ?? []);
    return tool === undefined ? [] : [[at, tool]];
  });
}

/** Returns the name of another server in the matcher, for which the user may have a different alias. */
function otherServer({ matcher }: Declaration, { serverName, clients }: Subject): Occurrence[] {
  const parts = matcher?.tool_name === undefined ? undefined : mcpParts(matcher.tool_name);
  const named: [string | undefined, Occurrence['at']][] = [
    [matcher?.tool_server, ['matcher', 'tool_server']],
    [parts?.server, AT_TOOL_NAME],
  ];
  const aliases = clients.flatMap(({ servers: { alias, otherNames = [] } }) => [alias, ...otherNames]);
  const own = [serverName ?? '', ...aliases].map(canonicalServer);
  return named.flatMap(([name, at]) =>
    serverName === undefined || !name?.trim() || isGlob(name) || own.includes(canonicalServer(name))
      ? []
      : [{ at, args: { name } }],
  );
}

/** Rules about names and needles that match less than they seem to. */
export const MATCHER_RULES: readonly LintRule[] = [
  {
    code: 'lint.empty-name',
    find: ({ matcher }) =>
      (['tool_name', 'tool_server'] as const).flatMap((key) =>
        matcher?.[key]?.trim() === '' ? [{ at: ['matcher', key], args: { key } }] : [],
      ),
  },
  {
    code: 'lint.empty-needle',
    find: ({ matcher }) => (matcher?.input_contains === '' ? [{ at: ['matcher', 'input_contains'] }] : []),
  },
  {
    code: 'lint.not-a-glob',
    find: (d, { clients }) =>
      toolNames(d).flatMap(([at, name]) => {
        const inList = at === AT_TOOL_NAME ? 0 : 1;
        const isNone = isNoToolName(name) && clients.every(({ servers }) => isNoToolName(name, servers));
        return isNone ? [{ at, args: { name, inList, meant: namesInPattern(name) } }] : [];
      }),
  },
  {
    code: 'lint.no-tool',
    find: (d) =>
      toolNames(d).flatMap(([at, name]) => {
        const isServer = /^mcp__(?:(?!__)[^*?])+$/.test(name) && !isNoToolName(name);
        return isServer && d.matcher?.tool_server === undefined ? [{ at, args: { name } }] : [];
      }),
  },
  {
    code: 'lint.native-name',
    find: (d) =>
      builtInNames(d).flatMap(([at, name]) => {
        const native = NATIVE.get(name);
        return native ? [{ at, args: { name, ...native } }] : [];
      }),
  },
  {
    code: 'lint.tool-unknown',
    find: (d) =>
      builtInNames(d).flatMap(([at, name]): Occurrence[] => {
        const args = unknownTool(name);
        return args ? [{ at, args }] : [];
      }),
  },
  {
    code: 'lint.tool-some',
    find: ({ matcher }, { clients }, i) => {
      // lint.when-some covers tools of a condition.
      if (matcher?.tool_name === undefined) return [];
      const { tool_name: name } = matcher;
      const without = clients.flatMap(({ client, cells }) => {
        const missing = cells[i]?.notes.some(({ code }) => code === 'never.no-such-tool');
        const { instead } = absenceOf(client.tools, name);
        return missing ? [{ title: client.title, instead }] : [];
      });
      if (without.length === 0) return [];
      const instead = [...new Set(without.flatMap((one) => one.instead ?? []))];
      const args = {
        name,
        clients: without.map(({ title }) => title),
        ...(instead.length > 0 && { instead: instead.join(' or ') }),
      };
      return [{ at: AT_TOOL_NAME, args }];
    },
  },
  {
    code: 'lint.server-mismatch',
    find: ({ matcher }) => {
      const { tool_name: name = '', tool_server: server } = matcher ?? {};
      if (server === undefined) return [];
      const parts = mcpParts(name);
      const differs =
        parts && !isGlob(parts.server) && canonicalServer(parts.server) !== canonicalServer(server);
      return differs || isCanonical(name) ? [{ at: AT_TOOL_NAME, args: { name, server } }] : [];
    },
  },
  {
    code: 'lint.server-glob',
    find: ({ matcher: { tool_server: name = '' } = {} }) => {
      if (!isGlob(name)) return [];
      const meant = `mcp__${name.replace(/[^*?]+/g, canonicalServer)}__*`;
      return [{ at: ['matcher', 'tool_server'], args: { name, meant } }];
    },
  },
  { code: 'lint.server-other', find: otherServer },
  {
    code: 'lint.needle-never',
    find: ({ matcher }) => {
      const trouble = needleTrouble(matcher?.input_contains ?? '');
      return trouble ? [{ at: ['matcher', 'input_contains'], args: { trouble } }] : [];
    },
  },
];
