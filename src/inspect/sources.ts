import { valuesByKey } from '../base/grouped.ts';
import { slugFor } from '../base/slug.ts';
import { CLIENT_IDS, type ClientId } from '../clients/client.ts';
import { clientById } from '../clients/index.ts';
import type { ScopeName } from '../clients/scopes.ts';
import { declarationsHash } from '../declarations/canonical-json.ts';
import type { Declaration, HookEvent } from '../declarations/types.ts';
import { shareSign, signsOf } from '../fire/installs/same-server.ts';
import { Fault } from '../messages/fault.ts';
import type { Note, NoteCode } from '../messages/notes.ts';
import { isLeftIn } from '../plan/chosen-hooks.ts';
import { shimsIn } from '../plan/client/shims-in.ts';
import type { PlanInput } from '../plan/input.ts';
import type { InstallOptions } from '../plan/options.ts';
import { recordedScope } from '../plan/scopes/plugin-scope.ts';
import type { HookFilePath, Scope } from '../plan/scopes/scope.ts';
import { filesIn } from '../plan/scopes/within.ts';
import type { Cover, Overlap } from '../plan/types.ts';
import { disabledFilesOf, isDisabledBy } from './disabled-files.ts';
import { findExported } from './exported-plugins.ts';
import { activeScopes, type Here, type ScopeState } from './scopes.ts';
import type { MachineView } from './settings.ts';

/**
 * A source of a server's hooks on one client: an install with entries in the client's file, or an active plugin or
 * extension.
 */
export interface HookSource extends Pick<Cover, 'by' | 'where'> {
  server: string;
  slug: string;
  client: ClientId;
  /** Hash of the declarations from which it was made; absent when unknown. */
  declarationsHash?: string;
  options: Readonly<Record<string, unknown>>;
  /** Absent for a plugin or extension. */
  declarations?: readonly Declaration[];
  /** Files whose presence disables its hooks. */
  disabledFiles: readonly string[];
}

/** Returns all sources of hooks that act in the working folder. Reads files only. */
export function activeSources(scopes: readonly ScopeState[], view: MachineView): HookSource[] {
  const found = new Map<string, ReturnType<typeof shimsIn>>();
  const shimsOf = (place: HookFilePath, client: ClientId, scope: Scope) => {
    const key = `${client} ${place.file}`;
    const shims = found.get(key) ?? shimsIn(place, client, filesIn(scope, view));
    found.set(key, shims);
    return shims;
  };
  const installs = scopes.flatMap(({ scope, servers }) =>
    servers.flatMap((record) => {
      const { server, slug, clients, declarationsHash, declarations, options } = record;
      const made = { declarationsHash, declarations, options, disabledFiles: disabledFilesOf(record, scope) };
      return CLIENT_IDS.flatMap((client): HookSource[] => {
        const where = clients[client]?.file;
        const at = recordedScope(scope, clientById(client), slug, clients[client]);
        const place = at.hookFiles(clientById(client), slug).find(({ file }) => file === where);
        const isInstalled =
          place !== undefined &&
          shimsOf(place, client, at).some((shim) => shim.slug === slug && shim.shared === scope.shared);
        return isInstalled ? [{ by: scope.name, server, slug, client, where: place.file, ...made }] : [];
      });
    }),
  );
  const user = scopes.find(({ scope }) => scope.name === 'user')?.scope;
  const plugins = findExported(view).map(({ server, root, ...made }) => {
    const slug = slugFor(server);
    // Exported shims use the `disabled` file of the user's own install.
    return { ...made, server, slug, where: root, disabledFiles: user ? [user.disabledFile(slug)] : [] };
  });
  return [...installs, ...plugins];
}

/**
 * Sources that cover an install at each scope: with such a source, the install would print the hooks twice. A project's
 * install is never covered: its shims print nothing where the user's own install prints, and its files must be equal for
 * everybody, whatever one machine has installed.
 */
const COVERED_BY: Readonly<Record<ScopeName, readonly HookSource['by'][]>> = {
  user: ['plugin', 'extension'],
  local: ['user', 'project', 'plugin', 'extension'],
  project: [],
};

/** Notes about other sources beside an install at each scope: which source gives no text, or that both print. */
const MEETS: Readonly<Record<ScopeName, Partial<Record<HookSource['by'], NoteCode>>>> = {
  user: { project: 'across.project-silent', local: 'across.local-silent' },
  local: {},
  project: {
    user: 'across.user-speaks',
    local: 'across.user-speaks',
    plugin: 'across.twice',
    extension: 'across.twice',
  },
};

