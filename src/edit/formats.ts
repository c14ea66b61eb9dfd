import { Fault } from '../messages.ts';
import { jsonValue, readJson } from './json.ts';
import { readToml, tomlValues } from './toml.ts';
import type { FileFormat, FileRules, HookDocument } from './types.ts';

/** One format's reading: the document, and its values by parsers that know nothing of the splicing. */
interface Format {
  read: (file: string, text: string, rules?: FileRules) => HookDocument;
  values: (file: string, text: string) => unknown[];
}

const json = (comments: boolean): Format => ({
  read: (file, text, rules) =>
    readJson({
      file,
      text,
      comments,
      ...(rules?.topLevelKeys && { topLevelKeys: rules.topLevelKeys }),
    }),
  values: (_, text) => [jsonValue(text, comments)],
});

export const FORMATS: Record<FileFormat, Format> = {
  json: json(false),
  jsonc: json(true),
  toml: {
    read: (file, text) => readToml({ file, text }),
    values: (file, text) => tomlValues({ file, text }).values,
  },
};

/** Faults: `edit.too-deep` where nesting, or in TOML a string of more than about 100,000 characters, exhausts the stack. */
export function guarded<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof RangeError ? new Fault('edit.too-deep', {}, { file }) : error;
  }
}
