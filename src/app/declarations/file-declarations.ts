import { existsSync } from 'node:fs';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import { readDeclarationsFile } from '../../declarations/file.ts';
import { type Checked, declarationsAndFaults } from '../../declarations/parse.ts';
import { inDocument, type Locate } from '../../declarations/path.ts';
import { callsTools, type Declaration } from '../../declarations/types.ts';
import { Fault, Faults } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import type { InstallOptions } from '../../plan/options.ts';
import type { ServerReading } from '../../servers/types.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Context } from '../context.ts';
import {
  type Ask,
  type Asked,
  asApproved,
  faultlessDeclarations,
  parsingFile,
  parsingPlace,
  type ReadDeclarations,
  toolFaultsOf,
} from './declared.ts';

/** Declarations of a file, with their positions in the file, and what refuses the file. */
interface FileDeclarations extends ReadDeclarations, Pick<Checked, 'indexes' | 'refusals'> {
  locate: Locate;
}

/** Returns the declarations of a file. Faults: `decl-file.gone`, `decl.none`; as `readDeclarationsFile`. */
export function declarationsFromFile(
  file: string,
  { server, skipCheck, installedOnly, mode, checked }: Asked,
  options: InstallOptions,
  previous: ServerRecord | undefined,
): FileDeclarations {
  const remembered = previous?.from.kind === 'file' && previous.from.file === file;
  if (remembered && !existsSync(file)) {
    if (installedOnly)
      return {
        ...asApproved(previous),
        gone: ['declarations'],
        indexes: [],
        refusals: [],
        locate: inDocument,
      };
    const { scope, declarations, since } = previous;
    const args = { name: server, scope, count: declarations.length, since: since.slice(0, 10) };
    throw new Fault('decl-file.gone', args, { file });
  }
  const { document, locate } = readDeclarationsFile(file);
  const approved = mode === 'files' && previous ? asApproved(previous).declared : undefined;
  const overrules = remembered && previous.from.kind === 'file' && previous.from.overrules;
  const from = {
    kind: 'file',
    file,
    ...(skipCheck && { unchecked: skipCheck }),
    ...(overrules && { overrules }),
  } as const;
  // Approved declarations aren't checked again by `diff --offline`, where the schema would take most of the time.
  if (
    checked &&
    approved &&
    JSON.stringify(document) === JSON.stringify({ declarations: approved.declarations })
  )
    return { declared: { ...approved, from }, leftOut: [], indexes: [], refusals: [], locate };
  const { leftOut, refusals, ...found } = declarationsAndFaults(document, parsingFile(options, locate));
  const unasked = approved && options.lenient && !skipCheck;
  const { declarations, indexes } = unasked ? withoutFaultyCalls(found, approved.declarations) : found;
  if (declarations.length === 0 && refusals.length === 0 && !previous)
    throw leftOut.length > 0 ? new Faults(leftOut) : new Fault('decl.none', {}, { file });
  return { declared: { ...approved, declarations, from }, leftOut, indexes, refusals, locate };
}

/**
 * Without the server, a hook that calls a tool counts as one that `--lenient` left out, unless it was approved, or one
 * that was is not in the file any more: it may have been edited.
 */
function withoutFaultyCalls(
  found: Pick<Checked, 'declarations' | 'indexes'>,
  approved: readonly Declaration[],
): Pick<Checked, 'declarations' | 'indexes'> {
  const { declarations, indexes } = found;
  const there = new Set(declarations.map(canonicalJson));
  if (approved.some((one) => callsTools([one]) && !there.has(canonicalJson(one)))) return found;
  const known = new Set(approved.map(canonicalJson));
  const kept = declarations.map((one) => !callsTools([one]) || known.has(canonicalJson(one)));
  return { declarations: declarations.filter((_, i) => kept[i]), indexes: indexes.filter((_, i) => kept[i]) };
}

/** Throws the `Faults` that refuse a file, if any. */
export function assertNotRefused({ declared, refusals }: FileDeclarations): void {
  if (refusals.length > 0) throw new Faults(refusals, declared.declarations.length);
}

/**
 * Checks the declarations of a file against the tools of its server. When the server can't be asked, hooks that call
 * tools and a request for an answer make that a fault; else there is only a message. A refused file is held against
 * them too, so that all of its faults are found at once.
 */
export async function checkedDeclarations(
  read: FileDeclarations,
  ask: Ask,
  { server, installedOnly, mustAnswer }: Asked,
  options: InstallOptions,
  context: Context,
): Promise<ReadDeclarations> {
  const { declarations, from } = read.declared;
  const parsed = { ...read, declarations };
  const calls = callsTools(declarations);
  if (!calls) assertNotRefused(read);
  try {
    const { reading, faults, uncheckedFaults } = await ask(({ tools }) =>
      toolFaultsOf(parsed, tools, read.locate),
    );
    const { serverName, tools = [], called, firstMs } = reading;
    const kept = faultlessDeclarations(parsed, faults, options);
    const name = serverName === undefined ? {} : { serverName };
    const ownHooks = usableHooks(reading, options);
    // Only an install decides against hooks that the server declares itself.
    const decides = ownHooks > 0 && !installedOnly && from.kind === 'file';
    return {
      declared: {
        ...read.declared,
        declarations: kept.declarations,
        ...(decides && { from: { ...from, overrules: true } }),
        ...name,
      },
      ...(ownHooks > 0 && { ownHooks }),
      leftOut: kept.leftOut,
      answers: { tools, firstMs, ...(called && { called }), ...(uncheckedFaults && { uncheckedFaults }) },
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const unasked = error.with({ noCheck: 1 });
    if (calls || mustAnswer)
      throw read.refusals.length > 0 ? new Faults([...read.refusals, unasked]) : unasked;
    const [reason = ''] = faultText(error).split('\n');
    const { near } = error.args;
    const meant = typeof near === 'string' && { near };
    context.err(faultText(new Fault('server.unasked', { name: server, reason, ...meant })));
    return read;
  }
}

/** Returns how many valid declarations a server has. */
function usableHooks({ document, place }: ServerReading, options: InstallOptions): number {
  if (place === undefined) return 0;
  const lenient = { ...options, lenient: true };
  const { declarations, refusals } = declarationsAndFaults(document, parsingPlace(lenient, place));
  return refusals.length > 0 ? 0 : declarations.length;
}
