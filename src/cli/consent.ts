import {
  grantsToolData,
  missingApproval,
  missingControl,
  refused,
  toolDataSent,
} from '../app/approval/missing-approval.ts';
import type { Choice } from '../app/ask.ts';
import type { Context } from '../app/context.ts';
import type { Prepared } from '../app/prepare/prepare.ts';
import { oneLine } from '../base/visible.ts';
import type { ClientId } from '../clients/client.ts';
import { clientById } from '../clients/index.ts';
import type { Declaration } from '../declarations/types.ts';
import type { Fault } from '../messages/fault.ts';
import { whenText } from '../messages/hook-words.ts';
import { unshownFile } from '../plan/difference.ts';
import type { PlanInput } from '../plan/input.ts';
import { planInstall } from '../plan/install.ts';
import type { InstallOptions } from '../plan/options.ts';
import type { Plan } from '../plan/types.ts';
import type { CommonFlags } from './flags.ts';
import { ownFilesText } from './text/own-files.ts';
import { clientFilesText } from './text/plan-files.ts';
import { textContext } from './text/text-context.ts';

/** What a person decided: to write the plan, to plan again, or to install `without` clients that have hooks now. */
type Consent =
  | { approved: PlanInput }
  | { again: PlanInput }
  | { without: ClientId[]; clients: ClientId[]; options: Pick<InstallOptions, 'only' | 'skip'> };

/** Asks for approval of a plan. Returns the Fault for a missing one. */
export async function askConsent(
  plan: Plan,
  input: PlanInput,
  prepared: Prepared,
  flags: CommonFlags,
  context: Context,
): Promise<Consent | Fault> {
  const granted = { ...flags, ...(flags.grantControl && { handler: 'mcp_tool' as const }) };
  if (flags.yes) return missingApproval(plan, flags, granted) ?? { approved: input };
  if (!context.interactive() || flags.json) return refused('consent.none', plan);
  for (;;) {
    const decision = await context.ask.decide(context.errStyle);
    if (decision === 'yes') {
      const control = missingControl(plan, granted);
      if (control) return control;
      if (toolDataSent(plan).length === 0) return { approved: input };
      if (!(await grantsToolData(plan, granted, context))) return refused('consent.tool-data', plan);
      const sending = { ...input, options: { ...input.options, sendToolData: true } };
      // Entries name their script by a digest of what was approved, options included, so further files may change.
      return unshownFile(planInstall(sending), plan) === undefined
        ? { approved: sending }
        : { again: sending };
    }
    if (decision === 'no') return refused('consent.declined', plan);
    const forText = textContext(prepared, flags, context);
    if (decision === 'lines') context.out(clientFilesText(plan, forText));
    else if (decision === 'files') await context.ask.page(ownFilesText(plan, forText));
    else {
      const chosen = await context.ask.choose(
        hookChoices(plan, context.columns),
        clientChoices(input, prepared),
      );
      if (!chosen) continue;
      const all = chosen.only.length === plan.declarations.length;
      const options = { ...input.options, only: all ? [] : chosen.only, skip: [] };
      const { clients } = chosen;
      const without = prepared.input.clients.filter(
        (id) => plan.previous?.clients[id] && !clients.includes(id),
      );
      return without.length > 0
        ? { without, clients, options: { only: options.only, skip: [] } }
        : { again: { ...input, options, clients, ...(isOther(clients, input) && { clientsChosen: true }) } };
    }
  }
}

const isOther = (clients: readonly ClientId[], input: Pick<PlanInput, 'clients'>): boolean =>
  input.clients.some((id) => !clients.includes(id)) || clients.some((id) => !input.clients.includes(id));

/** Columns that the chooser takes for itself: it counts the colours of its bar, too. */
const CHOOSER = 15;

function hookChoices(plan: Plan, columns = 80): Choice<string>[] {
  const labelOf = (declaration: Declaration, n: number): string =>
    `${n}  ${cut(whenText(declaration), 38)}  ${cut(declaration.context ?? `→ ${declaration.context_tool}`, 20)}`;
  return plan.declarations.map((declaration, i) => ({
    value: String(i + 1),
    label: cut(labelOf(declaration, i + 1), columns - CHOOSER),
    chosen: plan.clients.some((c) => c.cells[i]?.fidelity !== 'skipped'),
  }));
}

/** Returns the first characters of a text on one line, to recognise the text. */
function cut(text: string, most: number): string {
  const line = oneLine(text);
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

function clientChoices(input: PlanInput, prepared: Prepared): Choice<ClientId>[] {
  return prepared.input.clients.map((id) => ({
    value: id,
    label: clientById(id).title,
    chosen: input.clients.includes(id),
  }));
}
