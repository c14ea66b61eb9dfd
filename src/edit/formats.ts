import { conflictAt } from '../base/merge-conflict.ts';
import type { FileFormat, FileRules } from '../clients/hook-config.ts';
import { deepestPosition, position } from '../declarations/json-text.ts';
import { Fault } from '../messages/fault.ts';
import { jsonValue, readJson } from './json/json.ts';
import { inGroups } from './layout.ts';
import { moduleValue, readModule } from './module.ts';
import { withoutBom } from './splice.ts';
import { readToml, tomlValue } from './toml/toml.ts';
import type { HookDocument, HookFileState } from './types.ts';

/** Everything besides the text that affects reading a file. */
type Shape = Pick<HookFileState, 'file' | 'frame' | 'program' | 'unwrapped'> & { accepts?: FileRules };

/**
 * Readers of one format: `read` returns the editable document, `value` the value by a parser independent of the
 * splicing.
 */
interface FormatReader {
  read: (shape: Shape, text: string) => HookDocument;
  value: (file: string, text: string) => unknown;
}

const json = (comments: boolean): FormatReader => ({
  read: (shape, text) => readJson({ ...shape, text, comments }),
  value: (_, text) => jsonValue(text, comments),
});

export const FILE_FORMATS: Record<FileFormat, FormatReader> = {
  json: json(false),
  jsonc: json(true),
  toml: {
    read: ({ file }, text) => readToml({ file, text }),
    value: (file, text) => tomlValue({ file, text }),
  },
  module: { read: (shape, text) => readModule({ ...shape, text }), value: moduleValue },
};

type StateToRead = HookFileState & { accepts?: FileRules };

/** All that a document depends on. */
const PARTS = ['text', 'format', 'layout', 'frame', 'program', 'unwrapped', 'accepts'] as const;

/** Latest document of each file: the plans of all servers read the same texts. Documents are never modified. */
const latest = new Map<string, { state: StateToRead; document: HookDocument }>();

/** Most files of which the latest document is kept. */
const MOST_FILES = 32;

/** Returns the document of a file, in groups. Faults as the reader of its format. */
export function hookDocument(state: StateToRead): HookDocument {
  const { file, text, format } = state;
  const known = latest.get(file);
  if (known && PARTS.every((part) => known.state[part] === state[part])) return known.document;
  const document = inGroups(FILE_FORMATS[format].read(state, withoutBom(text ?? '')), state);
  if (latest.size >= MOST_FILES) latest.clear();
  latest.set(file, { state, document });
  return document;
}

/**
 * Runs `act` on a file. Faults: `edit.conflict` when git left both sides of a merge in the file; `edit.too-deep` when
 * nesting, or in TOML a string of more than about 100,000 characters, exhausts the stack.
 */
export function guarded<T>({ file, text }: Pick<HookFileState, 'file' | 'text'>, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof RangeError)
      throw new Fault('edit.too-deep', {}, { file, ...deepestPosition(text ?? '') });
    const unreadable = error instanceof Fault && error.code === 'edit.unreadable';
    const conflict = unreadable ? conflictAt(text ?? '') : undefined;
    if (conflict !== undefined)
      throw new Fault('edit.conflict', {}, { file, ...position(text ?? '', conflict) });
    throw error;
  }
}
