import { valuesByKey } from '../base/grouped.ts';
import { slashed } from '../base/paths.ts';
import type { Client } from '../clients/client.ts';
import type { PluginClient } from '../clients/index.ts';
import type { Declaration } from '../declarations/types.ts';
import { Fault } from '../messages/fault.ts';
import type { NextStep, Note } from '../messages/notes.ts';
import { isCarried } from '../plan/carried.ts';
import { compile } from '../plan/compile/compile.ts';
import { serversNamed } from '../plan/compile/matcher.ts';
import type { PlanInput, ToolAccess } from '../plan/input.ts';
import { approvalDigest } from '../plan/options.ts';
import type { Compiled, HookOutcome } from '../plan/types.ts';
import { toDefinition } from '../servers/definitions/definition.ts';
import { definitionHash } from '../servers/definitions/definition-hash.ts';
import { pluginAlias } from '../servers/definitions/plugins.ts';
import type { Definition } from '../servers/types.ts';
import { ATTRIBUTES, portableShims, type Runtime, type ShimsToWrite } from '../shims/own-files.ts';
import { pluginServer, type ServerToPack } from './server-entry.ts';

interface PackInput
  extends Pick<
    PlanInput,
    'server' | 'slug' | 'declared' | 'options' | 'toolAccess' | 'documentTools' | 'runtime'
  > {
  /** The server's definition on this machine. */
  definition?: Definition;
}

/** A file of the plugin; its path is relative to the plugin's folder, with `/`. */
export interface PackedFile {
  path: string;
  text: string;
  executable?: true;
}

/** Files, manifest and compiled hooks of one client in a plugin. */
export interface Packed extends Compiled {
  /** Files without the manifest, which contains the version. */
  files: PackedFile[];
  manifest: { path: string; fields: Record<string, unknown> };
  /** Variables that the plugin's server needs from each machine. */
  variables: readonly string[];
  /** Steps to publish or load a plugin of this client. */
  nextSteps: readonly NextStep[];
}

/** Relative path from a shim's folder, `shims/<client>-<digest>`, to the plugin's folder. */
const UP = '../..';

/** Returns shims and the files beside them, for a folder two levels below the folder of `runtime/`. */
function portableFiles(wanted: ShimsToWrite): PackedFile[] {
  return portableShims(wanted, 2).map(({ path, text, mode }) => ({
    path: slashed(path),
    text,
    ...(mode === 0o777 && { executable: true }),
  }));
}

export function runtimeCopies(runtime: Runtime): PackedFile[] {
  return runtime.files.map(({ name, text }) => ({ path: `runtime/${name}`, text }));
}

/**
 * Compiles the parts for one client. `withServer`: the server to include in the plugin; `hooks`: path of the hook file,
 * when the manifest has to name the path. Pure; throws a Fault when the server can't be included.
 */
export function pack(
  client: PluginClient,
  input: PackInput,
  plugin: string,
  { withServer, hooks }: { withServer?: ServerToPack; hooks?: string },
): Packed {
  const { server, slug, declared, options } = input;
  const { manifest, fields, root, onFailure, elsewhere, nextSteps, ...format } = client.plugin;
  const packedServer = withServer && packServer(server, withServer, client, plugin);
  const access = packedServer ?? known(input, client);
  const ownNames = [declared.serverName, server].filter((name) => name !== undefined);
  const compiledFor = (alias: string, shimFolder: string, only: readonly string[]): Compiled =>
    compile(declared.declarations, {
      client,
      servers: {
        alias,
        otherNames: ownNames,
        known: [alias, ...serversNamed(declared.declarations).filter((name) => !ownNames.includes(name))],
      },
      name: server,
      slug,
      options: { ...options, only: [...only] },
      shimFolder,
      toolAccess: access.toolAccess,
      // Run by `sh`, as in a project, because a downloaded archive loses the executable bit.
      invoke: (path) => ({
        command: `sh ${root}/${path} 2>/dev/null || exit 0`,
        ...(onFailure && { onFailure }),
      }),
      mark: (key) => key,
      documentTools: input.documentTools,
    });
  // The digest is in the path, as in a user's install: a client that reviews commands then asks again after a change.
  const folder = `shims/${client.id}-${approvalDigest(declared.declarations, options, client.id)}`;
  const main = compiledFor(packedServer?.alias ?? server, folder, options.only);
  // Claude Code 2.1.329 uses the user's own server instead of a plugin's equal server, and its tools have other names.
  const namingServer = main.cells.filter(
    ({ n, fidelity }) =>
      isCarried(fidelity) &&
      serversNamed(declared.declarations.slice(n - 1, n)).some((name) => ownNames.includes(name)),
  );
  const userServerFolder = `${folder}-known`;
  const forUserServer =
    packedServer && packedServer.alias !== server && namingServer.length > 0
      ? compiledFor(
          server,
          userServerFolder,
          namingServer.map(({ n }) => String(n)),
        )
      : undefined;
  remark(main.cells, declared.declarations, access.notes);
  const entries = [...main.entries, ...(forUserServer?.entries ?? [])];
  const groups = Object.fromEntries(valuesByKey(entries.map(({ event, group }) => [event, group])));
  const file = { path: hooks ?? format.hooks, text: json({ hooks: groups }) };
  const runtime = input.runtime();
  return {
    ...main,
    files: [
      file,
      ...(packedServer && !packedServer.inManifest ? [packedServer.file] : []),
      ...portableFiles({ shims: main.shims, folder, slug, runtime }),
      ...portableFiles({ shims: forUserServer?.shims ?? [], folder: userServerFolder, slug, runtime }),
    ],
    variables: packedServer?.variables ?? [],
    nextSteps,
    manifest: {
      path: manifest,
      fields: {
        ...fields,
        ...(hooks !== undefined && elsewhere && { [elsewhere.key]: `./${hooks}` }),
        ...(packedServer?.inManifest && packedServer.fields),
      },
    },
  };
}

