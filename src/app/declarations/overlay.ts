import { nearArg } from '../../base/near.ts';
import { excerpt } from '../../base/visible.ts';
import { inDocument } from '../../declarations/path.ts';
import { callsTools } from '../../declarations/types.ts';
import { projectRoot } from '../../inspect/project-root.ts';
import { wordsForOthers } from '../../inspect/repeated-install.ts';
import { offerText } from '../../messages/catalogue.ts';
import { Fault, Faults } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import type { Note } from '../../messages/notes.ts';
import type { Scope } from '../../plan/scopes/scope.ts';
import { type Offer, offerFor } from '../../servers/catalogue/offer.ts';
import { standingOf } from '../../servers/catalogue/standing.ts';
import { identityOf, shownIdentity } from '../../servers/packages/identity.ts';
import { toolFaults } from '../../servers/tools/check-tools.ts';
import type { Declared, Definition, OverlaySource, ServerEntry, ServerTool } from '../../servers/types.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Context } from '../context.ts';
import type { Request } from '../request.ts';
import { reachedBy } from '../server/reached-by.ts';

/** Fields of the request that matter. */
type Wanting = Pick<Request, 'server' | 'catalogue' | 'offers'>;

/** Hooks that a server gets because it declares none: offered now, or approved earlier. */
interface Overlay extends Offer {
  approved: boolean;
}

const isOverlay = (from: ServerRecord['from'] | undefined): from is OverlaySource =>
  from?.kind === 'catalogue' || from?.kind === 'package';

/** True when the tools of a server that declares no hooks matter. */
export const mayNeedTools = ({ catalogue, offers }: Wanting, previous: ServerRecord | undefined): boolean =>
  catalogue !== undefined || offers === true || isOverlay(previous?.from);

/**
 * Returns the hooks to use for a server that declares none: those that are asked for and there, else the approved ones,
 * else those that a person may be offered. Faults as `offerFor`.
 */
export function overlayFor(
  { server, catalogue, offers, given }: Wanting & Pick<Request, 'given'>,
  entry: ServerEntry | undefined,
  previous: ServerRecord | undefined,
  context: Context,
): Overlay | undefined {
  const { from, declarations = [] } = previous ?? {};
  const approved = isOverlay(from)
    ? { from, declarations, locate: inDocument, tools: [], approved: true }
    : undefined;
  if (!catalogue && previous) return approved;
  if (!entry || !(catalogue || (offers && context.interactive()))) return undefined;
  const offer = offerFor(server, entry.definition, offerPlace(entry, context), catalogue?.entry);
  // What was approved may be for another program than the one that is given.
  return offer ? { ...offer, approved: false } : given ? undefined : approved;
}

/**
 * Returns where offers for a server are looked for. A project's entries count for hooks of that project, and for
 * servers that the project defines: an install for all projects takes no texts from one of them.
 */
export function offerPlace({ source }: Pick<ServerEntry, 'source'>, { env, cwd, scope }: Context) {
  const ofProject = scope.name !== 'user' || source.scope === 'project';
  return { env, ...(ofProject && { root: scope.root ?? projectRoot(cwd) }) };
}

/** Returns Faults for tools that an overlay uses and the server doesn't list, or that refuse its arguments. */
export function overlayFaults(overlay: Overlay | undefined, listed: readonly ServerTool[]): Fault[] {
  if (!overlay) return [];
  const { from, declarations, locate, tools } = overlay;
  const known = listed.map(({ name }) => name);
  const gone = tools.filter((tool) => !known.includes(tool));
  const entry = from.kind === 'catalogue' ? from.entry : from.package;
  return [
    ...gone.map((tool) => {
      const args = { entry, index: 0, tool: excerpt(tool), known, ...nearArg(tool, known) };
      return new Fault('catalogue.tool-gone', args);
    }),
    ...declarations.flatMap((declaration, i) =>
      gone.includes(declaration.context_tool ?? '') ? [] : toolFaults(declaration, i, listed, locate),
    ),
  ];
}

/**
 * Returns an overlay that may be used: an approved one, one that the command asks for, or one that a person agrees to.
 * Every tool must be there, so throws `Faults` for tools that the server doesn't list, also where it lists them only in
 * a project. Throws `catalogue.declined` (exit 3) after a no.
 */
export async function agreedOverlay(
  overlay: Overlay | undefined,
  {
    faults,
    uncheckedFaults = [],
  }: { faults: readonly Fault[]; uncheckedFaults?: readonly Fault[] | undefined },
  { server, catalogue }: Wanting,
  context: Context,
): Promise<Pick<Overlay, 'from' | 'declarations'> | undefined> {
  if (!overlay) return undefined;
  const { from, declarations, approved } = overlay;
  const missing = approved ? faults : [...faults, ...uncheckedFaults];
  if (missing.length > 0) throw new Faults(missing);
  if (!approved && !catalogue && !(await agrees(server, overlay, context))) throw declined(server);
  return { from, declarations };
}

const declined = (name: string): Fault => new Fault('catalogue.declined', { name }, {}, 3);

const agrees = (server: string, { from, declarations }: Overlay, context: Context) =>
  context.ask.confirm(offerText(server, declarations.length, from));

