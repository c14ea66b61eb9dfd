import type { HookFile } from '../clients/hook-config.ts';
import { Fault } from '../messages/fault.ts';
import { jsonValue, readJson } from './json.ts';
import type { HookDocument } from './types.ts';

/** Marks around the JSON value with the entries in a JavaScript module; the client's program reads this value. */
export const ENTRIES = { start: '/* hooks */', end: '/* end of hooks */' };

interface ModuleSource extends Pick<HookFile, 'frame' | 'program'> {
  file: string;
  text: string;
}

/** Reads a module: a program around the entries. An edit also updates the program. Faults as `readJson`. */
export function readModule({ file, text, frame, program = '' }: ModuleSource): HookDocument {
  const { before, entries } = parts(file, text);
  const document = readJson({ file, text: entries, comments: false, ...(frame && { frame }) });
  const above = before.split('\n').length - 1;
  return {
    ...document,
    lineOf: (event, index) => {
      const line = document.lineOf(event, index);
      return line && line + above;
    },
    edit: (edits, memory) => {
      const edited = document.edit(edits, memory);
      if (edited.text === null) return edited;
      const around = parts(file, program);
      return { ...edited, text: `${around.before}${edited.text.trim()}${around.after}` };
    },
  };
}

export const moduleValue = (file: string, text: string): unknown =>
  jsonValue(parts(file, text).entries, false);

/** Splits a module around its entries. Faults: `edit.unreadable` for a text without the marks. */
function parts(file: string, text: string): { before: string; entries: string; after: string } {
  if (text.trim() === '') return { before: '', entries: '', after: '' };
  const from = text.indexOf(ENTRIES.start) + ENTRIES.start.length;
  const to = text.indexOf(ENTRIES.end, from);
  if (from < ENTRIES.start.length || to < 0)
    throw new Fault('edit.unreadable', { reason: 'entries' }, { file, line: 1, column: 1 });
  return { before: text.slice(0, from), entries: text.slice(from, to), after: text.slice(to) };
}
