import type { FaultArgs } from '../args.ts';
import { syntaxText } from '../syntax.ts';
import { commandOn, list, listsNone, named, some, unreadableText, type Wordings } from '../words.ts';

/** What a tool's inputSchema takes in place of a value: one of `allowed`, or a size; none: another form. */
type Accepted = {
  allowed?: readonly string[];
  least?: number;
  most?: number;
  unit?: 'characters' | 'items';
};

function acceptedText({ allowed, least, most, unit }: FaultArgs): string {
  if (allowed !== undefined) return `one of ${list(allowed)}`;
  if (least === undefined && most === undefined) return 'one of the forms in its inputSchema';
  const size = least === undefined ? `at most ${most}` : `at least ${least}`;
  return unit === undefined ? size : `${size} ${unit}`;
}

/** Behind such a name, which itself stands behind `--`, no command can follow. */
const startsWithHyphen = ({ name }: FaultArgs): boolean => String(name).startsWith('-');

/** Returns which clients have the server, where the client of `--from` doesn't. */
function otherClientsText({ others }: FaultArgs): string {
  if (!Array.isArray(others) || others.length === 0) return '';
  const option = others.length === 1 ? `use --from ${others[0]}` : 'choose one with --from <client>';
  return `It is in ${list(others)}: ${option}. `;
}

/** Returns how to give the definition of a server whose own is gone. */
const reachable = (a: FaultArgs): string =>
  startsWithHyphen(a)
    ? `Or give its URL: '${commandOn('install', a, '--url <url>')}'.`
    : `Or give its command or URL: '${commandOn('install', a)} -- <command>' or --url <url>.`;

const notStarted = (a: FaultArgs): string =>
  a.unset ? `${a.client} does not start '${a.name}' here` : `'${a.name}' is switched off in ${a.client}`;

const startable = (a: FaultArgs): string => (a.unset ? 'Set it' : 'Switch it on there');

/** What can be done about a server that declares no hooks. */
function withoutHooks(a: FaultArgs): string {
  const reached = a.reached ?? '';
  const install = (options: string): string => commandOn('install', a, `${options}${reached}`);
  const known = a.entry
    ? `The catalogue has reviewed hooks for it (${a.entry})`
    : a.package && `Its package ${a.package} has hooks`;
  if (known) return `${known}. To preview them: '${install('--catalogue --dry-run')}'.`;
  const none = Array.isArray(a.identity)
    ? `The catalogue has none either${a.identity.length > 0 ? ` for ${list(a.identity)}` : ': its command does not show which package it is'}. `
    : '';
  // Lines of the example fit a narrow terminal, since a text that is broken in two is no JSON.
  return `${none}Most servers don't declare hooks yet. Three ways to add some:
    '${commandOn('init', named(a), `-o hooks.json${reached}`)}' proposes some from its tools, for you to edit;
    '${install('--declarations hooks.json')}' installs your own file, such as
    {"declarations": [{
      "event": "session_start", "priority": "suggestion",
      "context": "When to use which of its tools."
    }]}
    or ask its author to declare them: docs/authors.md.`;
}

/** What there is for a server that declares no hooks, what it is where nothing was found, and the words that reach it. */
type Offered = {
  entry?: string;
  package?: string;
  identity?: readonly string[];
  reached?: string;
};

/** Arguments by code; `installed`: 1 when hooks of this server are installed. */
export interface ServersFaults {
  'server.not-found': {
    broken?: readonly string[];
    from?: string;
    installed?: number;
    known?: readonly string[];
    looked?: readonly string[];
    name: string;
    near?: string;
    /** Clients that have the server, where `from` doesn't. */
    others?: readonly string[];
    scope?: string;
    /** Files with this name that aren't read before the folder is trusted. */
    untrusted?: readonly string[];
    /** Entries with this name that define no server. */
    unusable?: readonly string[];
  };
  'server.off': {
    client: string;
    installed?: number;
    name: string;
    scope?: string;
    /** Set where the client has the server on, and doesn't start it without this variable. */
    unset?: readonly string[];
  };
  'server.off-unasked': { client: string; name: string; unset?: readonly string[] };
  'server.ambiguous': { name: string; names: readonly string[] };
  'server.disagree': { definitions: readonly string[]; name: string };
  'server.file-unreadable': { reason: string };
  'server.file-syntax': { found?: string; reason: string };
  'server.no-hooks': Offered & { name: string; scope?: string; server: string };
  'server.empty-hooks': Offered & { name: string; place: string; scope?: string };
  /** `values`: the value at each of the places; '' where there is none. */
  'server.places-differ': { places: readonly string[]; values: readonly string[] };
  'server.held': { by: string; name: string };
  'tool.missing': { index: number; known: readonly string[]; near?: string; tool: string };
  'tool.args-missing': { index: number; keys: readonly string[]; tool: string };
  'tool.args-unknown': { index: number; key: string; known: readonly string[]; near?: string; tool: string };
  'tool.args-type': {
    index: number;
    expected: readonly string[];
    got: string;
    tool: string;
    value: string;
  };
  'tool.args-value': Accepted & { index: number; tool: string; value: string };
  'server.unasked': { name: string; near?: string; overlay?: number; reason: string };
  'tool.none': { index: number; refusal?: string; tool: string };
  'given.secret': { places: readonly string[] };
  'given.forgotten': { name: string };
}

