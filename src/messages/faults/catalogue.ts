import type { FaultArgs } from '../args.ts';
import { syntaxText } from '../syntax.ts';
import { list, nearOrKnown, unreadableText, type Wordings, word } from '../words.ts';

/** Rules for the entries that come with mcphooks (contract, "Catalogue"), in words. */
const RULES = {
  'tool-data': 'its arguments hold what a tool is given or answers, or what the user asks',
  required: "no hook of the catalogue is 'required'",
  'too-long': 'a text has more than 600 characters',
  'too-many': 'a text has more than two sentences',
  'other-tools': "it fires on tools of servers that aren't its own",
  writes: "it calls a tool that entry.json doesn't mark as 'reads'",
  'docs-only': 'it calls a tool, and was checked with documents only',
  'unlisted-tool': "it uses a tool that entry.json doesn't list",
  'unused-tool': 'no hook uses this tool of entry.json',
  touchy: 'its text speaks of secrets or approvals',
  'other-server': 'its text speaks of other servers',
} as const;
export type CatalogueRule = Exclude<keyof typeof RULES, 'unused-tool'>;

/** Arguments by code. */
export interface CatalogueFaults {
  'catalogue.unreadable': { near?: string; reason: string };
  'catalogue.syntax': { found?: string; reason: string };
  'catalogue.invalid': { entry: string; key: string };
  'catalogue.altered': { entry: string };
  'catalogue.two': { entries: readonly string[]; name: string };
  'catalogue.no-match': { entry: string; identity: readonly string[]; name: string };
  'catalogue.package-file': { package: string; path: string };
  'catalogue.declined': { name: string };
  'init.no-tools': { name: string; tools: readonly string[] };
  'catalogue.not-run': { entry: string; shown: string };
  'catalogue.server-name': { entry: string; expected: string; found: string };
  'catalogue.rule': { entry: string; n: number; rule: keyof typeof RULES; value: string };
  'catalogue.tool-gone': {
    entry: string;
    index: number;
    known: readonly string[];
    near?: string;
    tool: string;
  };
  'catalogue.tool-writes': { entry: string; tool: string };
}

/** What a server was recognised as. */
const isText = ({ identity }: FaultArgs): string =>
  Array.isArray(identity) && identity.length > 0
    ? ` (${list(identity)})`
    : ', which was started in a way that says nothing certain about what it is';

/** Faults of the catalogue and of its entries. */
export const catalogueFaults = (): Wordings<CatalogueFaults> => ({
  'catalogue.unreadable': {
    what: unreadableText,
    fix: () => 'An entry of a catalogue is a folder with entry.json and hooks.json.',
  },
  'catalogue.syntax': {
    what: (a) => `not valid JSON: ${syntaxText(a)}`,
    fix: () => 'Mend the file at this place.',
  },
  'catalogue.invalid': {
    what: (a) => `the catalogue's entry '${a.entry}' has no valid '${a.key}'`,
    fix: () => "What entry.json takes: 'mcphooks schema entry'.",
  },
  'catalogue.altered': {
    what: (a) => `the catalogue's entry '${a.entry}' is not as it came with mcphooks`,
    fix: () => 'Install mcphooks again; to use texts of your own, give them with --declarations <file>.',
  },
  'catalogue.two': {
    what: (a) => `two entries of the catalogue are for '${a.name}': ${list(a.entries)}`,
    fix: (a) => `Name the one to use: 'mcphooks install ${word(a.name)} --catalogue <id>'.`,
  },
  'catalogue.no-match': {
    what: (a) => `the catalogue's entry '${a.entry}' is not for '${a.name}'${isText(a)}`,
    fix: () =>
      "The entries: 'mcphooks catalogue list'. A server is recognised by its package or URL, not by its name.",
  },
  'catalogue.package-file': {
    what: (a) => `the package ${a.package} names '${a.path}' as its hooks, and that is no file in its folder`,
    fix: () => 'Only its author can mend that; until then, use --declarations <file>.',
  },
  'catalogue.declined': {
    what: (a) => `the hooks for '${a.name}' were not wanted; nothing was written`,
  },
  'init.no-tools': {
    what: (a) =>
      a.tools.length === 0
        ? `'${a.name}' lists no tools, so there is nothing to propose hooks from`
        : `no tool of '${a.name}' has a name that a text can hold (${list(a.tools)}), so there is nothing to propose hooks from`,
    fix: () => 'Hooks of fixed texts can be written by hand: docs/authors.md.',
  },
  'catalogue.not-run': {
    what: (a) => `'${a.entry}' was not verified: nobody agreed to run ${a.shown}`,
    fix: () => 'To agree, add --yes; to run it in another way: -- <command>.',
  },
  'catalogue.server-name': {
    what: (a) =>
      `the server of the catalogue's entry '${a.entry}' calls itself '${a.found}', not '${a.expected}'`,
    fix: () =>
      'Matchers of the entry name the server so: correct serverName in entry.json, and the matchers.',
  },
  'catalogue.rule': {
    what: (a) =>
      `the catalogue's entry '${a.entry}'${a.n ? `, hook ${a.n}` : ''}: ${RULES[a.rule as keyof typeof RULES]}: ${a.value}`,
    fix: () => 'docs/catalogue.md has the rules for entries.',
  },
  'catalogue.tool-gone': {
    what: (a) => `the catalogue's entry '${a.entry}' uses '${a.tool}', which the server doesn't list`,
    fix: (a) => nearOrKnown(a, 'Its tools') ?? 'It lists no tools.',
  },
  'catalogue.tool-writes': {
    what: (a) =>
      `the catalogue's entry '${a.entry}' takes '${a.tool}' for a tool that only reads, and the server doesn't say so`,
  },
});
