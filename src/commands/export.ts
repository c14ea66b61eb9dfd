import { resolve } from 'node:path';
import { ask } from '../ask.ts';
import { CLIENTS } from '../clients/index.ts';
import type { PluginFormatName } from '../clients/types.ts';
import type { Context } from '../context.ts';
import { oneLine, visibleJson } from '../declarations/visible.ts';
import { type ExportInput, type ExportPlan, planExport } from '../export/plan.ts';
import { exportText } from '../export/show.ts';
import { Fault, stepText } from '../messages.ts';
import { refusal, toolDataSent } from '../plan/consent.ts';
import { type Gathered, gather, type Request } from '../plan/gather.ts';
import { underLock } from '../plan/write.ts';
import { nothingInstallable, surroundings } from './install.ts';
import type { CommonFlags } from './options.ts';
import { type Exit, faultJson, faultsOf, reportFaults, worst } from './outcome.ts';
import { cellsJson, remarkJson } from './plan-json.ts';

export interface ExportFlags extends CommonFlags {
  format: PluginFormatName[];
  out: string;
  withServer?: boolean;
}

/** `mcphooks export`: plan, show, ask, write. Remembers nothing and uses nothing that an install remembered. */
export async function exportCommand(asked: Request, flags: ExportFlags, context: Context): Promise<Exit> {
  const report = (status: string, exit: Exit, plan?: ExportPlan, faults: readonly Fault[] = []): Exit => {
    if (flags.json) {
      const document = { version: 1, command: 'export', server: asked.server, status, exit };
      context.out(
        visibleJson({ ...document, ...(plan && { plan: exportJson(plan) }), faults: faults.map(faultJson) }),
      );
    } else reportFaults(faults, context);
    return exit;
  };
  try {
    refuseMeaningless(flags);
    const clients = CLIENTS.filter((c) => flags.format.includes(c.plugin.name)).map((c) => c.id);
    const gathered = await gather({ ...asked, clients, reset: true }, context);
    const input = inputFrom(gathered, flags, context);
    const plan = planExport(input);
    if (!flags.json) show(plan, gathered, flags, context);
    const faults = nothingInstallable(plan);
    if (faults.length > 0) return report('failed', 1, plan, faults);
    if (flags.dryRun) return report('planned', plan.changes.length > 0 ? 2 : 0, plan);
    if (plan.changes.length === 0) {
      if (!flags.json) context.err('Nothing to do: the folder holds all of it already.');
      return report('unchanged', 0, plan);
    }
    const refused = await consent(plan, flags, context);
    if (refused) return report('refused', 3, plan, [refused]);
    await underLock(context, () => {
      const { changes, emptied } = planExport(input);
      return { result: undefined, changes, emptied };
    });
    if (!flags.json) context.err(`Exported to ${oneLine(plan.out)}.`);
    return report('exported', 0, plan);
  } catch (error) {
    const faults = faultsOf(error);
    return report('failed', worst(faults.map((f) => f.exit)), undefined, faults);
  }
}

/** The fault of what isn't approved; undefined: all of it is. */
async function consent(plan: ExportPlan, flags: ExportFlags, context: Context): Promise<Fault | undefined> {
  if (flags.yes) return refusal(plan, flags);
  const refuse = (code: 'consent.none' | 'consent.declined' | 'consent.tool-data'): Fault =>
    new Fault(code, { name: plan.server }, {}, 3);
  if (!context.interactive || flags.json) return refuse('consent.none');
  const sends = toolDataSent(plan).length > 0 && !plan.options.sendToolData;
  if (sends && !(await ask('May these hooks send what tools are given and answer to the server?')))
    return refuse('consent.tool-data');
  return (await ask('Write this?')) ? undefined : refuse('consent.declined');
}

/** Options that shape an install, and have no meaning here. */
function refuseMeaningless(flags: ExportFlags): void {
  const option = flags.client
    ? '--client'
    : flags.codexFile
      ? '--codex-file'
      : flags.target
        ? '--target'
        : flags.handler === 'mcp_tool' && '--handler mcp_tool';
  if (option)
    throw new Fault('usage.bad', { text: `${option} is of no use to export; --format says for whom it is.` });
}

function inputFrom({ input, definition }: Gathered, flags: ExportFlags, context: Context): ExportInput {
  const { server, declared } = input;
  if (declared.declarations.length === 0)
    throw new Fault('server.no-hooks', { name: server, server: declared.serverName ?? '' }, {}, 4);
  if (flags.withServer && !definition) throw new Fault('export.no-definition', { name: server });
  return {
    ...input,
    // The client's own handler needs a grant of the person whose client it is.
    options: { ...input.options, handler: 'shim' },
    formats: flags.format,
    out: resolve(context.cwd, flags.out),
    cwd: context.cwd,
    ...(flags.withServer && definition && { withServer: definition }),
  };
}

function show(plan: ExportPlan, gathered: Gathered, flags: ExportFlags, context: Context): void {
  for (const fault of gathered.skipped) reportFaults([fault], context);
  context.out(exportText(plan, surroundings(gathered, flags, context)));
}

/** The same shape as an install's plan. */
function exportJson(plan: ExportPlan): Record<string, unknown> {
  return {
    server: plan.server,
    plugin: plan.plugin,
    out: plan.out,
    declarations: plan.declarations,
    changed: plan.changed,
    clients: plan.clients.map((c) => ({
      client: c.client,
      hooks: cellsJson(c.cells),
      entries: [],
      drift: [],
      notes: c.notes.map(remarkJson),
      nextSteps: c.nextSteps.map((step) => ({ code: step, message: stepText(step) })),
    })),
    files: plan.changes.map((f) => ({
      path: f.path,
      change: f.before === null ? 'create' : f.after === null ? 'remove' : 'update',
    })),
  };
}
