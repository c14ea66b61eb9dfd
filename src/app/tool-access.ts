import type { Declaration } from '../declarations/types.ts';
import type { Note } from '../messages/notes.ts';
import type { PlanInput } from '../plan/input.ts';
import { earlierHash } from '../servers/earlier-hash.ts';
import { showDefinition } from '../servers/mask.ts';
import { packageRun } from '../servers/package-runner.ts';

import { dialectOf } from '../servers/resolve.ts';
import type { Definition, Ecosystem, ServerEntry, ServerTool } from '../servers/types.ts';
import { reachableUrl, type UrlRefusal } from '../servers/url.ts';
import type { ServerRecord } from '../store/types.ts';

/** Where nothing says how to reach an installed server, what was approved stays as it is. */
export function accessAsApproved(previous: ServerRecord | undefined): PlanInput['toolAccess'] {
  if (!previous?.definition) return { note: { code: 'unsupported.no-definition', args: {} } };
  const { source, hash, shown } = previous.definition;
  return { shown, at: { source, hash, dialect: dialectOf(source) } };
}

/** How a shim reaches the server, or why it can't. */
export function toolAccess(
  entry: ServerEntry,
  declarations: readonly Declaration[],
  previous: ServerRecord | undefined,
): PlanInput['toolAccess'] {
  const { definition, source, hash } = entry;
  if (definition.transport !== 'stdio' && definition.heldBy)
    return { note: { code: 'unsupported.client-holds-access', args: {} } };
  const calls = declarations.some((d) => d.context_tool !== undefined);
  const address = calls ? refusedAddress(definition) : undefined;
  if (address) return { note: { code: 'unsupported.address', args: { reason: address } } };
  const notes = runnerNotes(definition, calls);
  return {
    shown: showDefinition(definition, source),
    ...(notes.length > 0 && { notes }),
    ...(isOfEarlierVersion(entry, previous) && { earlierHash: previous?.definition?.hash }),
    at: {
      source,
      hash,
      dialect: dialectOf(source),
      ...(calls && source.scope === 'command-line' && { definition }),
    },
  };
}

/** What is known before variables are filled in; a hook looks again. */
function refusedAddress(definition: Definition): UrlRefusal | undefined {
  if (definition.transport === 'stdio' || definition.url.includes('$')) return undefined;
  const url = reachableUrl(definition.url);
  return url instanceof URL ? undefined : url;
}

const INSTALL: Record<Ecosystem, (name: string) => string> = {
  npm: (name) => `npm install -g ${name}`,
  pypi: (name) => `uv tool install ${name}`,
  oci: () => '',
};

/** What to know of a server that a package runner starts (contract, "Trust" and "Limits"). */
function runnerNotes(definition: Definition, calls: boolean): Note[] {
  if (definition.transport !== 'stdio') return [];
  const run = packageRun(definition.command, definition.args, definition.env);
  if (!run) return [];
  const { runner, ecosystem, name, pinned } = run;
  const example = `${name}${ecosystem === 'oci' ? ':' : '@'}1.2.3`;
  const version: Note =
    name === undefined
      ? { code: 'runner.unknown', args: { runner } }
      : { code: 'runner.unpinned', args: { runner, package: name, example } };
  const install = name === undefined ? '' : INSTALL[ecosystem](name);
  return [
    ...(pinned ? [] : [version]),
    ...(calls ? [{ code: 'runner.per-call' as const, args: { runner, install } }] : []),
  ];
}

/** What a project shares is asked for again instead: others may have written it since. */
function isOfEarlierVersion(
  { definition, source, hash }: ServerEntry,
  previous: ServerRecord | undefined,
): boolean {
  const before = previous?.definition?.hash;
  const own = source.scope !== 'project' && previous?.scope !== 'project';
  return own && before !== undefined && before !== hash && before === earlierHash(definition);
}

/** Tools that say in their output schema that they return a `hookSpecificOutput` document. */
export function documentTools(tools: readonly ServerTool[]): string[] {
  const schema = (tool: ServerTool) => tool.outputSchema as { properties?: object } | undefined;
  return tools
    .filter((t) => Object.hasOwn(schema(t)?.properties ?? {}, 'hookSpecificOutput'))
    .map((t) => t.name);
}