/** Codes of Faults of servers that only a client may reach, after a login. */
const BEHIND_LOGIN = ['server.held', 'server.unauthorized', 'server.sse'];

/**
 * Returns an overlay for a server that can't be asked, when its hooks are fixed texts: an approved one; or, behind a
 * login, an entry that was checked with documents, which counts as not checked. Undefined: the fault stands.
 */
export async function withoutAsking(
  fault: Fault,
  overlay: Overlay | undefined,
  { server, catalogue }: Wanting,
  context: Context,
): Promise<Pick<Overlay, 'from' | 'declarations'> | undefined> {
  if (!overlay || callsTools(overlay.declarations)) return undefined;
  const { from, declarations, approved } = overlay;
  if (approved) {
    const [reason = ''] = faultText(fault).split('\n');
    if (!from.unchecked)
      context.err(faultText(new Fault('server.unasked', { name: server, reason, overlay: 1 })));
    return { declarations, from };
  }
  if (!BEHIND_LOGIN.includes(fault.code) || from.kind !== 'catalogue' || from.checked !== 'docs')
    return undefined;
  const unchecked: Overlay = { ...overlay, from: { ...from, unchecked: true } };
  if (!catalogue && !(await agrees(server, unchecked, context))) throw declined(server);
  return { declarations, from: unchecked.from };
}

/** Returns arguments of the Fault that a server has no hooks: the catalogue's entry for the server, or its identity. */
export function knownEntry(
  { server, offers, catalogue }: Wanting,
  entry: ServerEntry | undefined,
  context: Context,
): { entry?: string; package?: string; identity?: string[] } {
  // A person was offered what there is.
  if (!entry || (offers && context.interactive())) return {};
  if (catalogue) return { identity: shownIdentity(identityOf(entry.definition, context.env)) };
  const from = offerFor(server, entry.definition, offerPlace(entry, context))?.from;
  if (!from) return {};
  return from.kind === 'catalogue' ? { entry: from.entry } : { package: from.package };
}

/** Returns remarks on hooks that the server doesn't declare, or didn't when they were approved. */
export function overlayNotes(
  { from, declarations }: Pick<Declared, 'from' | 'declarations'>,
  {
    previous,
    entry,
    wanted,
  }: {
    previous: ServerRecord | undefined;
    entry: ServerEntry | undefined;
    wanted: Request['catalogue'];
  },
  { env, scope }: Context,
): Note[] {
  const had = previous !== undefined && isOverlay(previous.from);
  if (from.kind === 'server' && declarations.length > 0 && (had || wanted))
    return [{ code: 'catalogue.now-declares', args: { now: had ? 1 : 0 } }];
  if (!had || !isOverlay(from)) return [];
  const standing = standingOf(from, scope.root, entry && { ...entry, env });
  const { newer, unproven, withdrawn, package: brought, packageWithdrawn } = standing;
  const about = { name: previous.server, scope: scope.name };
  const of =
    from.kind === 'catalogue'
      ? { ...about, entry: from.entry, ...(from.project && { project: 1 }) }
      : { ...about, package: from.package };
  const note: Note | undefined = withdrawn
    ? { code: 'catalogue.withdrawn', args: { ...of, ...withdrawn } }
    : scope.shared && unproven
      ? {
          code: 'catalogue.unproven',
          args: { ...of, ...(unproven === 'no-entry' && { gone: 1 }), ...(newer === false && { same: 1 }) },
        }
      : brought !== undefined
        ? { code: 'catalogue.package-newer', args: { ...about, package: brought } }
        : packageWithdrawn
          ? { code: 'catalogue.package-withdrawn', args: of }
          : newer
            ? { code: 'catalogue.newer', args: of }
            : undefined;
  return note ? [note] : [];
}

/**
 * True when the server began to declare hooks itself after those of a file were approved, and nobody has chosen between
 * them yet. `ownHooks`: number of the server's own hooks.
 */
export const beginsToDeclare = (
  ownHooks: number | undefined,
  { declarationsFile }: Pick<Request, 'declarationsFile'>,
  previous: ServerRecord | undefined,
): boolean =>
  ownHooks !== undefined && previous !== undefined && declarationsFile === undefined && !overrules(previous);

const overrules = ({ from }: ServerRecord): boolean => from.kind === 'file' && from.overrules === true;

/** Returns the remark that the server declares hooks itself, though hooks of a file are installed. */
export function ownHooksNotes(
  count: number,
  request: Pick<Request, 'server' | 'declarationsFile'>,
  {
    given,
    previous,
    scope,
  }: { given: Definition | undefined; previous: ServerRecord | undefined; scope: Pick<Scope, 'name'> },
): Note[] {
  if (previous && overrules(previous) && request.declarationsFile === undefined) return [];
  const now = beginsToDeclare(count, request, previous);
  // --reset forgets the clients and options of the install.
  const kept = previous ? wordsForOthers(previous) : '';
  const args = {
    name: request.server,
    count,
    scope: scope.name,
    ...(now && { now: 1 }),
    by: `${kept && ` ${kept}`}${reachedBy(given ? { given } : {})}`,
  };
  return [{ code: 'server.declares-too', args }];
}
