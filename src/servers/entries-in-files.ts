import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../base/json-value.ts';
import { once } from '../base/once.ts';
import type { Client } from '../clients/client.ts';
import { folderPath } from '../clients/folder.ts';
import type { ServerFile, Switch } from '../clients/mcp-config.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import { pathText } from '../declarations/path.ts';
import { isOpen, pointers, type SessionPlace, settingsAt } from './config-files.ts';
import { isOff, lookUp, toDefinition } from './definition.ts';
import { includesUnapproved } from './included-files.ts';
import { lacksVariable } from './launch.ts';
import { findPlugins, pluginAlias } from './plugins.ts';
import type { ClientServers, DefinitionSource, FoundEntry, OffEntry } from './types.ts';

/** A client's configuration of MCP servers. */
export type ServerSource = Pick<Client, 'id' | 'mcp'>;

/** Returns the servers in a client's files: those that count, those that are off, those in files of untrusted folders. */
export function entriesOf(
  { id, mcp }: ServerSource,
  at: readonly { file: ServerFile; paths: readonly string[] }[],
  place: SessionPlace,
  read: (file: string) => unknown,
): Pick<ClientServers, 'on' | 'off' | 'untrusted' | 'unusable'> {
  const found = new Map<string, FoundEntry>();
  const off: OffEntry[] = [];
  const hidden = new Set<string>();
  const unusableEntries: { alias: string; place: string }[] = [];
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
      const at = { ...source, pointer: [...(source.pointer ?? []), name] };
      if (!definition || includesUnapproved(raw, source, mcp.dialect)) {
        unusableEntries.push({ alias, place: `${source.file}: ${pathText(at.pointer)}` });
        continue;
      }
      if (found.has(alias)) continue;
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
  const tables: Table[] = [];
  for (const { file, paths } of at) {
    if (!isRead(file)) continue;
    if (!isThere(file.ifThere, place)) continue;
    for (const path of paths) {
      if (typeof file.in === 'string' && users.includes(path)) continue;
      if (file.unless !== undefined && existsSync(path.slice(0, -file.path.length) + file.unless)) continue;
      for (const pointer of pointers(file.at, place)) {
        const source = { client: id, scope: file.scope, file: path, pointer };
        tables.push({ entries: tableAt(read(path), pointer), source });
      }
    }
  }
  const spread = mcp.merges ? spreadOver(tables, mcp) : new Map<string, string[]>();
  for (const { entries, source } of tables) {
    const whole = Object.entries(entries).filter(([name]) => !spread.has(name));
    add(Object.fromEntries(whole), source);
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
  const unusable = (alias: string): string[] => [
    ...unusableEntries.filter((one) => one.alias === alias).map(({ place }) => place),
    ...(spread.get(alias) ?? []),
  ];
  return { on: [...found.values()], off, untrusted, unusable };
}

/** The servers in one place of a file. */
interface Table {
  entries: Readonly<Record<string, unknown>>;
  source: DefinitionSource;
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
  const more = Object.entries(strong).map(([key, value]) => [key, merged(lookUp(weak, [key]), value)]);
  return { ...weak, ...Object.fromEntries(more) };
}

/** True where the folder exists on which a file depends. */
export const isThere = (folder: ServerFile['ifThere'], { env }: SessionPlace): boolean =>
  folder === undefined || existsSync(folderPath(folder, env));

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
