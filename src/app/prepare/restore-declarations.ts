import { existsSync, writeFileSync } from 'node:fs';
import { restoreQuestion } from '../../messages/done.ts';
import { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import type { Context } from '../context.ts';
import { installedServer } from '../not-installed.ts';
import type { Request } from '../request.ts';
import { type Prepared, preparePlan } from './prepare.ts';

/**
 * Returns the prepared plan. When the declarations' file no longer exists and `mayAsk` is true, asks the user whether
 * to write the approved declarations to that file again. Faults as `preparePlan`; `apply.failed`.
 */
export async function prepareOrRestore(
  request: Request,
  mayAsk: boolean,
  context: Context,
): Promise<Prepared> {
  try {
    return await preparePlan(request, context);
  } catch (error) {
    const gone = error instanceof Fault && error.code === 'decl-file.gone' ? error : undefined;
    if (!gone || !mayAsk || !context.interactive()) throw error;
    const { declarations } = await installedServer(context, request.server);
    context.err(faultText(gone).split('\n')[0] ?? '');
    if (!(await context.ask.confirm(restoreQuestion(declarations.length)))) throw error;
    writeNewFile(gone.where.file ?? '', `${JSON.stringify({ declarations }, null, 2)}\n`);
    return preparePlan(request, context);
  }
}

/** Throws `apply.exists` for an existing file. */
export function assertNew(file: string): void {
  if (existsSync(file)) throw exists(file);
}

const exists = (file: string): Fault => new Fault('apply.exists', {}, { file });

/** Writes a new file. Faults: `apply.exists`, `apply.failed`. */
export function writeNewFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw exists(file);
    throw new Fault('apply.failed', { code }, { file });
  }
}
