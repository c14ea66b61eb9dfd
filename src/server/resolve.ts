import { join } from 'node:path';
import type { ClientId } from '../clients/types.ts';
import { near } from '../declarations/near.ts';
import { excerpt } from '../declarations/visible.ts';
import type { McpDialect } from '../fire/types.ts';
import { Fault, faultText } from '../messages.ts';
import type { Env } from '../paths.ts';
import { claudeServers } from './claude-code.ts';
import type { ClientServers, Switch } from './clients.ts';
import { codexServers } from './codex.ts';
import { definitionHash, isOff, lookUp, needsApproval, showEntry, toDefinition } from './definition.ts';
import { openFiles, type Place, pathsOf, placeOf, pointers, valuesAt } from './files.ts';
import { geminiServers } from './gemini-cli.ts';
import { findPlugins, pluginAlias } from './plugins.ts';
import type { DefinitionSource, ServerEntry, ServerTable } from './types.ts';

export const CLIENT_SERVERS: readonly ClientServers[] = [claudeServers, codexServers, geminiServers];

/** For a server given on the command line: the user's shell is its client. */
export const COMMAND_LINE_DIALECT: McpDialect = {
  format: 'json',
  keys: { env: 'env', url: ['url'], headers: 'headers', held: {} },
  expand: 'braces',
  stands: {},
  inherits: 'all',
  hookOnly: [...new Set(CLIENT_SERVERS.flatMap(({ dialect }) => dialect.hookOnly))],
  adds: {},
};

/** The dialect in which a definition is written. */
export function dialectOf(source: DefinitionSource): McpDialect {
  return CLIENT_SERVERS.find(({ client }) => client === source.client)?.dialect ?? COMMAND_LINE_DIALECT;
}

/** What the clients' files say of MCP servers here. Reads files, starts nothing. */
export function findServers(context: {
  env: Env;
  cwd: string;
  clients: readonly ClientServers[];
}): ServerTable {
  const place = placeOf(context.env, context.cwd);
  const files = openFiles();
  const table: ServerTable = { byClient: {}, looked: [], off: [], broken: [] };
  for (const client of context.clients) {
    const faults = new Set<Fault>();
    const read = (file: string): unknown =>
      files.read(file, client.dialect.format, (fault) => faults.add(fault));
    const { on, off } = entriesOf(client, place, read);
    table.looked.push(...new Set(client.files.flatMap((file) => pathsOf(file, place))));
    table.byClient[client.client] = on;
    table.off.push(...off);
    table.broken.push(...[...faults].map((fault) => ({ client: client.client, fault })));
  }
  return table;
}

function entriesOf(
  client: ClientServers,
  place: Place,
  read: (file: string) => unknown,
): { on: ServerEntry[]; off: ServerEntry[] } {
  const found = new Map<string, ServerEntry>();
  const off: ServerEntry[] = [];
  const switches = client.switches.map((s) => ({ ...s, values: valuesAt(s, place, read) }));
  const add = (
    entries: Record<string, unknown>,
    source: DefinitionSource,
    aliasOf = (name: string) => name,
  ): void => {
    for (const [name, raw] of Object.entries(entries)) {
      const definition = toDefinition(raw, client.dialect.keys);
      const alias = aliasOf(name);
      if (!definition || found.has(alias)) continue;
      const at = { ...source, pointer: [...(source.pointer ?? []), name] };
      const entry = { alias, definition, source: at, hash: definitionHash(definition) };
      if (isOff(raw, client.dialect.keys) || switches.some((s) => switchedOff(s, entry))) off.push(entry);
      else found.set(alias, entry);
    }
  };
  // In the home folder a project's file is the user's own (Gemini CLI 0.61.0 has no workspace scope there).
  const users = client.files
    .filter((file) => typeof file.in === 'object')
    .flatMap((file) => pathsOf(file, place));
  for (const file of client.files) {
    if (file.onlyIf && !valuesAt(file.onlyIf, place, read).includes(file.onlyIf.is)) continue;
    for (const path of pathsOf(file, place)) {
      if (typeof file.in === 'string' && users.includes(path)) continue;
      for (const pointer of pointers(file.at, place)) {
        add(tableAt(read(path), pointer), { client: client.client, scope: file.scope, file: path, pointer });
      }
    }
  }
  for (const kind of client.plugins) {
    for (const { name, root } of findPlugins(kind, place, read)) {
      for (const { path, at } of kind.servers) {
        const source = {
          client: client.client,
          scope: kind.scope,
          file: join(root, path),
          pointer: [...at],
          root,
        };
        add(tableAt(read(source.file), at), source, (server) => pluginAlias(kind, name, server));
      }
    }
  }
  return { on: [...found.values()], off };
}

