import { CLIENTS } from '../clients/index.ts';
import { near } from '../declarations/near.ts';
import type { Declaration } from '../declarations/types.ts';
import { globSource } from '../fire/glob.ts';
import { isGlob } from '../plan/matcher.ts';
import type { Found, Rule, Subject } from './types.ts';

/** Every canonical name that a client's table knows, and the canonical ones of each native name. */
const CANONICAL = [
  ...new Set(CLIENTS.flatMap(({ tools }) => [...Object.keys(tools.names), ...tools.missing])),
];
const NATIVE = new Map(
  CLIENTS.flatMap(({ title, tools }) => {
    const natives = [...new Set(Object.values(tools.names).flat())].filter((n) => !CANONICAL.includes(n));
    return natives.map((native): [string, { client: string; names: string[] }] => [
      native,
      {
        client: title,
        names: Object.keys(tools.names).filter((name) => tools.names[name]?.includes(native)),
      },
    ]);
  }),
);

/** Server and tool of `mcp__server__tool`. */
function mcpParts(name: string): { server: string; tool: string } | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.*)$/s.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}

const bare = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_');
const AT_NAME = ['matcher', 'tool_name'];

/** The name of a tool that isn't an MCP server's; undefined where there is none. */
function builtIn({ matcher }: Declaration): string | undefined {
  const { tool_name: name, tool_server: server } = matcher ?? {};
  return name === undefined || server !== undefined || name.startsWith('mcp__') || REGEX.test(name)
    ? undefined
    : name;
}

/** No tool's name has these: they are meant as a regular expression or as a list. */
const REGEX = /[|()[\]{}^$+\\,\s]|\.\*/;

/** What is wrong with a needle so that compact JSON can't hold it; undefined: nothing. */
export function needleTrouble(needle: string): 'line' | 'space' | 'quote' | undefined {
  if (/[\n\r\t]/.test(needle)) return 'line';
  if (/(^|[^\\])"\s*[:,]\s+"?/.test(needle)) return 'space';
  // In a string of JSON a quote is written `\"`; a bare one opens or closes a string.
  for (const { index } of needle.matchAll(/(?<!\\)"/g)) {
    const before = needle[index - 1];
    const after = needle[index + 1];
    const opens = before === undefined || '{[,:'.includes(before);
    const closes = after === undefined || ',:}]'.includes(after);
    if (!opens && !closes) return 'quote';
  }
  return undefined;
}

/** The name of a server that isn't this one and that the user may call otherwise. */
function otherServer({ matcher }: Declaration, { serverName, clients }: Subject): Found[] {
  const parts = matcher?.tool_name === undefined ? undefined : mcpParts(matcher.tool_name);
  const named: [string | undefined, Found['at']][] = [
    [matcher?.tool_server, ['matcher', 'tool_server']],
    [parts && !isGlob(parts.server) ? parts.server : undefined, AT_NAME],
  ];
  const own = [serverName ?? '', ...clients.map(({ servers }) => servers.alias)].map(bare);
  return named.flatMap(([name, at]) =>
    serverName === undefined || name === undefined || own.includes(bare(name))
      ? []
      : [{ at, args: { name } }],
  );
}

/** Rules about names and needles that match less than they seem to. */
export const MATCHER_RULES: readonly Rule[] = [
  {
    code: 'lint.not-a-glob',
    find: ({ matcher }) => {
      const name = matcher?.tool_name ?? '';
      return REGEX.test(name) ? [{ at: AT_NAME, args: { name } }] : [];
    },
  },
  {
    code: 'lint.native-name',
    find: (d) => {
      const native = NATIVE.get(builtIn(d) ?? '');
      return native ? [{ at: AT_NAME, args: { name: builtIn(d) ?? '', ...native } }] : [];
    },
  },
  {
    code: 'lint.tool-unknown',
    find: (d) => {
      const name = builtIn(d);
      if (name === undefined || NATIVE.has(name)) return [];
      const test = new RegExp(globSource(name), 's');
      // A glob that fits MCP tools has something to match.
      if (CANONICAL.some((known) => test.test(known)) || (isGlob(name) && /^(m?c?p?_?_?)?[*?]/.test(name)))
        return [];
      const meant = near(name.replace(/[*?]/g, ''), CANONICAL);
      return [{ at: AT_NAME, args: { name, ...(meant !== undefined && { near: meant }) } }];
    },
  },
  {
    code: 'lint.tool-some',
    find: ({ matcher }, { clients }, i) => {
      const without = clients.filter(({ cells }) =>
        cells[i]?.notes.some((note) => note.code === 'never.no-such-tool'),
      );
      return without.length > 0
        ? [
            {
              at: AT_NAME,
              args: { name: matcher?.tool_name ?? '', clients: without.map(({ client }) => client.title) },
            },
          ]
        : [];
    },
  },
  {
    code: 'lint.server-mismatch',
    find: ({ matcher }) => {
      const { tool_name: name = '', tool_server: server } = matcher ?? {};
      if (server === undefined) return [];
      const parts = mcpParts(name);
      const differs = parts && !isGlob(parts.server) && parts.server !== bare(server);
      return differs || CANONICAL.includes(name) ? [{ at: AT_NAME, args: { name, server } }] : [];
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
