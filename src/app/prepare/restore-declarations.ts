import { restoreQuestion } from '../../messages/done.ts';
import { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import type { RecordReading } from '../../store/record.ts';
import type { Context } from '../context.ts';
import { installedServer } from '../not-installed.ts';
import { openRecord } from '../open-record.ts';
import type { Request } from '../request.ts';
import { writeNewFile } from '../write/new-file.ts';
import { type Prepared, preparePlan } from './prepare.ts';
import { snapshotOf } from './scope-snapshot.ts';

/**
 * Returns the prepared plan; the caller has called `recoverInterrupted`. When the declarations' file no longer exists and
 * `mayAsk` is true, asks the user whether to write the approved declarations to that file again. `known`: an
 * earlier reading of the record. Faults as `preparePlan`; `apply.failed`.
 */
export async function prepareOrRestore(
  request: Request,
  mayAsk: boolean,
  context: Context,
  known?: RecordReading,
): Promise<Prepared> {
  try {
    return await preparePlan(request, context, snapshotOf(openRecord(context, known), context));
  } catch (error) {
    const gone = error instanceof Fault && error.code === 'decl-file.gone' ? error : undefined;
    if (!gone || !mayAsk || !context.interactive()) throw error;
    const { declarations } = await installedServer(context, request.server);
    context.err(faultText(gone).split('\n')[0] ?? '');
    if (!(await context.ask.confirm(restoreQuestion(declarations.length)))) throw error;
    writeNewFile(gone.where.file ?? '', `${JSON.stringify({ declarations }, null, 2)}\n`);
    // Another command may have been interrupted during the question.
    return preparePlan(request, context);
  }
}
