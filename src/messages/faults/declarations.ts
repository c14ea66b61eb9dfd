import type { NoArgs } from '../args.ts';
import { NOT_JSON } from '../syntax.ts';
import {
  commandOn,
  list,
  NO_DECLARATIONS,
  nearOrKnown,
  unreadableText,
  WHEN_PLACES,
  type Wordings,
  word,
} from '../words.ts';

const TYPES: Readonly<Record<string, string>> = {
  record: 'object',
  int: 'whole number',
  number: 'whole number',
  json: 'JSON value',
  other: 'another value',
};

/** Arguments by code. */
export interface DeclarationsFaults {
  /** `expected`: values as JSON, or names of types. */
  'decl.type': { expected: readonly string[]; got: string; value: string };
  'decl.missing': { key: string };
  /** `elsewhere`: set where other places may have this key. */
  'decl.unknown-key': { allowed: readonly string[]; key: string; near?: string; elsewhere?: 1 };
  'decl.choice': { allowed: readonly string[]; near?: string; value: string };
  'decl.empty': { key: string };
  'decl.empty-list': { key: string };
  'decl.both': NoArgs;
  'decl.neither': NoArgs;
  'decl.args-alone': NoArgs;
  'decl.matcher-event': { event: string };
  /** `text`: the model would read it; `leftOut`: the hook is left out, and the others are used. */
  'decl.too-long': { length: number; max: number; text?: 1; leftOut?: 1 };
  'decl.none': NoArgs;
  /** `leftOut`: how many are left out, when the others are used; `places`: those among them that were checked. */
  'decl.too-many': { count: number; max: number; leftOut?: number; places?: readonly string[] };
  'decl.glob': { max: number; stars: number };
  'decl.depth': { max: number };
  /** `never`: no option allows them. */
  'decl.invisible': { characters: readonly string[]; value: string; never?: 1 };
  'decl.more': { count: number; leftOut: number };
  'decl-file.unreadable': { near?: string; reason: string };
  'decl-file.gone': { name: string; scope?: string; since?: string };
  'decl-file.elsewhere': { name: string; scope: string; command: string; file: string };
  'decl-file.syntax': { found?: string; reason: string };
}

/** Most places that a sentence lists. */
const MOST_PLACES = 20;

const placesText = (places: readonly string[], of: number): string => {
  const shown = places.slice(0, MOST_PLACES);
  const more = of > shown.length ? ` and ${of - shown.length} more` : '';
  return `: ${list(shown)}${more}`;
};

/** Faults of declarations and of declarations files. */
export const declarationsFaults = (): Wordings<DeclarationsFaults> => ({
  'decl.type': {
    what: (a) =>
      `expected ${a.expected.map((type) => TYPES[type] ?? type).join(' or ')}, found ${a.got}${a.value === a.got ? '' : `: ${a.value}`}`,
    fix: () => "'mcphooks schema declarations' describes each key.",
  },
  'decl.missing': {
    what: (a) => `required key '${a.key}' is missing`,
    fix: () => "Add it; 'mcphooks schema declarations' describes it.",
  },
  'decl.unknown-key': {
    what: (a) => `unknown key '${a.key}'`,
    fix: (a) =>
      a.near ? `Did you mean '${a.near}'?` : a.elsewhere ? WHEN_PLACES : `Allowed here: ${list(a.allowed)}.`,
  },
  'decl.choice': {
    what: (a) => `${a.value} is not one of the allowed values`,
    fix: (a) => `${a.near ? `Did you mean '${a.near}'? ` : ''}Allowed: ${list(a.allowed)}.`,
  },
  'decl.empty': {
    what: (a) => `'${a.key}' is empty`,
    fix: () => 'Give it a text, or leave the key out.',
  },
  'decl.empty-list': {
    what: (a) => `'${a.key}' is an empty list`,
    fix: () => 'Give it one item or more, or leave the key out.',
  },
  'decl.both': {
    what: () => 'both context and context_tool are given',
    fix: () => "Keep one: context for a fixed text, context_tool for a tool's answer.",
  },
  'decl.neither': {
    what: () => 'neither context nor context_tool is given',
    fix: () => 'Add context (a fixed text) or context_tool (a tool of this server whose answer is the text).',
  },
  'decl.args-alone': {
    what: () => 'context_tool_args without context_tool',
    fix: () => 'Add context_tool, or leave the arguments out.',
  },
  'decl.matcher-event': {
    what: (a) => `${a.event} takes no matcher`,
    fix: () => 'Only pre_tool_use and post_tool_use take a matcher; remove it here.',
  },
  'decl.too-long': {
    what: (a) =>
      `${a.length} characters; at most ${a.max} are allowed${a.leftOut ? ', so this hook is left out' : ''}`,
    fix: () => 'Shorten it.',
  },
  'decl.none': NO_DECLARATIONS,
  'decl.too-many': {
    what: (a) =>
      a.leftOut === undefined
        ? `${a.count} declarations; at most ${a.max} are allowed`
        : `${a.count} declarations; at most ${a.max} are allowed, so ${a.leftOut} of the lowest priority ${a.leftOut === 1 ? 'is' : 'are'} left out${placesText(a.places ?? [], a.leftOut)}`,
    fix: () => 'Leave some out, or declare them in another server.',
  },
  'decl.glob': {
    what: (a) => `${a.stars} wildcards '*' in one pattern; at most ${a.max} are allowed`,
    fix: () => 'Use fewer wildcards, or several declarations.',
  },
  'decl.depth': { what: (a) => `nested deeper than ${a.max} levels`, fix: () => 'Make it flatter.' },
  'decl.invisible': {
    what: (a) => `invisible characters (${list(a.characters)}): ${a.value}`,
    fix: (a) => (a.never ? 'Remove them.' : 'Remove them, or allow them with --allow-invisible.'),
  },
  'decl.more': { what: (a) => `and ${a.count} more` },
  'decl-file.unreadable': {
    what: unreadableText,
    fix: (a) =>
      nearOrKnown(a, '') ?? (a.reason === 'UTF8' ? 'Save it as UTF-8.' : 'Give a JSON file of declarations.'),
  },
  'decl-file.gone': {
    what: (a) =>
      `file not found; the hooks from '${a.name}' were installed from it${a.since ? ` on ${a.since}` : ''}`,
    fix: (a) =>
      `Restore it, or give its new path: '${commandOn('install', a, '--declarations <file>')}'. At a terminal, '${commandOn('install', a)}' offers to write the approved hooks back to it.`,
  },
  'decl-file.elsewhere': {
    what: (a) =>
      `hooks for '${a.name}' from ${a.file} are installed only in this project (--scope ${a.scope}); '${a.command}' does not look there for a file`,
    fix: (a) => `To use that file, add --declarations ${word(a.file)}.`,
  },
  'decl-file.syntax': NOT_JSON,
});
