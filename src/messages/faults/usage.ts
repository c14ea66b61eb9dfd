import type { NoArgs } from '../args.ts';
import { syntaxText } from '../syntax.ts';
import { list, nearOrKnown, unreadableText, type Wordings } from '../words.ts';

const HELP = "Run 'mcphooks --help' for the commands and options.";

/** Arguments by code. */
export interface UsageFaults {
  'internal.error': { reason: string };
  'internal.no-folder': NoArgs;
  /** `text`: commander's message; `command`: the command with the mistake, if it is known. */
  'usage.bad': { text: string; command?: string };
  'usage.exclusive': { one: string; other: string };
  'usage.goes-with': { option: string; needs: string };
  'usage.unknown-word': { value: string; what: string; known: readonly string[]; near?: string };
  'usage.no-hook': { option: string; number: number; count: number };
  'usage.no-server': { verb: string; all?: 1 };
  'usage.no-file': { file: string; option: string };
  'usage.no-object': { file: string; option: string };
  'usage.no-json': { from: string; value: string };
  'usage.url': { url: string };
  'usage.header': NoArgs;
  'config.unreadable': { reason: string };
  'config.syntax': { found?: string; reason: string };
  'config.key': { allowed: readonly string[]; key: string; near?: string };
  'config.retired': { key: string };
  'config.value': { expected: string; value: string };
}

/** Faults of the command line and the configuration file. */
export const usageFaults = (): Wordings<UsageFaults> => ({
  'internal.error': {
    what: (a) => `an error that mcphooks did not foresee: ${a.reason}`,
    fix: () => 'Run it again with --debug, and please report what that prints.',
  },
  'internal.no-folder': {
    what: () => 'the folder in which this runs is gone',
    fix: () => 'Change to a folder that is there, and run the command again.',
  },
  'usage.bad': {
    what: (a) => String(a.text),
    fix: (a) => (a.command ? `Run 'mcphooks ${a.command} --help' for its options.` : HELP),
  },
  'usage.exclusive': {
    what: (a) => `${a.one} and ${a.other} exclude each other`,
    fix: () => 'Give one of them.',
  },
  'usage.goes-with': { what: (a) => `${a.option} goes with ${a.needs}`, fix: () => HELP },
  'usage.unknown-word': {
    what: (a) => `'${a.value}' is no ${a.what}`,
    fix: (a) => nearOrKnown(a, 'There are') ?? HELP,
  },
  'usage.no-hook': {
    what: (a) => `${a.option} ${a.number}: the server has ${a.count === 1 ? '1 hook' : `${a.count} hooks`}`,
    fix: () => 'Give a number of the plan, or an event.',
  },
  'usage.no-server': {
    what: (a) => `no server to ${a.verb} is named`,
    fix: (a) => `Name one${a.all ? ', or give --all' : ''}.`,
  },
  'usage.no-file': {
    what: (a) => `there is no file '${a.file}'`,
    fix: (a) => `Name another with ${a.option}.`,
  },
  'usage.no-object': {
    what: (a) => `'${a.file}' holds no JSON object`,
    fix: (a) => `Name another with ${a.option}.`,
  },
  'usage.no-json': { what: (a) => `${a.from} is not JSON: ${a.value}`, fix: () => 'Write it as JSON.' },
  'usage.url': {
    what: (a) => `--url '${a.url}' is not a URL`,
    fix: () => 'Give one like https://example.org/mcp.',
  },
  'usage.header': {
    what: () => "a --header is not 'Name: value'",
    fix: () => "Write it like 'Authorization: Bearer ${TOKEN}'.",
  },
  'config.unreadable': { what: unreadableText, fix: () => 'Mend that, or remove the file.' },
  'config.syntax': {
    what: (a) => `not valid JSON: ${syntaxText(a)}`,
    fix: () => 'Mend the file at this place.',
  },
  'config.key': {
    what: (a) => `unknown key '${a.key}'`,
    fix: (a) => (a.near ? `Did you mean '${a.near}'?` : `Allowed here: ${list(a.allowed)}.`),
  },
  'config.retired': {
    what: (a) => `'${a.key}' is no key any more: the limits are the same for all servers`,
    fix: () => 'Take it out. What they are: docs/limits.md.',
  },
  'config.value': {
    what: (a) => `${a.value} is not ${a.expected}`,
    fix: () => "What each key takes: 'mcphooks schema config'.",
  },
});
