import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, valueAt } from '../../base/json-value.ts';
import { once } from '../../base/once.ts';
import type { Client } from '../../clients/client.ts';
import { folderPath } from '../../clients/folder.ts';
import type { ServerFile, Switch } from '../../clients/mcp-config.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import { pathText } from '../../declarations/path.ts';
import { includesUnapproved } from '../included-files.ts';
import { unsetVariable } from '../launch/references.ts';
import type { ClientServers, DefinitionSource, FoundEntry, OffEntry } from '../types.ts';
import { isOpen, pointers, type SessionPlace, settingsAt } from './config-files.ts';
import { isOff, toDefinition } from './definition.ts';
import { findPlugins, pluginAlias } from './plugins.ts';

/** A client's configuration of MCP servers. */
export type ServerSource = Pick<Client, 'id' | 'mcp'>;

/** Reads a file: its parsed value, undefined where there is none. */
type ReadValue = (file: string) => unknown;

/** Files of a kind, and where they are. */
type FilesAt = readonly { file: ServerFile; paths: readonly string[] }[];

/** Returns the servers in a client's files: those that count, those that are off, those in files of untrusted folders. */
export function entriesOf(
  client: ServerSource,
  at: FilesAt,
  place: SessionPlace,
  read: ReadValue,
): Pick<ClientServers, 'on' | 'off' | 'untrusted' | 'unusable'> {
  const { id, mcp } = client;
  const tables = tablesIn(client, at, place, read);
  const spread = mcp.merges ? spreadOver(tables, mcp) : new Map<string, string[]>();
  const whole = tables.map(({ entries, source }) => ({
    entries: Object.fromEntries(Object.entries(entries).filter(([name]) => !spread.has(name))),
    source,
  }));
  const { on, off, unusable } = byKind([...whole, ...pluginTables(client, place, read)], mcp, place, read);
  const unread = once(() => at.filter(({ file }) => !isRead(file, place, read)));
  return {
    on,
    off,
    untrusted: (alias) =>
      unread()
        .flatMap(({ file, paths }) =>
          paths.map((path) => ({ path, at: pointers(file.at, place, read(path)) })),
        )
        .filter(({ path, at }) => at.some((pointer) => Object.hasOwn(tableAt(read(path), pointer), alias)))
        .map(({ path }) => `${path} (${id})`),
    unusable: (alias) => [
      ...unusable.filter((one) => one.alias === alias).map(({ place }) => place),
      ...(spread.get(alias) ?? []),
    ],
  };
}

const isRead = ({ onlyIf }: ServerFile, place: SessionPlace, read: ReadValue): boolean =>
  !onlyIf || isOpen(onlyIf, place, read);

/** Returns the tables of servers in the files that a client reads in a session, the strongest first. */
function tablesIn({ id }: ServerSource, at: FilesAt, place: SessionPlace, read: ReadValue): Table[] {
  // In the home folder, a project's file is the user's own (Gemini CLI 0.61.0 has no workspace scope there).
  const users = at.filter(({ file }) => typeof file.in === 'object').flatMap(({ paths }) => paths);
  const counts = (file: ServerFile, path: string): boolean =>
    !(typeof file.in === 'string' && users.includes(path)) &&
    !(file.unless !== undefined && existsSync(path.slice(0, -file.path.length) + file.unless));
  return at
    .filter(({ file }) => isRead(file, place, read) && isThere(file.ifThere, place))
    .flatMap(({ file, paths }) =>
      paths
        .filter((path) => counts(file, path))
        .flatMap((path) =>
          pointers(file.at, place, read(path)).map((pointer) => ({
            entries: tableAt(read(path), pointer),
            source: { client: id, scope: file.scope, file: path, pointer },
          })),
        ),
    );
}

/** Returns the tables of servers in the client's plugins. */
function pluginTables({ id, mcp }: ServerSource, place: SessionPlace, read: ReadValue): Table[] {
  return mcp.plugins.flatMap((kind) =>
    findPlugins(kind, place, read).flatMap(({ name, root }) =>
      kind.servers.map(({ path, at }) => {
        const file = join(root, path);
        return {
          entries: tableAt(read(file), at),
          source: { client: id, scope: kind.scope, file, pointer: [...at], root },
          aliasOf: (server: string) => pluginAlias(kind, name, server),
        };
      }),
    ),
  );
}

