import type { NoArgs } from '../args.ts';
import { list, type Wordings } from '../words.ts';

const FILES: Readonly<Record<string, string>> = {
  absolute: 'a path from the root of the disk or the home folder',
  parent: "it has an empty segment, '.' or '..'",
  wildcard: "'*' and '?' may stand in the last segment only",
  characters: "it has '[', ']', '\\' or a control character",
};

/** Arguments by code. */
export interface WhenFaults {
  'when.event': { event: string; events: readonly string[]; key: string };
  'when.needs': { key: string; other: string };
  'when.beside': { key: string; other: string };
  'when.needs-drop': NoArgs;
  'when.too-many': { count: number; max: number };
  'when.too-small': { min: number; value: string | number };
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
    what: (a) => `'${a.key}' has no meaning on ${a.event}`,
    fix: (a) => `It belongs to ${list(a.events)}; leave it out here.`,
  },
  'when.needs': {
    what: (a) => `'${a.key}' without ${a.other}`,
    fix: (a) => `Add ${a.other}, or leave '${a.key}' out.`,
  },
  'when.beside': {
    what: (a) => `'${a.key}' beside ${a.other}: both say which tools are meant`,
    fix: () => 'Keep one of them.',
  },
  'when.needs-drop': {
    what: () => 'without a matcher, a reader that knows no `when` would fire this on every tool call',
    fix: () => 'Add "otherwise": "drop" to `when`, or a matcher.',
  },
  'when.too-many': {
    what: (a) => `${a.count} items, at most ${a.max} are allowed`,
    fix: () => 'Use wildcards, or several declarations.',
  },
  'when.too-small': {
    what: (a) => `${a.value} is less than ${a.min}`,
    fix: (a) => `Give ${a.min} or more.`,
  },
  'when.own-tool': {
    what: (a) => `'${a.value}' is no name in the server's own list of tools`,
    fix: () => "Write the tool as the server lists it, e.g. 'store_memory', or '*' for all of them.",
  },
  'when.files': {
    what: (a) => `'${a.value}' is no path below the project's root: ${FILES[String(a.trouble)]}`,
    fix: () => "Write it as 'package.json', '.git' or 'src/*.sln'.",
  },
  'when.path': {
    what: (a) => `'${a.value}' is no glob that is taken here: no '!', '~', '\\' or '..'`,
    fix: () => "Write it as '*.ts', 'src/**' or 'docs/*.{md,mdx}'; separators are '/'.",
  },
  'when.braces': {
    what: (a) => `the braces of '${a.value}' stand for more than ${a.max} globs, or for a range`,
    fix: () => "List what they stand for, as in 'docs/*.{md,mdx}', use wildcards, or write several globs.",
  },
  'when.word': {
    what: (a) => `'${a.value}' is not one word of a command`,
    fix: () => 'Give each word by itself: ["git", "commit"].',
  },
  'when.pointer': {
    what: (a) => `'${a.value}' is no JSON pointer`,
    fix: () => "Write it as '/items/0/text' (RFC 6901).",
  },
});