function tableAt(value: unknown, pointer: readonly string[]): Record<string, unknown> {
  const at = lookUp(value, pointer);
  return at !== null && typeof at === 'object' && !Array.isArray(at) ? (at as Record<string, unknown>) : {};
}

function switchedOff(
  { kind, scopes, lowerCase, values }: Switch & { values: unknown[] },
  entry: ServerEntry,
): boolean {
  if (scopes && !scopes.includes(entry.source.scope)) return false;
  const name = lowerCase ? entry.alias.toLowerCase().trim() : entry.alias;
  if (kind === 'flags') {
    return values.some(
      (table) => lookUp(table, [name]) === false || lookUp(table, [name, 'enabled']) === false,
    );
  }
  const lists = values.filter((value) => Array.isArray(value));
  return kind === 'off'
    ? lists.some((list) => list.includes(name))
    : lists.some((list) => list.length > 0 && !list.includes(name));
}

/**
 * The definition to use for a name. Throws a `Fault`: `server.not-found`, `server.off`, `server.ambiguous`,
 * `server.disagree` (clients define it differently and `from` doesn't say which), or what is wrong with a file of
 * the client that is needed.
 */
export function resolveServer(
  alias: string,
  table: ServerTable,
  options: { from?: ClientId } = {},
): ServerEntry {
  const { from } = options;
  const here = (entry: ServerEntry): boolean => from === undefined || entry.source.client === from;
  const all = Object.values(table.byClient).flat().filter(here);
  const found = chosen(alias, all);
  const brokenHere = table.broken.filter(({ client }) => from === undefined || client === from);
  if (found.length === 0) {
    const broken = brokenHere[0];
    if (from !== undefined && broken) throw broken.fault;
    const off = chosen(alias, table.off.filter(here))[0];
    if (off)
      throw new Fault(
        'server.off',
        { name: excerpt(alias), client: off.source.client ?? '' },
        { file: off.source.file ?? '' },
      );
    const names = [...new Set(all.map((entry) => entry.alias))];
    const meant = near(alias, names);
    throw new Fault('server.not-found', {
      name: excerpt(alias),
      looked: table.looked,
      known: names.map((name) => excerpt(name)),
      broken: brokenHere.map(({ fault }) => faultText(fault).split('\n')[0] ?? ''),
      ...(meant !== undefined && { near: excerpt(meant) }),
      ...(from !== undefined && { from }),
    });
  }
  if (new Set(found.map((entry) => entry.hash)).size > 1) {
    throw new Fault('server.disagree', { name: excerpt(alias), definitions: found.map(describe) });
  }
  // The same everywhere: one that needs no approval, where there is one.
  const entry = found.find(({ source }) => !needsApproval(source)) ?? found[0];
  return entry as ServerEntry;
}

/** Entries of that name; a plugin's server also by its bare name, where only one plugin has it. */
export function chosen(alias: string, entries: readonly ServerEntry[]): ServerEntry[] {
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

function describe(entry: ServerEntry): string {
  const { client, scope, file } = entry.source;
  return `${client} (${scope}, ${file}): ${showEntry(entry)}`;
}
