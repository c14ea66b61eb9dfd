import { slugFor } from '../../base/slug.ts';
import { approvedDefinitions } from '../../store/record.ts';
import type { ScopeState } from '../scopes.ts';
import type { MachineView } from '../settings.ts';
import type { ClientStatus } from '../status.ts';
import { type Surveyed, unknownEntries } from '../survey.ts';
import { approvalFindings } from './approvals.ts';
import { silentHere } from './elsewhere.ts';
import { installFindings, passedOver } from './installs.ts';
import { environment } from './switches.ts';
import { pausedTools } from './tools.ts';
import type { Finding } from './types.ts';

/**
 * True when something is to be said about a server: it is installed here, has entries without a record, or a damaged
 * record may list it.
 */
export const isKnown = (slug: string, scopes: readonly ScopeState[], view: MachineView): boolean =>
  scopes.some(({ servers, reading }) => reading.damaged || servers.some((s) => s.slug === slug)) ||
  scopes.some((at) => unknownEntries(at, view).some((entry) => entry.slug === slug));

/** Returns a scope with the installs of one server only. */
export const ofServer = (at: ScopeState, slug: string): ScopeState => ({
  ...at,
  servers: at.servers.filter((server) => server.slug === slug),
});

/** Returns the findings about one server for all its clients, except on processes that it keeps running. */
export const findingsOnServer = (surveyed: Surveyed, view: MachineView): Finding[] => [
  ...environment({ env: view.env, servers: [surveyed] }),
  ...approvalFindings(surveyed),
  ...silentHere(surveyed, view),
  ...pausedTools(surveyed),
];

/** Returns the findings about one server on one client. */
export const findingsOnClient = (surveyed: Surveyed, status: ClientStatus): Finding[] => [
  ...installFindings(surveyed, status),
  ...passedOver(surveyed, status),
];

/**
 * Returns a filter for findings about one server, and for those about no single server that bear on its installs.
 * Checks of the whole checkout count where its project has the server.
 */
export function bearsOn(slug: string, servers: readonly Surveyed[]): (finding: Finding) => boolean {
  const shared = servers.some(({ scope }) => scope.shared);
  const definitions = servers.flatMap(({ record }) => approvedDefinitions(record).map(({ shown }) => shown));
  return ({ server, scope, code, args }) => {
    // Entries without a record may name their server by its slug.
    if (server !== undefined) return server === slug || slugFor(server) === slug;
    if (code === 'doctor.installing') return definitions.some((shown) => shown.includes(`${args.package}`));
    return scope !== 'project' || shared;
  };
}
