import { once } from '../../base/once.ts';
import { sha256 } from '../../base/sha256.ts';
import { VERSION } from '../../base/version.ts';
import type { Client } from '../../clients/client.ts';
import { namesServers } from '../../clients/tools.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import type { FileMemory } from '../../edit/types.ts';
import { entryMark } from '../../shims/entry-owner.ts';
import { jointFolder } from '../../shims/joint-script.ts';
import { shimFolder } from '../../shims/own-files.ts';
import type { ClientRecord } from '../../store/types.ts';
import { compile } from '../compile/compile.ts';
import { bareName, type ServerNames } from '../compile/server-tools.ts';
import { otherPlaces } from '../definitions.ts';
import type { PlanInput, ToolAccess } from '../input.ts';
import { approvalDigest } from '../options.ts';
import { relocated } from '../relocated.ts';
import { targetScope } from '../scopes/plugin-scope.ts';
import { type HookFilePath, isPluginScope, type PluginScope, type Scope } from '../scopes/scope.ts';
import type { Compiled } from '../types.ts';
import { withAdopted } from './adopted-files.ts';

/** Where a server's hooks are to be on one client, what they are, and what is recorded of them. */
export interface ClientTarget {
  /** The client as it is in the scope. */
  client: Client;
  scope: Scope | PluginScope;
  /** Where the client's hooks are with the other `--target`. */
  other: Scope | PluginScope | undefined;
  /** Files of both in which entries may be. */
  places: HookFilePath[];
  previous: ClientRecord | undefined;
  memories: Record<string, FileMemory>;
  /** Digest of what is approved. */
  digest: string;
  /** Folder of the hook scripts. */
  folder: string;
  /** Compiles the declarations at the first call and keeps the result. */
  compiled: () => Compiled;
  /** Hash of what the entries follow from besides what was approved; undefined in a shared scope. */
  basis: string | undefined;
}

/** Returns where a plan puts a client's hooks and what was recorded there; nothing is compiled yet. */
export function targetOn(
  everywhere: Client,
  input: PlanInput,
  recorded: ClientRecord | undefined,
  remembered: Record<string, FileMemory>,
): ClientTarget {
  const { slug, options, declared } = input;
  const client = input.scope.clientHere?.(everywhere) ?? everywhere;
  const scope = targetScope(input.scope, client, slug, options.target);
  const other = isPluginScope(scope) ? input.scope : input.scope.asPlugin?.(client, slug);
  const places = [scope, other].flatMap((one) => one?.hookFiles(client, slug) ?? []);
  const { record: previous, memories: moved } = relocated(recorded, remembered, places, input);
  const memories = withAdopted(moved, previous, places, client.id, input);
  const digest = approvalDigest(declared.declarations, options, client.id);
  const folder = shimFolder(scope.paths, { slug, digest, client: client.id });
  const known = input.aliases[client.id] ?? [];
  const servers: ServerNames = {
    alias: input.aliasOn[client.id] ?? input.server,
    ...(declared.serverName !== undefined && { serverName: declared.serverName }),
    ...bareName(input.server, known),
    known,
    ...(input.ownTools && !namesServers(client.tools) && { ownTools: input.ownTools }),
  };
  const compiled = once(() =>
    compile(declared.declarations, {
      client,
      servers,
      slug,
      ...(!scope.shared && { tag: input.tag, state: scope.paths.state }),
      ...(scope.root !== undefined && { yields: true }),
      options,
      shimFolder: folder,
      // A plugin holds one server's hooks.
      ...(!isPluginScope(scope) && {
        joint: { folder: jointFolder(scope.paths, client.id), scope: scope.name },
      }),
      toolAccess: toolAccessFrom(folder, input, scope),
      invoke: (path) => scope.invoke(path, client),
      mark: (key) => entryMark(key, { slug, digest, client: client.id, shared: scope.shared }),
      documentTools: input.documentTools,
      ...(input.listedTools && { listedTools: input.listedTools }),
    }),
  );
  const basis = scope.shared ? undefined : compileInputsHash(servers, folder, input);
  return { client, scope, other, places, previous, memories, digest, folder, compiled, basis };
}

/**
 * Hash of the inputs of the entries besides what was approved: mcphooks' version, shim folder, server names, tool
 * access. While this hash and the approval's digest are unchanged, a comparison uses the recorded entries without
 * compiling.
 */
function compileInputsHash(
  servers: ServerNames,
  folder: string,
  { toolAccess, documentTools }: PlanInput,
): string {
  const unreached = 'note' in toolAccess ? toolAccess.note.code : null;
  return sha256(canonicalJson({ version: VERSION, folder, servers, unreached, documentTools }));
}

function toolAccessFrom(folder: string, input: PlanInput, scope: Scope): ToolAccess {
  const { toolAccess } = input;
  if ('note' in toolAccess) return toolAccess;
  const others = otherPlaces(input);
  // What a lock file gives on its command line is for its project alone.
  const project = toolAccess.at.folder ?? (scope.shared ? scope.root : undefined);
  const { source } = toolAccess.at;
  const at = {
    ...toolAccess.at,
    source: { ...source, ...(source.file !== undefined && { file: scope.from(source.file, folder) }) },
    ...(project !== undefined && { folder: scope.from(project, folder) }),
  };
  return { ...toolAccess, at: { ...at, ...(others && others.length > 0 && { others }) } };
}
