import { FILE_FORMATS, guarded } from './formats.ts';
import { asLaidOut } from './layout.ts';
import { holdsOnly, readHooks } from './read.ts';
import type { FileMemory, GroupEdit, HookFileState } from './types.ts';

/**
 * Returns the memory of a file that has exactly the bytes that installs give to a new file, with entries that `isOurs`
 * accepts by their signature and no others; undefined for any other file. Line ends don't count, because git converts
 * them in a checkout on Windows. Faults as `readHooks`.
 */
export function memoryOfCreated(
  state: HookFileState,
  isOurs: (signature: string) => boolean,
): FileMemory | undefined {
  if (!state.text?.trim() || !holdsOnly(state, isOurs)) return undefined;
  const groups = readHooks(state)
    .map(({ event, group, line = 0 }) => ({ event, group, line }))
    .sort((a, b) => a.line - b.line);
  const edits = groups.map(({ event, group }): GroupEdit => ({ kind: 'append', event, group }));
  const { text, memory } = guarded(state, () =>
    FILE_FORMATS[state.format]
      .read(state, '')
      .edit(asLaidOut(edits, state), { created: true, containers: {} }),
  );
  return text === state.text.replaceAll('\r\n', '\n') ? memory : undefined;
}
