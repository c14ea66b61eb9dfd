import { near } from '../../base/near.ts';
import { once, remembering } from '../../base/once.ts';
import type { Env } from '../../base/paths.ts';
import { excerpt } from '../../base/visible.ts';
import type { ClientId } from '../../clients/client.ts';
import { CLIENTS } from '../../clients/index.ts';
import type { McpDialect } from '../../clients/mcp-config.ts';
import { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import { showDefinition } from '../masking/mask.ts';
import { needsApproval } from '../source.ts';
import type {
  Absence,
  ClientServers,
  DefinitionSource,
  FoundEntry,
  ServerEntry,
  ServerTable,
} from '../types.ts';
import { configReader, pathsOf, placeOf } from './config-files.ts';
import { entryIn } from './definition.ts';
import { definitionHash, sameServer, saysTheSame } from './definition-hash.ts';
import { entriesOf, isThere, type ServerSource } from './entries-in-files.ts';

/** Dialect of servers given on the command line, which the user's shell would start. */
export const COMMAND_LINE_DIALECT: McpDialect = {
  format: 'json',
  keys: { env: 'env', url: ['url'], headers: 'headers', held: {} },
  expand: 'braces',
  stands: {},
  inherits: 'all',
  hookOnly: [...new Set(CLIENTS.flatMap(({ mcp }) => mcp.dialect.hookOnly))],
  adds: {},
};

/** Returns the dialect in which a definition is written. */
export function dialectOf(source: DefinitionSource): McpDialect {
  return CLIENTS.find(({ id }) => id === source.client)?.mcp.dialect ?? COMMAND_LINE_DIALECT;
}

/** Returns the hash of an entry, which an approval covers. */
export const approvalHash = ({ definition, source }: Pick<FoundEntry, 'definition' | 'source'>): string =>
  definitionHash(definition, source, dialectOf(source));

/** Returns an entry with the hash by which its definition is approved. */
export const withHash = (entry: FoundEntry): ServerEntry => ({ ...entry, hash: approvalHash(entry) });

const nothing = () => [];

const NONE: ClientServers = {
  on: [],
  off: [],
  untrusted: nothing,
  unusable: nothing,
  looked: nothing,
  userPlaces: nothing,
  broken: [],
};

/** Returns the MCP servers in the clients' files. Reads files on demand, and starts nothing. */
export function findServers({
  env,
  cwd,
  clients = CLIENTS,
}: {
  env: Env;
  cwd: string;
  clients?: readonly ServerSource[];
}): ServerTable {
  const place = placeOf(env, cwd);
  const config = configReader();
  const read = ({ id, mcp }: ServerSource): ClientServers => {
    const faults = new Set<Fault>();
    // The paths are the same for each server that is looked up.
    const at = mcp.files.map((file) => ({ file, paths: pathsOf(file, place) }));
    const entries = entriesOf({ id, mcp }, at, place, (file) =>
      config(file, mcp.dialect.format, (fault) => faults.add(fault)),
    );
    const looked = once(() => [...new Set(at.flatMap(({ paths }) => paths))]);
    const users = at.filter(({ file }) => file.scope === 'user' && typeof file.in === 'object');
    const userPlaces = (alias: string): DefinitionSource[] =>
      users.flatMap(({ file: { scope, at }, paths }) =>
        paths.map((path) => ({ client: id, scope, file: path, pointer: [...at, alias] })),
      );
    return { ...entries, looked, userPlaces, broken: [...faults] };
  };
  const sourceOf = (id: ClientId): ServerSource | undefined => clients.find((client) => client.id === id);
  const of = remembering((id: ClientId): ClientServers => {
    const source = sourceOf(id);
    return source ? read(source) : NONE;
  });
  return {
    clients: clients.map(({ id }) => id),
    of,
    inUse: (id) => {
      const source = sourceOf(id);
      const waits = source?.mcp.files.some(({ ifThere }) => !isThere(ifThere, place));
      return (source && waits ? read(inUse(source)) : of(id)).on;
    },
    at: (source) => {
      const dialect = dialectOf(source);
      let missing: Absence = 'no-file';
      const value =
        source.file &&
        config(source.file, dialect.format, ({ code }) => {
          missing = code === 'edit.conflict' ? 'conflict' : 'unreadable';
        });
      return value === undefined ? missing : entryIn(value, source, dialect);
    },
  };
}

/** Returns the servers of all clients. */
export const allServers = (table: ServerTable): FoundEntry[] =>
  table.clients.flatMap((client) => table.of(client).on);

/** Returns the source of a client of which every file counts. */
const inUse = ({ id, mcp }: ServerSource): ServerSource => ({
  id,
  mcp: { ...mcp, files: mcp.files.map(({ ifThere: _, ...file }) => file) },
});

/**
 * Returns the definition to use for a name, of all clients or those of `among`. Throws a `Fault`: `server.not-found`,
 * `server.off`, `server.ambiguous`, `server.disagree` (these clients define the server differently, and `from` names none
 * of them), or the problem with a needed client file.
 */
export function resolveServer(
  alias: string,
  table: ServerTable,
  options: { from?: ClientId; among?: readonly ClientId[] } = {},
): ServerEntry {
  const { from, among = table.clients } = options;
  const here = (from === undefined ? among : [from]).map(table.of);
  const all = here.flatMap(({ on }) => on);
  const found = entriesNamed(alias, all);
  const broken = here.flatMap((client) => client.broken);
  if (found.length === 0) {
    if (from !== undefined && broken[0]) throw broken[0];
    const [off] = entriesNamed(
      alias,
      here.flatMap((client) => client.off),
    );
    if (off)
      throw new Fault(
        'server.off',
        {
          name: excerpt(alias),
          client: titleOf(off),
          ...(off.unset !== undefined && { unset: [off.unset] }),
        },
        { file: off.listedIn ?? off.source.file ?? '' },
      );
    const names = [...new Set(all.map((entry) => entry.alias))];
    const others = from === undefined ? [] : definedOn(alias, table);
    const meant = others.length > 0 ? undefined : near(alias, names);
    throw new Fault('server.not-found', {
      name: excerpt(alias),
      // Several clients read `.mcp.json`.
      looked: [...new Set(here.flatMap(({ looked }) => looked()))].filter(
        (file) => !broken.some(({ where }) => where.file === file),
      ),
      untrusted: [...new Set(here.flatMap(({ untrusted }) => untrusted(alias)))],
      unusable: [...new Set(here.flatMap(({ unusable }) => unusable(alias)))],
      known: names.map((name) => excerpt(name)),
      broken: [...new Set(broken.map((fault) => faultText(fault).split('\n')[0] ?? ''))],
      ...(meant !== undefined && { near: excerpt(meant) }),
      ...(from !== undefined && { from }),
      ...(others.length > 0 && { others }),
    });
  }
  const hashed = found.map(withHash);
  // The definitions agree, so a definition that needs no approval is preferred.
  const own = hashed.find(({ source }) => !needsApproval(source));
  const entry = own ?? hashed[0];
  const agrees = (other: ServerEntry): boolean =>
    own
      ? sameServer(own.definition, other.definition)
      : entry !== undefined && saysTheSame(entry.definition, other.definition);
  if (!entry || !hashed.every(agrees))
    throw new Fault('server.disagree', { name: excerpt(alias), definitions: found.map(describe) });
  return entry;
}

/** Returns the clients that have a server of that name. */
const definedOn = (alias: string, table: ServerTable): ClientId[] =>
  table.clients.filter((client) => entriesNamed(alias, table.of(client).on).length > 0);

const titleOf = ({ source }: FoundEntry): string =>
  CLIENTS.find(({ id }) => id === source.client)?.title ?? '';

/** True for an entry of that name, a plugin's by its bare name, too. */
export const isNamed =
  (name: string) =>
  ({ alias, source }: FoundEntry): boolean =>
    alias === name || (source.scope === 'plugin' && source.pointer?.at(-1) === name);

/** Returns entries of that name. A plugin's server is also found by its bare name when only one plugin has it. */
export function entriesNamed<Entry extends FoundEntry>(alias: string, entries: readonly Entry[]): Entry[] {
  const exact = entries.filter((entry) => entry.alias === alias);
  if (exact.length > 0) return exact;
  const bare = entries.filter(isNamed(alias));
  const names = [...new Set(bare.map((entry) => entry.alias))];
  if (names.length > 1)
    throw new Fault('server.ambiguous', { name: excerpt(alias), names: names.map((n) => excerpt(n)) });
  return bare;
}

function describe({ definition, source }: FoundEntry): string {
  const { client, scope, file } = source;
  return `${client} (${scope}, ${file}): ${showDefinition(definition, source)}`;
}