/** Sorts the entries of tables into servers that count, those that are off, and entries that no hook can use. */
function byKind(
  tables: readonly Table[],
  { dialect, switches }: ServerSource['mcp'],
  place: SessionPlace,
  read: ReadValue,
): { on: FoundEntry[]; off: OffEntry[]; unusable: { alias: string; place: string }[] } {
  const found = new Map<string, FoundEntry>();
  const off: OffEntry[] = [];
  const hidden = new Set<string>();
  const unusable: { alias: string; place: string }[] = [];
  const { keys } = dialect;
  const values = switches.flatMap((s) => settingsAt(s, place, read).map((at) => ({ ...s, ...at })));
  const all = tables.flatMap(({ entries, source, aliasOf = (name) => name }) =>
    Object.entries(entries).map(([name, raw]) => {
      const at = { ...source, pointer: [...(source.pointer ?? []), name] };
      return { alias: aliasOf(name), raw, source, at };
    }),
  );
  for (const { alias, raw, source, at } of all) {
    const definition = toDefinition(raw, keys);
    // The client takes this entry, so none of a weaker file; one that is merged with those may say nothing else.
    if (!found.has(alias) && isOff(raw, keys) && (definition || keys.enabled)) hidden.add(alias);
    if (!definition || includesUnapproved(raw, source, dialect)) {
      unusable.push({ alias, place: `${source.file}: ${pathText(at.pointer)}` });
      continue;
    }
    if (found.has(alias)) continue;
    const entry = { alias, definition, source: at };
    const unset = hidden.has(alias) ? undefined : unsetVariable(definition, dialect, place.env);
    const stopped = hidden.has(alias) || unset !== undefined;
    const listedIn = stopped ? undefined : values.find((s) => switchedOff(s, entry))?.path;
    if (!stopped && listedIn === undefined) found.set(alias, entry);
    else
      off.push({
        ...entry,
        ...(listedIn !== undefined && { listedIn }),
        ...(unset !== undefined && { unset }),
      });
  }
  return { on: [...found.values()], off, unusable };
}

/** The servers in one place of a file. */
interface Table {
  entries: Readonly<Record<string, unknown>>;
  source: DefinitionSource;
  /** Returns the name by which the client knows an entry, where that is another. */
  aliasOf?: (name: string) => string;
}

/**
 * Returns the servers that a client puts together from entries of several files, and these entries' places. A hook reads
 * an entry from one file, so it would start such a server otherwise than the client.
 */
function spreadOver(
  tables: readonly Table[],
  { dialect: { keys } }: ServerSource['mcp'],
): Map<string, string[]> {
  const layers = new Map<string, { raw: unknown; place: string }[]>();
  for (const { entries, source } of tables)
    for (const [name, raw] of Object.entries(entries)) {
      const place = `${source.file}: ${pathText([...(source.pointer ?? []), name])}`;
      layers.set(name, [...(layers.get(name) ?? []), { raw, place }]);
    }
  const spread = new Map<string, string[]>();
  for (const [name, all] of layers) {
    if (all.length === 1) continue;
    const definitions = all.flatMap(({ raw }) => toDefinition(raw, keys) ?? []);
    const whole = toDefinition(
      all.map(({ raw }) => raw).reduce((strong, weak) => merged(weak, strong)),
      keys,
    );
    if (canonicalJson(whole) !== canonicalJson(definitions[0]))
      spread.set(
        name,
        all.map(({ place }) => place),
      );
  }
  return spread;
}

/** Merges a stronger value into a weaker one, tables by their members. */
function merged(weak: unknown, strong: unknown): unknown {
  if (!isObject(weak) || !isObject(strong)) return strong;
  const more = Object.entries(strong).map(([key, value]) => [key, merged(valueAt(weak, [key]), value)]);
  return { ...weak, ...Object.fromEntries(more) };
}

/** True where the folder exists on which a file depends. */
export const isThere = (folder: ServerFile['ifThere'], { env }: SessionPlace): boolean =>
  folder === undefined || existsSync(folderPath(folder, env));

function tableAt(value: unknown, pointer: readonly string[]): Readonly<Record<string, unknown>> {
  const at = valueAt(value, pointer);
  return isObject(at) ? at : {};
}

function switchedOff(
  { kind, scopes, lowerCase, value }: Switch & { value: unknown },
  entry: FoundEntry,
): boolean {
  if (scopes && !scopes.includes(entry.source.scope)) return false;
  const name = lowerCase ? entry.alias.toLowerCase().trim() : entry.alias;
  if (kind === 'flags')
    return valueAt(value, [name]) === false || valueAt(value, [name, 'enabled']) === false;
  if (!Array.isArray(value)) return false;
  return kind === 'off' ? value.includes(name) : value.length > 0 && !value.includes(name);
}
