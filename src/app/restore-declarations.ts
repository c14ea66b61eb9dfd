import { writeFileSync } from 'node:fs';
import { restoreQuestion } from '../messages/done.ts';
import { Fault } from '../messages/fault.ts';
import { faultText } from '../messages/faults.ts';
import type { Context } from './context.ts';
import { installed } from './installed.ts';
import { type Prepared, preparePlan } from './prepare.ts';
import type { Request } from './request.ts';

/**
 * The prepared plan. Where the file of the declarations is gone and `mayAsk`, a person is asked whether to write the approved
 * ones to it again. Faults as `preparePlan`; `apply.failed`.
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
    const { declarations } = await installed(context, request.server);
    context.err(faultText(gone).split('\n')[0] ?? '');
    if (!(await context.ask.confirm(restoreQuestion(declarations.length)))) throw error;
    writeNew(gone.where.file ?? '', `${JSON.stringify({ declarations }, null, 2)}\n`);
    return preparePlan(request, context);
  }
}

/** Writes a file that is not there. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Fault('apply.failed', { code }, { file });
  }
}
