import { sha256 } from '../base/sha256.ts';
import type { HookFile } from '../clients/hook-config.ts';
import { Fault } from '../messages/fault.ts';
import { jsonValue, readJson } from './json/json.ts';
import { withoutBom } from './splice.ts';
import type { HookDocument } from './types.ts';

/** Marks around the JSON value with the entries in a JavaScript module; the client's program reads this value. */
export const ENTRIES = { start: '/* hooks */', end: '/* end of hooks */' };

interface ModuleSource extends Pick<HookFile, 'frame' | 'program'> {
  file: string;
  text: string;
}

/** Reads a module: a program around the entries. Any edit also updates the program. Faults as `readJson`. */
export function readModule({ file, text, frame, program = '' }: ModuleSource): HookDocument {
  const { before, entries } = parts(file, text);
  const document = readJson({ file, text: entries, comments: false, ...(frame && { frame }) });
  const above = before.split('\n').length - 1;
  return {
    ...document,
    outdated: text !== '' && programHash(file, text) !== programHash(file, program),
    lineOf: (event, index) => {
      const line = document.lineOf(event, index);
      return line && line + above;
    },
    positionOf: () => undefined,
    hidden: () => [],
    edit: (edits, memory) => {
      const edited = document.edit(edits, memory);
      if (edited.text === null || edited.text.trim() === '') return edited;
      const around = parts(file, program);
      // One line, for whoever reads the program or compares two of them.
      const line = JSON.stringify(jsonValue(edited.text, false));
      return { ...edited, text: `${around.before} ${line} ${around.after}` };
    },
  };
}

export const moduleValue = (file: string, text: string): unknown =>
  jsonValue(parts(file, text).entries, false);

/**
 * Returns the hash of a module without its entries. Line ends don't count, because git converts them in a checkout on
 * Windows. Faults: `edit.unreadable`.
 */
export function programHash(file: string, text: string): string {
  const { before, after } = parts(file, withoutBom(text));
  return sha256((before + after).replaceAll('\r\n', '\n'));
}

/** Splits a module around its entries. Faults: `edit.unreadable` for a text without the marks. */
function parts(file: string, text: string): { before: string; entries: string; after: string } {
  if (text.trim() === '') return { before: '', entries: '', after: '' };
  const from = text.indexOf(ENTRIES.start) + ENTRIES.start.length;
  // Entries may hold the mark.
  const to = text.lastIndexOf(ENTRIES.end);
  if (from < ENTRIES.start.length || to < from)
    throw new Fault('edit.unreadable', { reason: 'entries' }, { file, line: 1, column: 1 });
  return { before: text.slice(0, from), entries: text.slice(from, to), after: text.slice(to) };
}
