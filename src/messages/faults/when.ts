import type { NoArgs } from '../args.ts';
import { list, type Wordings } from '../words.ts';

const FILES: Readonly<Record<string, string>> = {
  absolute: 'it is an absolute path, or starts at the home folder',
  parent: "it has an empty segment, '.' or '..'",
  wildcard: "'*' and '?' are allowed in the last segment only",
  characters: "it contains '[', ']', '\\' or a control character",
};

/** Arguments by code. */
export interface WhenFaults {
  'when.event': { event: string; events: readonly string[]; key: string };
  'when.needs': { key: string; other: string };
  'when.beside': { key: string; other: string };
  'when.needs-drop': NoArgs;
  'when.too-many': { count: number; max: number };
  'when.too-small': { min: number; value: string | number };
  'when.too-large': { max: number; value: string };
  'when.own-tool': { value: string };
  'when.files': { trouble: string; value: string };
  'when.path': { value: string };
  'when.braces': { max: number; value: string };
  'when.word': { value: string };
  'when.pointer': { value: string };
}

/** Faults of conditions (`when`). */
export const whenFaults = (): Wordings<WhenFaults> => ({
  'when.event': {
    what: (a) => `'${a.key}' does not apply to ${a.event}`,
    fix: (a) => `It applies to ${list(a.events)}; remove it here.`,
  },
  'when.needs': {
    what: (a) => `'${a.key}' needs ${a.other}`,
    fix: (a) => `Add ${a.other}, or remove '${a.key}'.`,
  },
  'when.beside': {
    what: (a) => `'${a.key}' and ${a.other} both select tools`,
    fix: () => 'Keep one of them.',
  },
  'when.needs-drop': {
    what: () => 'without a matcher, an implementation without `when` would fire this on every tool call',
    fix: () => 'Add "otherwise": "drop" to `when`, or a matcher.',
  },
  'when.too-many': {
    what: (a) => `${a.count} items; at most ${a.max} are allowed`,
    fix: () => 'Use wildcards, or several declarations.',
  },
  'when.too-small': {
    what: (a) => `${a.value} is less than ${a.min}`,
    fix: (a) => `Use ${a.min} or more.`,
  },
  'when.too-large': {
    what: (a) => `${a.value} is more than ${a.max}`,
    fix: (a) => `Use ${a.max} or less.`,
  },
  'when.own-tool': {
    what: (a) => `'${a.value}' can't be the name of one of the server's own tools`,
    fix: () => "Use the name that the server lists, e.g. 'store_memory', or '*' for all.",
  },
  'when.files': {
    what: (a) => `'${a.value}' is not a path inside the project: ${FILES[a.trouble]}`,
    fix: () => "Write it as 'package.json', '.git' or 'src/*.sln'.",
  },
  'when.path': {
    what: (a) => `'${a.value}' is not a supported glob: it can't contain '!', '~', '\\' or '..'`,
    fix: () => "Write it as '*.ts', 'src/**' or 'docs/*.{md,mdx}'; separators are '/'.",
  },
  'when.braces': {
    what: (a) =>
      `the braces in '${a.value}' are not closed or not opened, hold a range, or expand to more than ${a.max} globs`,
    fix: () => "List the names as in 'docs/*.{md,mdx}', use wildcards, or write several globs.",
  },
  'when.word': {
    what: (a) => `'${a.value}' is not a single word of a command`,
    fix: () => 'Write each word separately: ["git", "commit"].',
  },
  'when.pointer': {
    what: (a) => `'${a.value}' is not a JSON pointer`,
    fix: () => "Write it as '/items/0/text' (RFC 6901).",
  },
});
