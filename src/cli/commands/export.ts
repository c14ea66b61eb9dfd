import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { grantsToolData, missingApproval, refused } from '../../app/approval/missing-approval.ts';
import type { Context } from '../../app/context.ts';
import { fileElsewhere } from '../../app/declarations/file-elsewhere.ts';
import { type Prepared, preparePlan } from '../../app/prepare/prepare.ts';
import { leaveNoFolder, underLock } from '../../app/write/under-lock.ts';
import { homeFolder, isAround, LOCK } from '../../base/paths.ts';
import { foldersUp } from '../../base/repository.ts';
import { PLUGIN_CLIENTS } from '../../clients/index.ts';
import { type ExportInput, type ExportPlan, planExport } from '../../export/plan.ts';
import { projectRoot } from '../../inspect/project-root.ts';
import { EXPORTED_ALREADY, exported, QUESTIONS } from '../../messages/done.ts';
import { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import { nothingInstallable } from '../../plan/nothing-installable.ts';
import { changedFile } from '../../store/changed-file.ts';
import { type Exit, exitOf, faultJson, faultsOf, reportFaults } from '../exit.ts';
import type { CommonFlags } from '../flags.ts';
import { cellJson, remarkJson, stepJson } from '../json/plan.ts';
import { printJson } from '../json/print.ts';
import type { ExportDocument } from '../json/schemas/install.ts';
import { requestFrom } from '../request.ts';
import { exportText } from '../text/export.ts';
import { textContext } from '../text/text-context.ts';

interface ExportFlags extends CommonFlags {
  format: string[];
  out: string;
  withServer?: boolean;
}

type Status = 'failed' | 'planned' | 'unchanged' | 'refused' | 'exported';

/** `mcphooks export`: plan, show, ask, write. Uses the options of an install, and stores none itself. */
export async function run(
  [server, command]: [server: string, command: string[]],
  flags: ExportFlags,
  context: Context,
): Promise<Exit> {
  const requested = requestFrom(server, command, flags);
  const report = (status: Status, exit: Exit, plan?: ExportPlan, faults: readonly Fault[] = []): Exit => {
    const { server } = requested;
    const document = { server, status, exit, ...(plan && { plan: exportJson(plan) }) };
    if (flags.json) printJson('export', { ...document, faults: faults.map(faultJson) }, context);
    else reportFaults(faults, context);
    return exit;
  };
  try {
    const clients = PLUGIN_CLIENTS.filter((c) => flags.format.includes(c.plugin.name)).map((c) => c.id);
    const elsewhere = await fileElsewhere('export', requested, context);
    if (elsewhere) context.err(faultText(elsewhere));
    const prepared = await preparePlan({ ...requested, clients }, context);
    const input = inputFrom(prepared, flags, context);
    const whole = planExport(input);
    const faults = nothingInstallable(whole);
    const plan = faults.length > 0 ? packingNothing(whole) : whole;
    if (!flags.json) context.out(exportText(plan, textContext(prepared, flags, context)));
    if (faults.length > 0) return report('failed', 1, plan, faults);
    if (flags.dryRun) return report('planned', plan.changes.length > 0 ? 2 : 0, plan);
    if (plan.changes.length === 0) {
      if (!flags.json) context.err(EXPORTED_ALREADY);
      return report('unchanged', 0, plan);
    }
    const fault = await askForExport(plan, flags, context);
    if (fault) return report('refused', 3, plan, [fault]);
    const folders: string[] = [];
    await underLock(context, (made) => {
      folders.push(...made);
      const { changes, emptied } = planExport(input);
      return { result: undefined, changes, emptied };
    });
    leaveNoFolder(context, folders);
    if (!flags.json) context.err(exported(plan.out));
    return report('exported', 0, plan);
  } catch (error) {
    const faults = faultsOf(error, 'export');
    return report('failed', exitOf(faults), undefined, faults);
  }
}

/** Returns a plan of which nothing will be written, as it is shown. */
const packingNothing = (plan: ExportPlan): ExportPlan => ({
  ...plan,
  changes: [],
  emptied: [],
  clients: plan.clients.map((client) => ({ ...client, nextSteps: [] })),
});

/** Returns the Fault for a missing approval; undefined when all is approved. */
async function askForExport(
  plan: ExportPlan,
  flags: ExportFlags,
  context: Context,
): Promise<Fault | undefined> {
  if (flags.yes) return missingApproval(plan, flags, flags);
  if (!context.interactive() || flags.json) return refused('consent.none', plan);
  if (!(await grantsToolData(plan, flags, context))) return refused('consent.tool-data', plan);
  return (await context.ask.confirm(QUESTIONS.write)) ? undefined : refused('consent.declined', plan);
}

function inputFrom(
  { input, definition, source }: Prepared,
  flags: ExportFlags,
  context: Context,
): ExportInput {
  const { server, declared } = input;
  if (declared.declarations.length === 0)
    throw new Fault('server.no-hooks', { name: server, server: declared.serverName ?? '' }, {}, 4);
  const out = resolve(context.cwd, flags.out);
  if (flags.withServer && !definition) throw new Fault('export.no-definition', { name: server });
  return {
    ...input,
    // Consents given on this machine don't apply to the plugin's other users: its handler may not be the client's own,
    // and tool data needs consent again.
    options: {
      ...input.options,
      handler: 'shim',
      target: 'settings',
      sendToolData: flags.sendToolData ?? false,
    },
    formats: flags.format,
    out,
    around:
      [projectRoot(context.cwd), context.cwd].find((folder) => isAround(folder, out) && folder !== out) ??
      outermostProject(dirname(out), context) ??
      dirname(out),
    cwd: context.cwd,
    ...(definition &&
      source && { definition, ...(flags.withServer && { withServer: { definition, source } }) }),
  };
}

/**
 * Returns the project around a folder that isn't in the current one. Of several the outermost, since an inner one may
 * lie behind a link; a home that is a repository doesn't count.
 */
function outermostProject(folder: string, { env }: Context): string | undefined {
  const home = homeFolder(env);
  return foldersUp(folder)
    .filter((at) => !isAround(at, home))
    .findLast((at) => ['.git', LOCK].some((name) => existsSync(join(at, name))));
}

/** Converts an export plan to the shape of an install's plan. */
function exportJson(plan: ExportPlan): ExportDocument {
  return {
    server: plan.server,
    plugin: plan.plugin,
    out: plan.out,
    declarations: plan.declarations,
    ...(plan.leftOut && { leftOut: plan.leftOut.map(faultJson) }),
    ...(plan.notes && { notes: plan.notes.map(remarkJson) }),
    // Each export is approved anew.
    changed: [],
    clients: plan.clients.map((c) => ({
      client: c.client,
      hooks: c.cells.map(cellJson),
      entries: [],
      drift: [],
      notes: c.notes.map(remarkJson),
      nextSteps: c.nextSteps.map(stepJson),
    })),
    files: plan.changes.map(changedFile),
  };
}
