import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../base/json-value.ts';
import { near } from '../base/near.ts';
import { once } from '../base/once.ts';
import type { Env } from '../base/paths.ts';
import { excerpt } from '../base/visible.ts';
import type { Client, ClientId } from '../clients/client.ts';
import { folderPath } from '../clients/folder.ts';
import { CLIENTS } from '../clients/index.ts';
import type { McpDialect, ServerFile, Switch } from '../clients/mcp-config.ts';
import { Fault } from '../messages/fault.ts';
import { faultText } from '../messages/faults.ts';
import {
  isOpen,
  openFiles,
  pathsOf,
  placeOf,
  pointers,
  type SessionPlace,
  settingsAt,
} from './config-files.ts';
import { entryIn, isOff, lookUp, needsApproval, toDefinition } from './definition.ts';
import { definitionHash, sameServer, saysTheSame } from './definition-hash.ts';
import { includesUnapproved } from './included-files.ts';
import { lacksVariable } from './launch.ts';
import { showDefinition } from './mask.ts';
import { findPlugins, pluginAlias } from './plugins.ts';
import type {
  ClientServers,
  DefinitionSource,
  FoundEntry,
  OffEntry,
  ServerEntry,
  ServerTable,
} from './types.ts';

/** A client's configuration of MCP servers. */
export type ServerSource = Pick<Client, 'id' | 'mcp'>;

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