/** Faults of finding servers, and of what they declare. */
export const serversFaults = (): Wordings<ServersFaults> => ({
  'server.not-found': {
    what: (a) =>
      `no server named '${a.name}'${a.from ? ` in ${a.from}` : ''}${Array.isArray(a.looked) ? `. Searched: ${some(a.looked)}` : ''}${
        a.broken?.length ? `. Unreadable: ${list(a.broken)}` : ''
      }${a.untrusted?.length ? `. Not read, because the client doesn't trust this folder yet: ${list(a.untrusted)}` : ''}${a.unusable?.length ? `. Unusable (an entry needs a command, its arguments as a list, or a URL, stands whole in one file, and in a project includes no other, as by envFile or {file:...}): ${list(a.unusable)}` : ''}${a.installed ? '; its hooks are still installed' : ''}`,
    fix: (a) => {
      const others = otherClientsText(a);
      if (a.installed)
        return `${others ? `${others}Or remove` : 'Restore the server, or remove'} its hooks: '${commandOn('uninstall', a)}'. ${reachable(a)}`;
      const trust = a.untrusted?.length ? 'Trust this folder in that client. ' : '';
      const meant = a.near ? `Did you mean '${a.near}'? ` : '';
      const known = a.known?.length ? `Servers here: ${list(a.known)}. ` : '';
      const before = `${trust}${meant}${others || known}`;
      return `${before}${before ? 'Or say' : 'Say'} how to reach it${startsWithHyphen(a) ? ": '--url <url>'" : ", behind its name: '-- <command>' or '--url <url>'"}.`;
    },
  },
  'server.off': {
    what: (a) => `${notStarted(a)}${a.installed ? '; its hooks are still installed' : ''}`,
    fix: (a) =>
      `${startable(a)}, or choose another client with --from.${a.installed ? ` Or remove its hooks: '${commandOn('uninstall', a)}'.` : ''}`,
  },
  'server.off-unasked': {
    what: (a) => `${notStarted(a)}, so it was not asked; what was approved is used`,
    fix: (a) => `${startable(a)} to have it asked.`,
  },
  'server.ambiguous': {
    what: (a) => `several plugins have a server '${a.name}'`,
    fix: (a) => `Use its full name: ${list(a.names)}.`,
  },
  'server.disagree': {
    what: (a) => `clients define '${a.name}' differently:\n${a.definitions.map((d) => `  ${d}`).join('\n')}`,
    fix: () => 'Choose one with --from <client>.',
  },
  'server.file-unreadable': {
    what: unreadableText,
    fix: () => "Its client can't read it either; fix that first.",
  },
  'server.file-syntax': {
    what: (a) => `can't be parsed: ${syntaxText(a)}`,
    fix: () => 'Fix the file at this place; its client ignores or rejects it too.',
  },
  'server.no-hooks': {
    what: (a) =>
      `'${a.name}' was reached${a.server ? ` (it calls itself '${a.server}')` : ''} but declares no hooks in capabilities.hooks, capabilities.experimental.hooks or its extensions (asked by initialize and server/discover)`,
    fix: withoutHooks,
  },
  'server.empty-hooks': {
    what: (a) => `'${a.name}' declares an empty list of hooks in capabilities.${a.place}`,
    fix: withoutHooks,
  },
  'server.places-differ': {
    what: (a) =>
      `the server declares different hooks in different places. The first difference:\n${a.places.map((place, i) => `  ${place}: ${a.values[i] || 'nothing'}`).join('\n')}`,
    fix: () =>
      'Its author has to make them equal, or keep only one. Only conditions, and hooks with "otherwise": "drop", are in the extension alone.',
  },
  'server.held': {
    what: (a) => `only the client can access '${a.name}' (${a.by})`,
    fix: () => 'Give its declarations in a file: --declarations <file>.',
  },
  'tool.missing': {
    what: (a) => `the server has no tool '${a.tool}'`,
    fix: (a) => (a.near ? `Did you mean '${a.near}'?` : `Its tools: ${list(a.known)}.`),
  },
  'tool.args-missing': {
    what: (a) => `'${a.tool}' requires ${list(a.keys)}`,
    fix: () => 'Add it to context_tool_args.',
  },
  'tool.args-unknown': {
    what: (a) => `'${a.tool}' takes no argument '${a.key}'`,
    fix: (a) => (a.near ? `Did you mean '${a.near}'?` : `Its arguments: ${list(a.known)}.`),
  },
  'tool.args-type': {
    what: (a) => `'${a.tool}' takes ${a.expected.join(' or ')} here, found ${a.got}: ${a.value}`,
    fix: () => "Use the type in the tool's inputSchema; a template is always a string.",
  },
  'tool.args-value': {
    what: (a) => `'${a.tool}' does not accept ${a.value} here`,
    fix: (a) => `It accepts ${acceptedText(a)}.`,
  },
  'server.unasked': {
    what: (a) => `could not reach '${a.name}': ${a.reason}`,
    fix: (a) =>
      `${a.near ? `Did you mean '${a.near}'? ` : ''}Its hooks are fixed texts and work without it${a.overlay ? '' : '; --no-check skips this check'}.`,
  },
  'tool.none': {
    what: (a) => `context_tool is '${a.tool}', but the server ${listsNone(a)}`,
    fix: (a) =>
      `${a.refusal === undefined ? 'Only its author can fix that' : 'Install again when it lists them'}; until then, put the other hooks into a file: --declarations <file>.`,
  },
  'given.secret': {
    what: (a) => `${list(a.places)}: contains a secret, which hooks that call tools would need on disk`,
    fix: () =>
      "Use an environment variable instead, e.g. --header 'Authorization: Bearer ${TOKEN}' or -- <command> --token '${TOKEN}'.",
  },
  'given.forgotten': {
    what: (a) =>
      `'${a.name}' was reached with a secret from the command line, which is not stored; what was approved is used`,
    fix: () => 'To ask the server again, repeat the same --url or -- <command>.',
  },
});
