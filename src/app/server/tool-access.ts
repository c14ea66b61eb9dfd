import type { ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { namesServers } from '../../clients/tools.ts';
import { callsTools, type Declaration } from '../../declarations/types.ts';
import type { Note } from '../../messages/notes.ts';
import type { PlanInput } from '../../plan/input.ts';
import { earlierHash } from '../../servers/definitions/earlier-hash.ts';
import { dialectOf } from '../../servers/definitions/resolve.ts';
import { projectFolder } from '../../servers/launch/project-folder.ts';
import { showDefinition } from '../../servers/masking/mask.ts';
import { packageRun } from '../../servers/packages/package-runner.ts';
import { inFoundOrder } from '../../servers/source.ts';
import type {
  Definition,
  DefinitionSource,
  Ecosystem,
  ServerEntry,
  ServerTool,
} from '../../servers/types.ts';
import { hasReference, reachableUrl, type UrlRefusal } from '../../servers/url.ts';
import type { ServerRecord } from '../../store/types.ts';

/** Returns the approved access, for an installed server whose definition can't be found. */
export function accessAsApproved(previous: ServerRecord | undefined): PlanInput['toolAccess'] {
  if (!previous?.definition) return { note: { code: 'unsupported.no-definition', args: {} } };
  const { hash, shown } = previous.definition;
  const source = inFoundOrder(previous.definition.source);
  return { shown, at: { source, ...folderOf(source), hash, dialect: dialectOf(source) } };
}

/** Returns how a shim reaches the server, or a note why no shim can. */
export function toolAccess(
  entry: ServerEntry,
  declarations: readonly Declaration[],
  previous: ServerRecord | undefined,
): PlanInput['toolAccess'] {
  const { definition, source, hash } = entry;
  if (definition.transport !== 'stdio' && definition.heldBy)
    return { note: { code: 'unsupported.client-holds-access', args: {} } };
  const calls = callsTools(declarations);
  const address = calls ? refusedAddress(definition) : undefined;
  if (address) return { note: { code: 'unsupported.address', args: { reason: address } } };
  const notes = runnerNotes(definition, calls);
  return {
    shown: showDefinition(definition, source),
    ...(definition.transport !== 'stdio' && { remote: true as const }),
    ...(notes.length > 0 && { notes }),
    ...(isOfEarlierVersion(entry, previous) && { earlierHash: previous?.definition?.hash }),
    at: {
      source,
      ...folderOf(source),
      hash,
      dialect: dialectOf(source),
      ...(calls && source.scope === 'command-line' && { definition }),
    },
  };
}

function folderOf(source: DefinitionSource): { folder?: string } {
  const folder = projectFolder(source);
  return folder === undefined ? {} : { folder };
}

/** Whether hooks can use a definition, as far as is known before variables are filled in. */
export function isReachable(definition: Definition): boolean {
  return definition.transport === 'stdio' || (!definition.heldBy && !refusedAddress(definition));
}

/** Checks the URL as far as possible before variables are filled in; a hook checks again. */
function refusedAddress(definition: Definition): UrlRefusal | undefined {
  if (definition.transport === 'stdio' || hasReference(definition.url)) return undefined;
  const url = reachableUrl(definition.url);
  return url instanceof URL ? undefined : url;
}

const INSTALL: Record<Ecosystem, (name: string) => string> = {
  npm: (name) => `npm install -g ${name}`,
  pypi: (name) => `uv tool install ${name}`,
  oci: () => '',
};

/** Returns notes about a server that a package runner starts. */
function runnerNotes(definition: Definition, calls: boolean): Note[] {
  if (definition.transport !== 'stdio') return [];
  const run = packageRun(definition.command, definition.args, definition.env);
  if (!run) return [];
  const { runner, ecosystem, name, pinned, spec } = run;
  const example = `${name}${ecosystem === 'oci' ? ':' : '@'}1.2.3`;
  const version: Note =
    name === undefined
      ? { code: 'runner.unknown', args: { runner } }
      : { code: 'runner.unpinned', args: { runner, package: name, example } };
  const install = name === undefined ? '' : INSTALL[ecosystem]((pinned && spec) || name);
  return [
    ...(pinned ? [] : [version]),
    ...(calls ? [{ code: 'runner.per-call' as const, args: { runner, install } }] : []),
  ];
}

/**
 * True when the recorded hash is an earlier version's hash of this definition. Project definitions need a new approval
 * instead: others may have changed the definition since.
 */
function isOfEarlierVersion(
  { definition, source, hash }: ServerEntry,
  previous: ServerRecord | undefined,
): boolean {
  const before = previous?.definition?.hash;
  const own = source.scope !== 'project' && previous?.scope !== 'project';
  return own && before !== undefined && before !== hash && before === earlierHash(definition);
}

/** Returns the names of tools whose output schema has a `hookSpecificOutput` field. */
export function documentTools(tools: readonly ServerTool[]): string[] {
  const schema = (tool: ServerTool) => tool.outputSchema as { properties?: object } | undefined;
  return tools
    .filter((t) => Object.hasOwn(schema(t)?.properties ?? {}, 'hookSpecificOutput'))
    .map((t) => t.name);
}

/**
 * Returns the names of the server's tools, as it lists them or as an earlier install recorded them, when any of the
 * clients names tools without their server; undefined when unknown or not needed.
 */
export function ownToolsFor(
  clients: readonly ClientId[],
  tools: readonly ServerTool[] | undefined,
  previous: ServerRecord | undefined,
): readonly string[] | undefined {
  if (clients.every((id) => namesServers(clientById(id).tools))) return undefined;
  return tools && tools.length > 0 ? tools.map(({ name }) => name).sort() : previous?.ownTools;
}