/** What of a plan's input its overlap depends on. */
type OverlapInput = Pick<PlanInput, 'slug' | 'files' | 'declared' | 'options'>;

/**
 * Returns the overlap between an install of a server and the sources that act in the working folder. Sources that can't
 * be read count as none, and so do installs of another server of that name, whose hooks give their texts, too.
 */
export async function findOverlap(
  input: OverlapInput & Pick<PlanInput, 'toolAccess' | 'reading'>,
  { env, cwd, paths, scope }: Here & { scope: Scope },
): Promise<Overlap> {
  const { slug, files, declared, toolAccess, reading } = input;
  const definition = 'at' in toolAccess ? toolAccess.at : undefined;
  const signs = signsOf({ ...declared, definition });
  try {
    const scopes = await activeScopes({ env, cwd, paths }, { scope, reading });
    const same = scopes.map((s) => ({
      ...s,
      servers: s.servers.filter((one) => one.slug === slug && shareSign(signsOf(one), signs)),
    }));
    return overlapOf(input, scope.name, activeSources(same, { ...files, env, cwd }));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { covered: {}, notes: {} };
  }
}

/** Returns which sources cover an install of a server at a scope, per client, and notes about the others. */
function overlapOf(planned: OverlapInput, scope: ScopeName, sources: readonly HookSource[]): Overlap {
  const found: Overlap = { covered: {}, notes: {} };
  for (const client of CLIENT_IDS) {
    const others = sources.filter((s) => s.slug === planned.slug && s.client === client);
    const cover = others.find(({ by }) => COVERED_BY[scope].includes(by));
    if (cover) found.covered[client] = coverOf(cover, planned);
    const notes = others.flatMap((other): Note[] => {
      const { by, where } = other;
      const code = MEETS[scope][by];
      const silent =
        scope === 'user' ? lacking(other, { ...planned.declared, options: planned.options }) : [];
      return code ? [{ code, args: { by, where, ...(silent.length > 0 && { silent }) } }] : [];
    });
    if (notes.length > 0) found.notes[client] = notes;
  }
  return found;
}

/** Declarations with the options by which some are left out. */
interface Chosen {
  declarations?: readonly Declaration[];
  options: Readonly<Partial<Record<keyof InstallOptions, unknown>>>;
}

/**
 * Returns the hooks of an install that another one, which takes precedence, lacks, by number and event. Of other
 * declarations, those at events for which the other install has none.
 */
export function lacking({ declarations = [], options }: Chosen, other: Chosen): string[] {
  const others = other.declarations ?? [];
  const areSame = declarationsHash(declarations) === declarationsHash(others);
  const has = (event: HookEvent, n: number): boolean =>
    areSame
      ? isLeftIn(event, n, other.options)
      : others.some((one, i) => one.event === event && isLeftIn(event, i + 1, other.options));
  return declarations.flatMap(({ event }, i) =>
    isLeftIn(event, i + 1, options) && !has(event, i + 1) ? [`hook ${i + 1} (${event})`] : [],
  );
}

/** Returns what a source has of the planned hooks. Which of other declarations' hooks are the same isn't compared. */
function coverOf(
  { by, where, declarationsHash: hash, options: made, disabledFiles }: HookSource,
  { declared: { declarations }, options, files }: OverlapInput,
): Cover {
  const differ = hash !== undefined && hash !== declarationsHash(declarations);
  const lacks = declarations.flatMap(({ event }, i) =>
    isLeftIn(event, i + 1, options) && !isLeftIn(event, i + 1, made) ? [i + 1] : [],
  );
  const disabled = isDisabledBy(disabledFiles, files);
  return {
    by,
    where,
    ...(differ ? { otherDeclarations: true } : lacks.length > 0 && { lacks }),
    ...(disabled && { disabled }),
  };
}

/** Returns the sources that print; the other sources of this server and client give no text (`coveredByUserInstall`). */
function printing(all: readonly HookSource[]): readonly HookSource[] {
  const has = (by: HookSource['by']): boolean => all.some((s) => s.by === by);
  if (has('user')) return all.filter(({ by }) => by === 'user');
  return has('local') ? all.filter(({ by }) => by === 'local') : all;
}

/** Returns the groups of sources that print the same server's hooks twice on one client. */
export function duplicates(sources: readonly HookSource[]): (readonly HookSource[])[] {
  const groups = valuesByKey(sources.map((source) => [`${source.client} ${source.slug}`, source]));
  return [...groups.values()].map(printing).filter((all) => all.length > 1);
}
