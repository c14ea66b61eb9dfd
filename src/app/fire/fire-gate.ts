import type { ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { Fault } from '../../messages/fault.ts';
import { changesLockAlone, differs, hasAlteredLock, withoutGone } from '../../plan/difference.ts';
import type { PlanInput } from '../../plan/input.ts';
import { planInstall } from '../../plan/install.ts';
import { versionFault } from '../../plan/lock-version.ts';
import type { Scope } from '../../plan/scopes/scope.ts';
import type { Plan } from '../../plan/types.ts';
import { readEntry } from '../../servers/definitions/definition.ts';
import type { ServerEntry } from '../../servers/types.ts';
import type { ServerRecord } from '../../store/types.ts';
import { existingHome, gateSource, isHome, passGate, type StartFolder } from '../approval/start-gate.ts';
import type { Context } from '../context.ts';
import { preparePlan } from '../prepare/prepare.ts';
import { installedRequest } from '../request.ts';
import { isApproved } from '../server/own-definitions.ts';
import { rememberApprovals } from '../write/machine-record.ts';
import { sequence } from './sample-payload.ts';
import type { FireRequest } from './shim-run.ts';

/** Where servers start instead of in the working folder. */
interface StartElsewhere {
  folder: string;
  /** Hash whose approval lets the server start in the working folder. */
  hash?: string;
}

/**
 * Checks before hook scripts run: the server of hooks that call tools must pass the gate, and scripts shared in a
 * project must be what this version writes. Returns where servers start; undefined: in the working folder. Faults:
 * `fire.altered`, `fire.changed`, those of `versionFault`, and as `passGate`.
 */
export async function admitFire(
  record: ServerRecord,
  requests: readonly FireRequest[],
  allowed: readonly string[] | undefined,
  context: Context,
): Promise<StartElsewhere | undefined> {
  const { scope } = context;
  const { server } = record;
  const { input, definition, approvals } = await preparePlan(installedRequest(server, 'record'), context);
  const plan = planInstall(input);
  if (scope.shared) assertAsWritten(plan, input, record, scope);
  const calling = requests.filter((request) => {
    const natives = sequence(clientById(request.client), request).map((step) => step.native);
    const { cells = [] } = plan.clients.find((c) => c.client === request.client) ?? {};
    return cells.some(
      (cell) =>
        plan.declarations[cell.n - 1]?.context_tool !== undefined &&
        cell.natives.some((native) => natives.includes(native)),
    );
  });
  if (calling.length === 0 || !definition || !('at' in input.toolAccess)) return undefined;
  const { source, hash } = input.toolAccess.at;
  const main = { alias: server, definition, source: gateSource(source, scope), hash };
  // A definition that changed since the approval isn't started; another approved definition may be.
  if (!scope.shared && !isApproved({ definition, source }, record))
    return { folder: existingHome(context.env) };
  const starts: (StartFolder & Pick<ServerEntry, 'hash' | 'definition'>)[] = [];
  // A yes to one client's definition holds for the others that have the same.
  for (const { client } of calling) {
    const entry = ownEntry(client, server, input) ?? main;
    const folder = await passGate({ entry, named: false, approvals, allowed }, context);
    starts.push({ ...folder, ...entry });
  }
  // A hook looks up in the record where a definition may start.
  await rememberApprovals(approvals.added(), context);
  const start = starts.find(({ atHome }) => atHome);
  if (!start) return undefined;
  const mayStartHere = start.definition.transport === 'stdio' && !isHome(context.cwd, context.env);
  return { folder: start.cwd, ...(mayStartHere && { hash: start.hash }) };
}

/** Throws a Fault unless a project has the server's hooks as this version would write them from what was approved. */
function assertAsWritten(plan: Plan, input: PlanInput, record: ServerRecord, { store }: Scope): void {
  const fault = plan.clients.find((c) => c.fault)?.fault;
  if (fault) throw fault;
  const { server: name } = record;
  const { file } = store;
  const other = versionFault(input.reading.record, [record], file, 3);
  if (other) throw other;
  const { changed, clientToName: from } = plan;
  if (changed.length > 0) {
    const at = 'at' in input.toolAccess ? input.toolAccess.at : undefined;
    const defined = changed.every((what) => what === 'definition') ? at?.source.file : undefined;
    const args = { name, what: changed, ...(from && { from }) };
    throw new Fault('fire.changed', args, { file: defined ?? file }, 3);
  }
  if (!differs(withoutGone(plan))) return;
  const lock = changesLockAlone(plan, file) ? 'alone' : hasAlteredLock(plan, file) ? 'too' : undefined;
  const gone = plan.gone.includes('definition') && ({ gone: 1 } as const);
  throw new Fault('fire.altered', { name, ...(lock && { lock }), ...gone }, { file }, 3);
}

/** A client's own definition, if it was approved. */
function ownEntry(
  client: ClientId,
  alias: string,
  { ownDefinitions = [] }: PlanInput,
): ServerEntry | undefined {
  const own = ownDefinitions.find((one) => one.client === client);
  if (!own?.found?.approved) return undefined;
  const { source, dialect, found } = own;
  const definition = readEntry(source, dialect);
  return definition && { alias, definition, source, hash: found.hash };
}