/**
 * Returns the access without a bundled server: the user's own server of this name, while its definition is the approved
 * one.
 */
function known(
  { server, toolAccess, definition }: PackInput,
  client: Client,
): { toolAccess: ToolAccess; notes: Note[] } {
  if ('note' in toolAccess) return { toolAccess, notes: [] };
  const { dialect, files } = client.mcp;
  const user = files.find((f) => f.scope === 'user' && typeof f.in === 'object');
  if (!user || typeof user.in !== 'object') throw new Error(`no user's servers in ${client.id}`);
  const source = {
    client: client.id,
    scope: 'user' as const,
    file: user.path,
    pointer: [...user.at, server],
  };
  // The definition is unchanged, but the hash is for its place in the user's own file.
  const hash = definition ? definitionHash(definition, source, dialect) : toolAccess.at.hash;
  return {
    toolAccess: { shown: toolAccess.shown, at: { source, base: user.in, hash, dialect } },
    notes: [{ code: 'export.known-server', args: { name: server } }],
  };
}

/** Returns the server as a part of the plugin. */
function packServer(server: string, defined: ServerToPack, client: PluginClient, plugin: string) {
  const { dialect, plugins } = client.mcp;
  const kind = plugins[0];
  const place = kind?.servers[0];
  if (!kind || !place) throw new Error(`no plugins' servers in ${client.id}`);
  const { entry, variables } = pluginServer(defined, client);
  const written = toDefinition(entry, dialect.keys);
  if (!written) throw new Error(`${client.id} would not read the server's entry`);
  const pointer = [...place.at, server];
  const fields = pointer.reduceRight<unknown>((value, key) => ({ [key]: value }), entry);
  const source = {
    client: client.id,
    scope: kind.scope,
    file: `${UP}/${place.path}`,
    pointer,
    root: UP,
  };
  return {
    alias: pluginAlias(kind, plugin, server),
    toolAccess: { shown: '', at: { source, hash: definitionHash(written, source, dialect), dialect } },
    notes: [{ code: 'export.own-server' as const, args: {} }],
    variables,
    inManifest: place.path === client.plugin.manifest,
    fields: fields as Record<string, unknown>,
    file: { path: place.path, text: json(fields) },
  };
}

function remark(
  cells: readonly HookOutcome[],
  declarations: readonly Declaration[],
  notes: readonly Note[],
): void {
  for (const cell of cells) {
    const calls = declarations[cell.n - 1]?.context_tool !== undefined;
    if (calls && isCarried(cell.fidelity)) cell.notes.push(...notes);
  }
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Returns the files that keep git from converting the line ends of scripts. They are beside the scripts, since a file of
 * the whole folder may be its owner's, and theirs would have to stay.
 */
export function attributes(): PackedFile[] {
  const { name, text } = ATTRIBUTES;
  return ['runtime', 'shims'].map((folder) => ({ path: `${folder}/${name}`, text }));
}

/** Merges the files of several clients. Throws a Fault, `export.formats`, when two texts need the same path. */
export function together(shares: readonly PackedFile[], formats: readonly string[]): PackedFile[] {
  const files = new Map<string, PackedFile>();
  for (const share of shares) {
    const other = files.get(share.path);
    if (other && other.text !== share.text)
      throw new Fault('export.formats', { formats }, { path: share.path });
    files.set(share.path, share);
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
