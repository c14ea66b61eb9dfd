import type { World } from '../../app/context.ts';
import { visibleJson } from '../../base/visible.ts';
import type { OUTPUTS } from './outputs.ts';
import type { DocumentOf } from './schemas/parts.ts';

/** Types of the --json documents by their published schemas; a test checks real documents against these. */
type Documents = {
  [C in keyof typeof OUTPUTS]: Omit<DocumentOf<(typeof OUTPUTS)[C]>, 'version' | 'command'>;
};

/** Prints the --json document of a command. */
export function printJson<C extends keyof Documents>(
  command: C,
  document: Documents[C],
  { out }: Pick<World, 'out'>,
): void {
  out(visibleJson({ version: 1, command, ...document }));
}
