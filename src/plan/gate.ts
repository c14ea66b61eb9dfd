import { ask } from '../ask.ts';
import type { Context } from '../context.ts';
import { oneLine } from '../declarations/visible.ts';

import { Fault } from '../messages.ts';
import { needsApproval, showEntry } from '../server/definition.ts';
import type { ServerEntry } from '../server/types.ts';

/**
 * The one gate before every start of a process or connection: a definition from a project's files is used only when
 * its hash was approved, by the record (`starts`), by `--allow-start`, or now by a person who saw the whole command.
 * `--yes` doesn't open it. An approval is added to `starts`. Throws a Fault with exit 3.
 */
export async function approveStart(
  entry: ServerEntry,
  starts: Record<string, string>,
  allowed: string | undefined,
  context: Context,
): Promise<void> {
  if (!needsApproval(entry.source)) return;
  if (starts[entry.hash] !== undefined) return;
  if (allowed === entry.hash) {
    starts[entry.hash] = context.now();
    return;
  }
  const shown = showEntry(entry);
  const file = entry.source.file ?? '';
  if (context.interactive) {
    context.err(`${oneLine(file)} of this project says how to reach '${oneLine(entry.alias)}':\n  ${shown}`);
    if (await ask('Start or reach it now?')) {
      starts[entry.hash] = context.now();
      return;
    }
  }
  throw new Fault('gate.project-start', { name: entry.alias, shown, hash: entry.hash }, { file }, 3);
}
