import { canonicalJson } from '../../declarations/canonical-json.ts';
import type { Declaration } from '../../declarations/types.ts';
import { holdsUserData } from '../../declarations/variables.ts';
import { QUESTIONS } from '../../messages/done.ts';
import { Fault } from '../../messages/fault.ts';
import { isCarried } from '../../plan/carried.ts';
import type { InstallOptions } from '../../plan/options.ts';
import { leavesItsName } from '../../plan/own-name.ts';
import type { ClientPlan, Plan } from '../../plan/types.ts';
import { calledDeclaration } from '../../shims/entry-owner.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Context } from '../context.ts';

/**
 * Returns the numbers of the installed hooks that send a tool's input or output, or a prompt, to the server
 * (`--send-tool-data`).
 */
export function toolDataSent({
  declarations,
  clients,
}: Pick<ToApprove, 'declarations' | 'clients'>): number[] {
  const installed = new Set(
    clients.flatMap((c) => c.cells.filter(({ fidelity }) => isCarried(fidelity)).map((cell) => cell.n)),
  );
  return declarations.flatMap((d, i) => {
    const sends = d.context_tool !== undefined && holdsUserData(d.context_tool_args);
    return installed.has(i + 1) && sends ? [i + 1] : [];
  });
}

/** Options that are approvals, as far as this command line gives them. */
type Granted = Partial<Pick<InstallOptions, 'sendToolData' | 'handler'>>;

interface ToApprove
  extends Pick<Plan, 'server' | 'declarations' | 'options' | 'previous'>,
    Partial<Pick<Plan, 'next'>> {
  clients: readonly Pick<ClientPlan, 'client' | 'cells' | 'entries'>[];
}

/**
 * Returns the numbers of the hooks that send data without an approval. A remembered one covers only hooks that were
 * installed with it as they are now.
 */
function unapprovedData(plan: ToApprove, granted: Granted): number[] {
  const sent = toolDataSent(plan);
  if (!plan.options.sendToolData) return sent;
  return granted.sendToolData || !plan.previous ? [] : notInstalledBefore(plan, sent);
}

/** Returns the install whose hooks count as approved; none where these would be for the tools of another server now. */
const installedBefore = ({ previous, next }: ToApprove): ServerRecord | undefined =>
  previous && next && leavesItsName(previous, next) ? undefined : previous;

/** Returns the numbers of the hooks whose tools a client is to call itself, and that no grant covers there. */
function unapprovedControl(plan: ToApprove, granted: Granted): number[] {
  if (granted.handler === 'mcp_tool') return [];
  const { declarations, clients } = plan;
  const previous = installedBefore(plan);
  const added = clients.flatMap(({ client, entries }) => {
    const before = previous?.clients[client]?.entries ?? [];
    return notAmong(previous, calledBy(before), declarations, calledBy(entries));
  });
  return [...new Set(added)];
}

const calledBy = (entries: readonly { key: string }[]): number[] =>
  entries.flatMap(({ key }) => calledDeclaration(key) ?? []);

/** Returns the numbers of the declarations that no client had as they are now. */
function notInstalledBefore(plan: ToApprove, numbers: readonly number[]): number[] {
  const previous = installedBefore(plan);
  const had = Object.values(previous?.clients ?? {}).flatMap(
    ({ fidelity = previous?.declarations.map(() => '') ?? [] }) =>
      fidelity.flatMap((one, i) => (isCarried(one) ? [i + 1] : [])),
  );
  return notAmong(previous, had, plan.declarations, numbers);
}

/** Returns those of `numbers`, of declarations, that aren't among `had`, numbers of earlier ones, in this very form. */
function notAmong(
  previous: ServerRecord | undefined,
  had: readonly number[],
  declarations: readonly Declaration[],
  numbers: readonly number[],
): number[] {
  const before = new Set(had.map((n) => canonicalJson(previous?.declarations[n - 1] ?? null)));
  return numbers.filter((n) => !before.has(canonicalJson(declarations[n - 1])));
}

/** Returns the Fault of a plan that gives a client control by a grant of earlier hooks; undefined: there is none. */
export function missingControl(plan: ToApprove, granted: Granted): Fault | undefined {
  const added = unapprovedControl(plan, granted).map(String);
  return added.length > 0
    ? new Fault('consent.control-added', { name: plan.server, added }, {}, 3)
    : undefined;
}

/** Returns those of a plan's changes that need `--accept-changed`. */
const needsAccepting = (changed: Plan['changed'] = []): string[] => changed.filter((c) => c !== 'options');

/** Returns why a plan may not be applied without a further approval, or undefined. */
export function missingApproval(
  plan: ToApprove & Partial<Pick<Plan, 'changed'>>,
  approved: { acceptChanged?: boolean },
  granted: Granted,
): Fault | undefined {
  const name = plan.server;
  const data = unapprovedData(plan, granted);
  if (data.length > 0)
    return new Fault(
      'consent.tool-data',
      { name, ...(plan.options.sendToolData && { added: data.map(String) }) },
      {},
      3,
    );
  const control = missingControl(plan, granted);
  if (control) return control;
  const what = needsAccepting(plan.changed);
  return what.length > 0 && !approved.acceptChanged
    ? new Fault('consent.changed', { name, what }, {}, 3)
    : undefined;
}

/** Returns the fault of a plan that isn't approved. */
export const refused = (
  code: 'consent.none' | 'consent.declined' | 'consent.tool-data',
  { server, changed }: Pick<Plan, 'server'> & Partial<Pick<Plan, 'changed'>>,
): Fault =>
  new Fault(code, { name: server, ...(needsAccepting(changed).length > 0 && { changed: 1 }) }, {}, 3);

/** True when the hooks may send the data that they use: they send none, an option allows it, or the user agrees now. */
export async function grantsToolData(
  plan: ToApprove,
  granted: Granted,
  { ask }: Pick<Context, 'ask'>,
): Promise<boolean> {
  return unapprovedData(plan, granted).length === 0 || (await ask.confirm(QUESTIONS.toolData)) === true;
}
