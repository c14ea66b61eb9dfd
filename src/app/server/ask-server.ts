import { absolutePath } from '../../base/paths.ts';
import { changingTexts, Fault } from '../../messages/fault.ts';
import { homeText, toAnswer } from '../../messages/start.ts';
import { environmentIn } from '../../servers/launch/environment.ts';
import type { ReadOptions } from '../../servers/mcp/read-server.ts';
import type { DefinitionSource, ServerEntry, ServerReading } from '../../servers/types.ts';
import type { StartApprovals } from '../approval/approvals.ts';
import { agreesToStart, isHome, passGate, type StartFolder } from '../approval/start-gate.ts';
import type { Context } from '../context.ts';
import { withProgress } from '../progress.ts';
import type { Request } from '../request.ts';

/** Fields of a request that matter when its server is asked. */
export type Question = Pick<Request, 'server' | 'allowStart' | 'timeout' | 'installedOnly'> & {
  /** True when the command line itself named the server's definition for this folder (`StartRequest.named`). */
  named: boolean;
  /** By which the gate judges the definition, if not by the entry's own (`gateSource`). */
  gateSource?: DefinitionSource;
  /** Says nothing of another folder in which the server might answer better. */
  quiet?: true;
};

/** Answers wanted from a server besides its hooks. */
type Wanted = Pick<ReadOptions, 'tools' | 'calls'>;

interface AskedServer {
  question: Question;
  entry: ServerEntry;
  approvals: StartApprovals;
  wanted?: Wanted;
  /** Checks the answers. Absent: nothing is wrong with any. */
  faultsIn?: (reading: ServerReading) => readonly Fault[];
}

/**
 * Starts or reaches a server through the gate and reads its answers. A server started in the
 * home folder may list fewer tools than in the project. If tools are missing there, the server is asked again in the
 * project when the user agrees; otherwise missing tools are no faults, but `uncheckedFaults`. Faults as `passGate` and
 * `readServer`.
 */
export async function askServer(
  { question, entry, approvals, wanted = {}, faultsIn = () => [] }: AskedServer,
  context: Context,
): Promise<{ reading: ServerReading; faults: readonly Fault[]; uncheckedFaults?: readonly Fault[] }> {
  const { server, named, gateSource, allowStart: allowed, installedOnly } = question;
  const start = { entry: { ...entry, source: gateSource ?? entry.source }, named, approvals, allowed };
  const folder = await passGate(start, context);
  const reading = await read(question, entry, folder, wanted, context);
  const faults = withoutSecrets(reading, faultsIn);
  const missing = faults.filter(isMissing);
  const elsewhere = folder.atHome && !isHome(context.cwd, context.env);
  if (missing.length === 0 || !elsewhere || entry.definition.transport !== 'stdio')
    return { reading, faults };
  const near = new Map(
    missing.map(({ args }) => [String(args.tool), args.near === undefined ? undefined : String(args.near)]),
  );
  const tools = [...near].map(([name, near]) => ({ name, near }));
  const why = { reason: 'tools', cwd: context.cwd, tools: [...near.keys()] } as const;
  if (installedOnly || !(await agreesToStart(start, why, context))) {
    context.err(homeText({ server, tools, hash: start.entry.hash }));
    const uncheckedFaults = missing.map((fault) => fault.with({ hash: start.entry.hash }));
    return { reading, faults: faults.filter((fault) => !isMissing(fault)), uncheckedFaults };
  }
  const here = { cwd: context.cwd, atHome: false };
  const again = await read(question, entry, here, wanted, context);
  return { reading: again, faults: withoutSecrets(again, faultsIn) };
}

/** Faults quote what a server declares, which may repeat what the server was given. */
const withoutSecrets = (
  reading: ServerReading,
  faultsIn: (one: ServerReading) => readonly Fault[],
): Fault[] =>
  changingTexts(reading.redact, () => faultsIn(reading)).map((fault) =>
    withRefusal(fault.withTexts(reading.redact), reading),
  );

/** Returns the Fault with the server's error, where that is why a tool is missing. */
export const withRefusal = (fault: Fault, { toolsRefusal }: Pick<ServerReading, 'toolsRefusal'>): Fault =>
  toolsRefusal !== undefined && isMissing(fault) ? fault.with({ refusal: toolsRefusal }) : fault;

const isMissing = ({ code }: Fault): boolean =>
  ['tool.missing', 'tool.none', 'catalogue.tool-gone'].includes(code);

/**
 * Reads the server's answers. Programs are searched in absolute folders of PATH only: a clone could fill relative
 * folders.
 */
async function read(
  { server, timeout, quiet }: Question,
  entry: ServerEntry,
  { cwd, atHome }: StartFolder,
  wanted: Wanted,
  context: Context,
): Promise<ServerReading> {
  // Loaded only when a server is asked, since MCP is half of all code to load.
  const { readServer } = await import('../../servers/mcp/read-server.ts');
  const asking = withProgress(context, (say) =>
    readServer(entry, {
      timeoutMs: timeout * 1000,
      env: environmentIn(cwd, absolutePath(context.env), context.cwd),
      cwd,
      onProgress: (step) => say(toAnswer(server, step)),
      ...wanted,
    }),
  ).catch((error) => {
    throw isNotStarted(error) && entry.source.scope === 'command-line' ? error.with({ given: 1 }) : error;
  });
  if (!quiet && atHome && !isHome(context.cwd, context.env) && entry.definition.transport === 'stdio')
    asking.catch((error) => {
      // Another folder has the same PATH.
      const byName = entry.definition.transport === 'stdio' && !/[\\/]/.test(entry.definition.command);
      if (!(isNotStarted(error) && byName)) context.err(homeText({ server, hash: entry.hash }));
    });
  return asking;
}

const isNotStarted = (error: unknown): error is Fault =>
  error instanceof Fault && error.code === 'server.start-failed';
