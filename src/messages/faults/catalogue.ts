import type { FaultArgs } from '../args.ts';
import { NOT_JSON } from '../syntax.ts';
import { list, listsNone, nearOrKnown, unreadableText, type Wordings } from '../words.ts';

/** Rules for the entries that come with mcphooks, in words. */
const RULES = {
  'tool-data': "its arguments hold a tool's input or output, or the user's prompt",
  required: "a catalogue hook can't be 'required'",
  'too-long': 'a text has more than 600 characters',
  'too-many': 'a text has more than two sentences',
  'other-tools': "it fires on another server's tools",
  writes: "it calls a tool that entry.json doesn't mark as 'reads'",
  'docs-only': 'it calls a tool, but was checked against documentation only',
  'unlisted-tool': "it uses a tool that entry.json doesn't list",
  'unused-tool': 'no hook uses this tool of entry.json',
  touchy: 'its text mentions secrets or approvals',
  'other-server': 'its text mentions other servers',
} as const;
export type CatalogueRule = Exclude<keyof typeof RULES, 'unused-tool'>;

/** Arguments by code. */
export interface CatalogueFaults {
  'catalogue.unreadable': { reason: string };
  'catalogue.syntax': { found?: string; reason: string };
  /** `key`: empty where the whole file is meant. */
  'catalogue.invalid': { entry: string; key: string; unknown?: 1 };
  'catalogue.altered': { entry: string };
  'catalogue.two': { entries: readonly string[]; name: string };
  'catalogue.no-match': { entry: string; identity: readonly string[]; name: string };
  'catalogue.package-file': { package: string; path: string };
  'catalogue.package-key': { package: string };
  'catalogue.declined': { name: string };
  'init.no-tools': { name: string; refusal?: string; tools: readonly string[] };
  'catalogue.not-run': { entry: string; shown: string };
  'catalogue.server-name': { entry: string; expected: string; found: string };
  'catalogue.rule': { entry: string; n: number; rule: keyof typeof RULES; value: string };
  'catalogue.tool-gone': {
    entry: string;
    index: number;
    known: readonly string[];
    near?: string;
    refusal?: string;
    tool: string;
  };
  'catalogue.tool-writes': { entry: string; tool: string };
}

/** What a server was recognised as. */
const isText = ({ identity }: FaultArgs): string =>
  Array.isArray(identity) && identity.length > 0
    ? ` (${list(identity)})`
    : ', whose command does not show which package it is';

/** Faults of the catalogue and of its entries. */
export const catalogueFaults = (): Wordings<CatalogueFaults> => ({
  'catalogue.unreadable': {
    what: unreadableText,
    fix: () => 'A catalogue entry is a folder with entry.json and hooks.json.',
  },
  'catalogue.syntax': NOT_JSON,
  'catalogue.invalid': {
    what: (a) =>
      a.key === ''
        ? `catalogue entry '${a.entry}' is not a JSON object`
        : `catalogue entry '${a.entry}' has ${a.unknown ? 'an unknown key' : 'no valid'} '${a.key}'`,
    fix: () => "'mcphooks schema entry' describes entry.json.",
  },
  'catalogue.altered': {
    what: (a) => `catalogue entry '${a.entry}' differs from the one that comes with mcphooks`,
    fix: () => 'Install mcphooks again. To use your own texts, pass them with --declarations <file>.',
  },
  'catalogue.two': {
    what: (a) => `two catalogue entries match '${a.name}': ${list(a.entries)}`,
    fix: () => 'Choose one with --catalogue <id>.',
  },
  'catalogue.no-match': {
    what: (a) => `catalogue entry '${a.entry}' is not for '${a.name}'${isText(a)}`,
    fix: () =>
      "'mcphooks catalogue list' shows the entries. A server is recognised by its package or URL, not by its name.",
  },
  'catalogue.package-file': {
    what: (a) =>
      `package ${a.package} names '${a.path}' as its hooks file, but that is not a file in its folder`,
    fix: () => 'Only its author can fix that; until then, use --declarations <file>.',
  },
  'catalogue.package-key': {
    what: (a) => `'mcphooks' in the package.json of ${a.package} is not the path of a file with hooks`,
    fix: () =>
      'Only its author can fix that, as with "mcphooks": "hooks.json"; until then, use --declarations <file>.',
  },
  'catalogue.declined': {
    what: (a) => `you declined the hooks for '${a.name}'; nothing was written`,
  },
  'init.no-tools': {
    what: (a) =>
      a.tools.length === 0
        ? `'${a.name}' ${listsNone(a)}, so no hooks can be proposed`
        : `no tool name of '${a.name}' can be used in a text (${list(a.tools)}), so no hooks can be proposed`,
    fix: () => 'You can write hooks with fixed texts by hand: docs/authors.md.',
  },
  'catalogue.not-run': {
    what: (a) => `'${a.entry}' was not verified: you did not approve running ${a.shown}`,
    fix: () => 'Approve it with --yes, or give another command with -- <command>.',
  },
  'catalogue.server-name': {
    what: (a) => `the server of catalogue entry '${a.entry}' calls itself '${a.found}', not '${a.expected}'`,
    fix: () => "The entry's matchers use this name: correct serverName in entry.json, and the matchers.",
  },
  'catalogue.rule': {
    what: (a) => `catalogue entry '${a.entry}'${a.n ? `, hook ${a.n}` : ''}: ${RULES[a.rule]}: ${a.value}`,
    fix: () => 'docs/catalogue.md lists the rules for entries.',
  },
  'catalogue.tool-gone': {
    what: (a) => `catalogue entry '${a.entry}' uses '${a.tool}', which the server doesn't list`,
    fix: (a) => nearOrKnown(a, 'Its tools') ?? `It ${listsNone(a)}.`,
  },
  'catalogue.tool-writes': {
    what: (a) =>
      `catalogue entry '${a.entry}' treats '${a.tool}' as read-only, but the server doesn't mark it so`,
  },
});