const nothing = () => [];
const NONE: ClientServers = {
  on: [],
  off: [],
  untrusted: nothing,
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
  const files = openFiles();
  const known = new Map<ClientId, ClientServers>();
  const read = ({ id, mcp }: ServerSource): ClientServers => {
    const faults = new Set<Fault>();
    // The paths are the same for each server that is looked up.
    const at = mcp.files.map((file) => ({ file, paths: pathsOf(file, place) }));
    const entries = entriesOf({ id, mcp }, at, place, (file) =>
      files.read(file, mcp.dialect.format, (fault) => faults.add(fault)),
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
  const of = (id: ClientId): ClientServers => {
    const source = sourceOf(id);
    const found = known.get(id) ?? (source ? read(source) : NONE);
    known.set(id, found);
    return found;
  };
  return {
    clients: clients.map(({ id }) => id),
    of,
    names: (id) => {
      const source = sourceOf(id);
      const waits = source?.mcp.files.some(({ ifThere }) => !isThere(ifThere, place));
      const { on } = source && waits ? read(inUse(source)) : of(id);
      return on.map(({ alias }) => alias);
    },
    at: (source) => {
      const dialect = dialectOf(source);
      let broken = false;
      const config =
        source.file &&
        files.read(source.file, dialect.format, () => {
          broken = true;
        });
      if (config === undefined) return broken ? 'unreadable' : 'no-file';
      return entryIn(config, source, dialect);
    },
  };
}

/** Returns the servers of all clients. */
export const allServers = (table: ServerTable): FoundEntry[] =>
  table.clients.flatMap((client) => table.of(client).on);

function entriesOf(
  { id, mcp }: ServerSource,
  at: readonly { file: ServerFile; paths: readonly string[] }[],
  place: SessionPlace,
  read: (file: string) => unknown,
): Pick<ClientServers, 'on' | 'off' | 'untrusted'> {
  const found = new Map<string, FoundEntry>();
  const off: OffEntry[] = [];
  const hidden = new Set<string>();
  const { keys } = mcp.dialect;
  const switches = mcp.switches.flatMap((s) => settingsAt(s, place, read).map((at) => ({ ...s, ...at })));
  const add = (
    entries: Record<string, unknown>,
    source: DefinitionSource,
    aliasOf = (name: string) => name,
  ): void => {
    for (const [name, raw] of Object.entries(entries)) {
      const definition = toDefinition(raw, mcp.dialect.keys);
      const alias = aliasOf(name);
      // The client takes this entry, so none of a weaker file; one that is merged with those may say nothing else.
      if (!found.has(alias) && isOff(raw, keys) && (definition || keys.enabled)) hidden.add(alias);
      if (!definition || found.has(alias)) continue;
      if (includesUnapproved(raw, source, mcp.dialect)) continue;
      const at = { ...source, pointer: [...(source.pointer ?? []), name] };
      const entry = { alias, definition, source: at };
      const stopped = hidden.has(alias) || lacksVariable(definition, mcp.dialect, place.env);
      const listedIn = stopped ? undefined : switches.find((s) => switchedOff(s, entry))?.path;
      if (!stopped && listedIn === undefined) found.set(alias, entry);
      else off.push({ ...entry, ...(listedIn !== undefined && { listedIn }) });
    }
  };
  // In the home folder, a project's file is the user's own (Gemini CLI 0.61.0 has no workspace scope there).
  const users = at.filter(({ file }) => typeof file.in === 'object').flatMap(({ paths }) => paths);
  const isRead = ({ onlyIf }: ServerFile): boolean => !onlyIf || isOpen(onlyIf, place, read);
  for (const { file, paths } of at) {
    if (!isRead(file)) continue;
    if (!isThere(file.ifThere, place)) continue;
    for (const path of paths) {
      if (typeof file.in === 'string' && users.includes(path)) continue;
      if (file.unless !== undefined && existsSync(path.slice(0, -file.path.length) + file.unless)) continue;
      for (const pointer of pointers(file.at, place)) {
        add(tableAt(read(path), pointer), { client: id, scope: file.scope, file: path, pointer });
      }
    }
  }
  for (const kind of mcp.plugins) {
    for (const { name, root } of findPlugins(kind, place, read)) {
      for (const { path, at } of kind.servers) {
        const source = {
          client: id,
          scope: kind.scope,
          file: join(root, path),
          pointer: [...at],
          root,
        };
        add(tableAt(read(source.file), at), source, (server) => pluginAlias(kind, name, server));
      }
    }
  }
  const unread = once(() => at.filter(({ file }) => !isRead(file)));
  const untrusted = (alias: string): string[] =>
    unread()
      .flatMap(({ file, paths }) => paths.map((path) => ({ path, at: pointers(file.at, place) })))
      .filter(({ path, at }) => at.some((pointer) => Object.hasOwn(tableAt(read(path), pointer), alias)))
      .map(({ path }) => `${path} (${id})`);
  return { on: [...found.values()], off, untrusted };
}

const isThere = (folder: ServerFile['ifThere'], { env }: SessionPlace): boolean =>
  folder === undefined || existsSync(folderPath(folder, env));

/** Returns the source of a client of which every file counts. */
const inUse = ({ id, mcp }: ServerSource): ServerSource => ({
  id,
  mcp: { ...mcp, files: mcp.files.map(({ ifThere: _, ...file }) => file) },
});

function tableAt(value: unknown, pointer: readonly string[]): Readonly<Record<string, unknown>> {
  const at = lookUp(value, pointer);
  return isObject(at) ? at : {};
}

function switchedOff(
  { kind, scopes, lowerCase, value }: Switch & { value: unknown },
  entry: FoundEntry,
): boolean {
  if (scopes && !scopes.includes(entry.source.scope)) return false;
  const name = lowerCase ? entry.alias.toLowerCase().trim() : entry.alias;
  if (kind === 'flags') return lookUp(value, [name]) === false || lookUp(value, [name, 'enabled']) === false;
  if (!Array.isArray(value)) return false;
  return kind === 'off' ? value.includes(name) : value.length > 0 && !value.includes(name);
}

/**
 * Returns the definition to use for a name. Throws a `Fault`: `server.not-found`, `server.off`, `server.ambiguous`,
 * `server.disagree` (clients define the server differently, and `from` names none of them), or the problem with a
 * needed client file.
 */
export function resolveServer(
  alias: string,
  table: ServerTable,
  options: { from?: ClientId } = {},
): ServerEntry {
  const { from } = options;
  const here = (from === undefined ? table.clients : [from]).map(table.of);
  const all = here.flatMap(({ on }) => on);
  const found = chosen(alias, all);
  const broken = here.flatMap((client) => client.broken);
  if (found.length === 0) {
    if (from !== undefined && broken[0]) throw broken[0];
    const [off] = chosen(
      alias,
      here.flatMap((client) => client.off),
    );
    if (off)
      throw new Fault(
        'server.off',
        { name: excerpt(alias), client: titleOf(off) },
        { file: off.listedIn ?? off.source.file ?? '' },
      );
    const names = [...new Set(all.map((entry) => entry.alias))];
    const meant = near(alias, names);
    throw new Fault('server.not-found', {
      name: excerpt(alias),
      looked: table.clients.flatMap((client) => table.of(client).looked()),
      untrusted: [...new Set(here.flatMap(({ untrusted }) => untrusted(alias)))],
      known: names.map((name) => excerpt(name)),
      broken: broken.map((fault) => faultText(fault).split('\n')[0] ?? ''),
      ...(meant !== undefined && { near: excerpt(meant) }),
      ...(from !== undefined && { from }),
    });
  }
  const hashed = found.map((entry) => ({ ...entry, hash: approvalHash(entry) }));
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

const titleOf = ({ source }: FoundEntry): string =>
  CLIENTS.find(({ id }) => id === source.client)?.title ?? '';

/** Returns entries of that name. A plugin's server is also found by its bare name when only one plugin has it. */
export function chosen<Entry extends FoundEntry>(alias: string, entries: readonly Entry[]): Entry[] {
  const exact = entries.filter((entry) => entry.alias === alias);
  if (exact.length > 0) return exact;
  const bare = entries.filter(
    (entry) => entry.source.scope === 'plugin' && entry.source.pointer?.at(-1) === alias,
  );
  const names = [...new Set(bare.map((entry) => entry.alias))];
  if (names.length > 1)
    throw new Fault('server.ambiguous', { name: excerpt(alias), names: names.map((n) => excerpt(n)) });
  return bare;
}

function describe({ definition, source }: FoundEntry): string {
  const { client, scope, file } = source;
  return `${client} (${scope}, ${file}): ${showDefinition(definition, source)}`;
}
