/**
 * Every sentence that a person reads when something is wrong. The rest of the code throws `Fault`s, which
 * are data: a stable code, the arguments of its sentences, and where. Tests compare codes, never prose.
 */

import { oneLine } from './declarations/visible.ts';

/** Where a fault lies: in a file (line and column from 1), or at a JSON path of a document. */
export interface Where {
  file?: string;
  line?: number;
  column?: number;
  path?: string;
}

export type FaultArgs = Record<string, string | number | readonly string[]>;

/** Exit codes of the contract that a fault can lead to. */
export type FaultExit = 1 | 3 | 4;

export class Fault extends Error {
  readonly code: FaultCode;
  readonly args: FaultArgs;
  readonly where: Where;
  readonly exit: FaultExit;
  constructor(code: FaultCode, args: FaultArgs = {}, where: Where = {}, exit: FaultExit = 1) {
    super(code);
    this.name = 'Fault';
    this.code = code;
    this.args = args;
    this.where = where;
    this.exit = exit;
  }
}

/** Several faults that are reported together (all faults of a document at once). */
export class Faults extends Error {
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super(faults.map((f) => f.code).join(', '));
    this.name = 'Faults';
    this.faults = faults;
  }
}

/** A sentence that says what is wrong, and one that says what to do. `a` are the fault's arguments. */
interface Wording {
  what: (a: FaultArgs) => string;
  fix?: (a: FaultArgs) => string;
}

const list = (v: FaultArgs[string] | undefined): string =>
  Array.isArray(v) ? v.join(', ') : String(v ?? '');

/** A near miss, else what there is, else nothing. */
function nearOrKnown(a: FaultArgs, known: string): string | undefined {
  if (a.near) return `Did you mean '${a.near}'?`;
  return Array.isArray(a.known) && a.known.length > 0 ? `${known}: ${list(a.known)}.` : undefined;
}

const FOR: Readonly<Record<string, string>> = {
  user: ' for you',
  project: ' for the project',
  local: ' for you in this project',
};

const HAVING: Readonly<Record<string, string>> = {
  user: 'You have them yourself',
  project: 'The project has them',
  local: 'You have them in this project',
};

/** At which other scope an install is, and how to get there. */
function elsewhereText({ elsewhere, command, name }: FaultArgs): string | undefined {
  const [scope] = Array.isArray(elsewhere) ? elsewhere : [];
  if (scope === undefined) return undefined;
  const option = scope === 'user' ? '' : `--scope ${scope} `;
  const step = command
    ? `mcphooks ${command} ${option}${word(name)}`
    : option
      ? `add ${option.trim()}.`
      : 'leave --scope out.';
  return `${HAVING[String(scope)]}: ${step}`;
}

/** The last lines of a server's stderr, already made safe to show. */
function stderrText(a: FaultArgs): string {
  const lines = Array.isArray(a.stderr) ? a.stderr : [];
  return lines.length > 0 ? `. Its last words:\n${lines.map((line) => `    ${line}`).join('\n')}` : '';
}

/** What is wrong with a text that should be JSON or TOML. */
const SYNTAX = {
  word: 'a word that JSON does not know; texts stand in double quotes',
  'single-quote': 'single quotes; texts stand in double quotes',
  number: 'a number that is written in no way allowed here',
  name: 'expected a name in double quotes',
  value: 'expected a value',
  colon: "expected ':' after a name",
  comma: "expected ',' or a closing bracket",
  'open-object': "expected '}': an object is never closed",
  'open-list': "expected ']': a list is never closed",
  'after-end': 'something follows after the end of the document',
  comment: 'a comment, and none may stand here',
  'open-comment': 'a comment that is never closed',
  'open-text': 'a text that is never closed, or goes on behind the end of its line',
  unicode: 'an escape \\u without its hexadecimal digits',
  escape: 'a backslash that begins no known escape; a backslash itself is written \\\\',
  control: 'a control character within a text; a tab is written \\t',
  'trailing-comma': 'a comma after the last item',
  bom: 'it begins with a byte order mark',
  empty: 'it is empty',
  key: 'a key that may not stand at top level',
  'toml-twice': 'a name or table that was defined before',
  'toml-comma': "expected ',' or the closing bracket",
  'toml-header': "expected ']]' at the end of a table's name",
  'toml-line': 'expected the end of the line',
  'toml-equals': "expected '=' after a name, or ']' after a table's",
  'toml-name': 'expected a name',
  'toml-bare': "a character that no name holds outside quotes; is ']' or '=' missing before it?",
  'toml-value': 'expected a value; texts stand in quotes',
  'toml-date': 'a date or time that does not exist',
  other: 'a syntax error',
} as const;

export type SyntaxCode = keyof typeof SYNTAX;

/** Whether a client reads it is said by the fault; `a.found` is what stands at the place. */
function syntaxText(a: FaultArgs): string {
  const reason = String(a.reason);
  const words = Object.hasOwn(SYNTAX, reason) ? SYNTAX[reason as SyntaxCode] : reason;
  if (!a.found || !words.startsWith('expected')) return words;
  return `${words}, found ${a.found === 'end' ? 'the end of the file' : a.found}`;
}

/** What the system says of a file that can't be read. */
const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'its path leads through something that is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'no permission',
  EPERM: 'no permission',
  ELOOP: 'its symlinks lead in a circle',
};

const unreadableText = ({ reason }: FaultArgs): string =>
  `can't be read: ${SYSTEM[String(reason)] ?? reason}`;

const WORDING = {
  // command line
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
    fix: () => "Run 'mcphooks --help' for the commands and options.",
  },

  // declarations
  'decl.type': {
    what: (a) => `expected ${a.expected}, found ${a.got}: ${a.value}`,
    fix: () => "What each key takes: 'mcphooks schema declarations'.",
  },
  'decl.missing': {
    what: (a) => `'${a.key}' is required and missing`,
    fix: () => "Add it; what it takes: 'mcphooks schema declarations'.",
  },
  'decl.unknown-key': {
    what: (a) => `unknown key '${a.key}'`,
    fix: (a) => (a.near ? `Did you mean '${a.near}'?` : `Allowed here: ${list(a.allowed)}.`),
  },
  'decl.choice': {
    what: (a) => `${a.value} is not one of the allowed values`,
    fix: (a) => `${a.near ? `Did you mean '${a.near}'? ` : ''}Allowed: ${list(a.allowed)}.`,
  },
  'decl.empty': { what: (a) => `'${a.key}' is empty`, fix: () => 'Give it a text, or leave the key out.' },
  'decl.both': {
    what: () => 'both context and context_tool are given',
    fix: () => 'Keep one: context for a fixed text, context_tool for the answer of a tool.',
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
    what: (a) => `a matcher has no meaning on ${a.event}`,
    fix: () => 'A matcher belongs to pre_tool_use and post_tool_use; leave it out here.',
  },
  'decl.too-long': {
    what: (a) => `${a.length} characters, at most ${a.max} are allowed`,
    fix: () => 'Shorten it; for texts the limit can be raised with --max-text.',
  },
  'decl.none': {
    what: () => 'its list of declarations is empty',
    fix: () => 'Add at least one; docs/authors.md shows how.',
  },
  'decl.too-many': {
    what: (a) => `${a.count} declarations, at most ${a.max} are allowed`,
    fix: () => 'Raise the limit with --max-declarations.',
  },
  'decl.glob': {
    what: (a) => `${a.stars} wildcards '*' in one pattern, at most ${a.max} are allowed`,
    fix: () => 'Use fewer wildcards, or several declarations.',
  },
  'decl.depth': { what: (a) => `nested deeper than ${a.max} levels`, fix: () => 'Make it flatter.' },
  'decl.invisible': {
    what: (a) => `characters that a reader can't see (${list(a.characters)}): ${a.value}`,
    fix: () => 'Remove them, or allow them with --allow-invisible.',
  },
  'decl.more': { what: (a) => `and ${a.count} more` },
  'decl-file.unreadable': {
    what: unreadableText,
    fix: (a) => nearOrKnown(a, '') ?? 'Name a JSON file of declarations.',
  },
  'decl-file.syntax': {
    what: (a) => `not valid JSON: ${syntaxText(a)}`,
    fix: () => 'Mend the file at this place.',
  },

  // config
  'config.unreadable': { what: unreadableText, fix: () => 'Mend that, or remove the file.' },
  'config.syntax': {
    what: (a) => `not valid JSON: ${syntaxText(a)}`,
    fix: () => 'Mend the file at this place.',
  },
  'config.key': {
    what: (a) => `unknown key '${a.key}'`,
    fix: (a) => (a.near ? `Did you mean '${a.near}'?` : `Allowed here: ${list(a.allowed)}.`),
  },
  'config.value': {
    what: (a) => `${a.value} is not ${a.expected}`,
    fix: () => "What each key takes: 'mcphooks schema config'.",
  },

  // server
  'server.not-found': {
    what: (a) =>
      `no server named '${a.name}'${a.from ? ` in ${a.from}` : ''}${Array.isArray(a.looked) ? `. Looked at: ${list(a.looked)}` : ''}${
        Array.isArray(a.broken) && a.broken.length > 0 ? `. Not readable: ${list(a.broken)}` : ''
      }`,
    fix: (a) => {
      const meant = a.near ? `Did you mean '${a.near}'? ` : '';
      const known = Array.isArray(a.known) && a.known.length > 0 ? `Known here: ${list(a.known)}. ` : '';
      return `${meant}${known}Or say how to reach it: 'mcphooks install ${a.name} -- <command>' or --url <url>.`;
    },
  },
  'server.off': {
    what: (a) => `'${a.name}' is switched off in ${a.client}`,
    fix: () => 'Switch it on there, or name another client with --from.',
  },
  'server.ambiguous': {
    what: (a) => `several plugins have a server '${a.name}'`,
    fix: (a) => `Use its whole name: ${list(a.names)}.`,
  },
  'server.disagree': {
    what: (a) =>
      `clients define '${a.name}' differently:\n${(Array.isArray(a.definitions) ? a.definitions : []).map((d) => `  ${d}`).join('\n')}`,
    fix: () => 'Say whose definition to use with --from <client>.',
  },
  'server.file-unreadable': {
    what: unreadableText,
    fix: () => 'Its client can read it no better; mend that.',
  },
  'server.file-syntax': {
    what: (a) => `can't be parsed: ${syntaxText(a)}`,
    fix: () => 'Mend the file at this place; its client ignores or refuses it too.',
  },
  'server.no-hooks': {
    what: (a) =>
      `'${a.name}' was reached${a.server ? ` (it calls itself '${a.server}')` : ''} and declares no hooks: nothing in capabilities.hooks, capabilities.experimental.hooks or the extensions, asked with initialize and server/discover`,
    fix: () =>
      'Most servers of today declare none. To give it some, write them to a file: --declarations <file>.',
  },
  'server.empty-hooks': {
    what: (a) => `'${a.name}' declares an empty list of hooks in capabilities.${a.place}`,
    fix: () => 'To give it some, write them to a file: --declarations <file>.',
  },
  'server.start-failed': {
    what: (a) => `could not start ${a.shown}: ${a.reason}`,
    fix: () => 'Check the command and the folder; it is started as the client would start it.',
  },
  'server.died': {
    what: (a) => `the server ended (${a.how}) before it answered ${a.step}${stderrText(a)}`,
    fix: (a) => `Started with: ${a.shown}`,
  },
  'server.timeout': {
    what: (a) => `no answer to ${a.step} within ${a.seconds} s${stderrText(a)}`,
    fix: (a) => `Reached with: ${a.shown}. More time: --timeout <seconds>.`,
  },
  'server.too-big': {
    what: (a) => `the answer to ${a.step} is larger than ${a.max} MB${stderrText(a)}`,
    fix: (a) => `Reached with: ${a.shown}`,
  },
  'server.garbage': {
    what: (a) => `the answer to ${a.step} makes no sense: ${a.got}${stderrText(a)}`,
    fix: (a) => `Reached with: ${a.shown}. Is it an MCP server?`,
  },
  'server.refused': {
    what: (a) => `the server refused to talk: ${list(a.answers)}${stderrText(a)}`,
    fix: (a) => `Reached with: ${a.shown}`,
  },
  'server.places-differ': {
    what: (a) =>
      `the server declares different hooks in different places:\n${(Array.isArray(a.documents) ? a.documents : []).map((d) => `  ${d}`).join('\n')}`,
    fix: () => 'Only its author can say which is meant; they must be equal, or all but one left out.',
  },
  'server.url': {
    what: (a) => `not a URL of an MCP server: ${a.url} (${a.reason})`,
    fix: () => 'Give one like https://example.org/mcp.',
  },
  'server.plain-http': {
    what: (a) => `${a.url} would send everything unencrypted to another machine`,
    fix: () => 'Use https://; http:// is for this machine alone.',
  },
  'server.sse': {
    what: (a) =>
      `${a.url} is an SSE server, the transport before Streamable HTTP, which mcphooks doesn't speak`,
    fix: () => 'If the server also has a Streamable HTTP endpoint, give it with --url.',
  },
  'server.unreachable': {
    what: (a) => `could not reach ${a.shown}: ${a.reason}`,
    fix: () => 'See whether the server runs, and listens there.',
  },
  'server.unauthorized': {
    what: (a) => `${a.shown} answered ${a.status}: it wants credentials that mcphooks was not given`,
    fix: () =>
      "Name them in the client's file or with --header 'Authorization: Bearer ${VARIABLE}'; a sign-in that only the client holds (OAuth) can't be used.",
  },
  'server.redirect': {
    what: (a) => `${a.shown} redirects to ${a.to}, which is not followed`,
    fix: () => 'If that is the intended server, give its URL.',
  },
  'server.held': {
    what: (a) => `only the client has access to '${a.name}' (${a.by})`,
    fix: () => 'Take its declarations from a file: --declarations <file>.',
  },
  'tool.missing': {
    what: (a) => `the server has no tool '${a.tool}'`,
    fix: (a) => (a.near ? `Did you mean '${a.near}'?` : `Its tools: ${list(a.known)}.`),
  },
  'tool.none': {
    what: (a) => `'${a.tool}' is to be called, but the server lists no tools`,
    fix: () =>
      'Only its author can mend that; until then, write the other hooks to a file: --declarations <file>.',
  },

  // edit
  'edit.unreadable': {
    what: (a) => `the client that owns this file does not read it: ${syntaxText(a)}; it is left untouched`,
    fix: () => 'Mend the file at this place and run the command again.',
  },
  'edit.conflict': {
    what: () => 'a merge conflict; the file is left untouched',
    fix: () => 'Decide for one side, or merge both by hand, and run the command again.',
  },
  'edit.unsupported-shape': {
    what: (a) => `${a.at} is not ${a.wants}`,
    fix: () => 'Write it in that shape, or take it out, and run the command again.',
  },
  'edit.too-deep': {
    what: () => 'nested too deeply, or with a string too long, to be edited safely',
    fix: () => 'Make the file flatter, or move the text into a file of its own.',
  },
  'edit.too-large': {
    what: (a) =>
      `with our hooks the file would have ${a.bytes} bytes; its client drops files above ${a.most}`,
    fix: () => 'Shorten the file first.',
  },
  'edit.verify': {
    what: () =>
      'the edited text did not read as the old file plus exactly our entries, so nothing was written',
    fix: () => 'Please report this file (without its secrets) as a bug.',
  },

  // apply
  'apply.stale': {
    what: () => 'the file changed while the change was being prepared; nothing was written',
    fix: () => 'Run the command again.',
  },
  'apply.read-only': {
    what: () => 'the file is read-only, so it is left alone; nothing was written',
    fix: () => 'Make it writable (chmod u+w), or choose another --scope.',
  },
  'apply.denied': {
    what: (a) => `no permission (${a.code}); nothing was written`,
    fix: () => 'Check who owns the file and its folder, and their modes.',
  },
  'apply.disk-full': {
    what: (a) => `no space left on the disk (${a.code}); nothing was written`,
    fix: () => 'Make room and run the command again.',
  },
  'apply.failed': {
    what: (a) => `the file system refused (${a.code}); nothing was written`,
    fix: () =>
      'See whether the path is a mount point, marked immutable, or led through something that is no folder.',
  },
  'apply.not-a-file': {
    what: () => 'this is not a regular file, so it is left alone',
    fix: () => 'Put a regular file there, or a symlink to one, and run the command again.',
  },
  'apply.dangling': {
    what: (a) => `the symlink leads to ${a.link}, whose folder does not exist`,
    fix: () => 'Create that folder, or remove the link.',
  },
  'apply.same-file': {
    what: (a) => `this is the same file as ${a.other}, which the same change would write`,
    fix: () => 'Install into one of them at a time.',
  },
  'apply.unfinished': {
    what: (a) => `a change stopped half way (${a.code}), and could not be taken back yet`,
    fix: () => 'Mend this and run any mcphooks command: it will finish.',
  },
  'apply.left-alone': {
    what: () => 'an interrupted run was ended, but this file had been changed since and was left as it is',
    fix: () => "See 'mcphooks diff' for what is missing in it.",
  },
  'apply.taken-back': {
    what: (a) => `an interrupted run could not be finished (${a.code}), so its changes were taken back`,
    fix: () => 'Run its command again.',
  },
  'apply.journal-newer': {
    what: (a) => `a newer mcphooks was interrupted here (journal format ${a.format})`,
    fix: () => 'Run that version once: it ends its own change.',
  },
  'apply.journal-damaged': {
    what: () => 'the journal of an interrupted run cannot be read',
    fix: () => "Look for files named .mcphooks-* beside your clients' settings, then remove the journal.",
  },
  'apply.journal-foreign': {
    what: (a) => `this journal of an interrupted run names what no run in this project changes: ${a.path}`,
    fix: () => 'It came with the project, or the project was moved: look into it, then remove it.',
  },
  'apply.locked': {
    what: (a) => `process ${a.pid} on ${a.host} has held the lock since ${a.since}; waited ${a.seconds} s`,
    fix: () => 'Wait for it, or end it. If it is not mcphooks, remove the lock file.',
  },
  'record.damaged': {
    what: () => 'the record cannot be read; it is kept aside, and a new one is begun',
    fix: () => "Entries are still recognised in the clients' files: 'mcphooks list' shows them.",
  },
  'record.newer': {
    what: (a) => `the record was written by a newer mcphooks (schema ${a.schema}); nothing was changed`,
    fix: () => 'Use that version, or a later one.',
  },

  // export
  'export.not-empty': {
    what: (a) => `the folder holds something that is no earlier export of '${a.name}': ${list(a.found)}`,
    fix: () => 'Name an empty or a new folder with --out.',
  },
  'export.not-a-folder': {
    what: (a) => `can't be used as a folder (${a.reason})`,
    fix: () => 'Name an empty or a new folder with --out.',
  },
  'export.edited': {
    what: (a) => `changed since it was exported, and would be overwritten: ${list(a.files)}`,
    fix: () => 'Keep what you need of them elsewhere, remove them, and run the command again.',
  },
  'export.formats': {
    what: (a) => `${list(a.formats)} need different contents in one file`,
    fix: () => 'Export them into folders of their own.',
  },
  'export.no-definition': {
    what: (a) => `nothing says how '${a.name}' is reached, so it can't be put into the plugin`,
    fix: () => 'Say it with -- <command> or --url, or leave --with-server out.',
  },
  'export.machine-path': {
    what: (a) => `the server's definition names places of this machine: ${list(a.places)}`,
    fix: () => 'Say how any machine reaches it with -- <command> or --url, or leave --with-server out.',
  },
  'export.secret': {
    what: (a) => `the server's definition holds a secret itself: ${list(a.places)}`,
    fix: () => "Name an environment variable instead, e.g. --header 'Authorization: Bearer ${TOKEN}'.",
  },
  'export.inexpressible': {
    what: (a) => `${a.client} has no way to write ${a.what} in a plugin`,
    fix: () => 'Leave --with-server out, or reach the server in another way.',
  },

  // project
  'lock.conflict': {
    what: () => 'a merge conflict',
    fix: () =>
      "Take one side of the whole file ('git checkout --ours' or '--theirs'), then run 'mcphooks install --scope project <server>' for the servers of the other.",
  },
  'lock.syntax': {
    what: (a) => `not JSON (${a.reason})`,
    fix: () => 'Take the file back from git, or mend it at this place.',
  },
  'lock.newer': {
    what: (a) => `written by a later mcphooks (lockfileVersion ${a.version})`,
    fix: () => 'Use that version, or a later one.',
  },
  'lock.damaged': {
    what: (a) => `no lock file of mcphooks: ${a.path} is missing or has another shape`,
    fix: () => 'Take the file back from git, or remove it and install anew.',
  },
  'lock.edited': {
    what: (a) =>
      `the declarations of '${a.name}' were edited here, and no longer have the hash that was locked`,
    fix: () => 'Take the file back from git. To change hooks, change them in the server and install again.',
  },
  'lock.unlisted': {
    what: (a) => `holds hooks of '${a.name}', of which the lock file says nothing`,
    fix: (a) => `Install them again or take them out: 'mcphooks uninstall --scope project ${a.name}'.`,
  },
  'lock.none': {
    what: () => 'this project has no lock file, so there is nothing to install',
    fix: () =>
      "Install a server for the project first: 'mcphooks install --scope project <server>', and commit what it writes.",
  },
  'lock.not-in': {
    what: (a) => `the lock file has no server '${a.name}'`,
    fix: (a) => `It has: ${list(a.known)}.`,
  },
  'lock.differs': {
    what: (a) => `what the lock file holds of '${a.name}' can't be installed as it is: ${list(a.what)}`,
    fix: (a) =>
      `Run 'mcphooks install --scope project ${a.name}' without --frozen, and commit what it writes.`,
  },
  'project.outside': {
    what: (a) => `leads out of the project, to ${a.to}`,
    fix: () => 'Put a file of the project there instead of the link.',
  },
  'project.linked': {
    what: (a) => `is reached by a symbolic link, and is ${a.to}`,
    fix: () => 'Remove the link: mcphooks follows none to its own files in a project.',
  },
  'project.not-ours': {
    what: () => 'is no file that mcphooks writes in a project',
    fix: () => 'Leave it out.',
  },
  'project.outside-file': {
    what: () => 'lies outside of the project, so that others would not have it',
    fix: () => 'Put it into the project and name it there.',
  },
  'project.home': {
    what: (a) => `${a.root} is no project: ${a.client} keeps your own settings there`,
    fix: () => "Run this in a project's folder, or leave --scope out.",
  },
  'project.own-machine': {
    what: (a) =>
      `'${a.name}' is configured on your machine only (${list(a.files)}), so nobody else's hooks could reach it`,
    fix: (a) =>
      `Configure it in the project, e.g. in ${list(a.places)}, or say how anyone reaches it with -- <command> or --url.`,
  },
  'project.machine-path': {
    what: (a) => `how the server is reached names places of this machine: ${list(a.places)}`,
    fix: () => 'Say it in a way that holds on every machine, such as a program on PATH.',
  },

  // plan
  'plan.path-forbidden': {
    what: (a) => `${a.client} would rewrite '${a.text}' in the path of a hook: ${a.path}`,
    fix: () => 'Set XDG_DATA_HOME to a folder whose path has no such characters.',
  },
  'plan.not-installed': {
    what: (a) =>
      `no hooks of '${a.name}' are installed${a.elsewhere || a.scope !== 'user' ? FOR[String(a.scope)] : ''}`,
    fix: (a) =>
      elsewhereText(a) ??
      nearOrKnown(a, 'Installed are') ??
      `Install them with: mcphooks install ${installed(a)}`,
  },
  'plan.no-client': {
    what: () => 'none of the clients is found here',
    fix: (a) => `Name one: --client ${list(a.known)}.`,
  },
  'plan.no-scope': {
    what: (a) => `${a.client} has no ${a.scope} scope for hooks`,
    fix: (a) =>
      `Leave it out with --client, or use ${a.scope === 'local' ? '--scope project or --scope user' : '--scope user'}.`,
  },
  'plan.plugin-taken': {
    what: (a) => `${a.client} has another plugin in the folder ${a.folder}`,
    fix: () => 'Remove that plugin as it was installed, or use --target settings.',
  },
  'plan.unreadable': {
    what: unreadableText,
    fix: () => 'Check who owns the file and its folder, and their modes.',
  },
  'plan.nothing-installable': {
    what: (a) => `none of the hooks of '${a.name}' can be installed on these clients; the plan says why`,
    fix: () => 'Name other clients with --client, or allow what the plan says is left out.',
  },
  'given.secret': {
    what: (a) =>
      `${list(a.places)}: holds a secret itself, and hooks that call tools would need it written to disk`,
    fix: () =>
      "Name an environment variable instead, e.g. --header 'Authorization: Bearer ${TOKEN}' or -- <command> --token '${TOKEN}'.",
  },
  'given.forgotten': {
    what: (a) =>
      `'${a.name}' was reached with a secret on the command line, which is not kept: what was approved is used`,
    fix: () => 'To ask the server again, give the same --url or -- <command>.',
  },
  'fire.altered': {
    what: (a) =>
      `what stands in the project for '${a.name}' is not what this mcphooks would write, so it is not run`,
    fix: (a) =>
      `'mcphooks diff --scope project' shows it; 'mcphooks install --scope project ${a.name}' mends it.`,
  },
  'gate.project-start': {
    what: (a) =>
      `a file of this project says how to reach '${a.name}', and that was not approved: ${a.shown}`,
    fix: (a) => `When you trust this command, add --allow-start ${a.hash}.`,
  },
  'consent.none': {
    what: () => 'not approved, so nothing was written',
    fix: () => 'Approve the plan with --yes.',
  },
  'consent.declined': { what: () => 'not approved, so nothing was written' },
  'consent.changed': {
    what: (a) => `${list(a.what)} of '${a.name}' changed since you approved them, so nothing was written`,
    fix: () => 'Read the plan, then approve it with --yes --accept-changed.',
  },
  'consent.control': {
    what: (a) =>
      `--handler mcp_tool lets answers of '${a.name}' deny, approve and rewrite what the agent does, and that was not granted`,
    fix: (a) => `When you trust it that far, add --grant-control ${a.name}.`,
  },
  'consent.tool-data': {
    what: (a) =>
      `hooks of '${a.name}' send what tools are given and answer to the server; that needs a word of its own`,
    fix: () => 'Allow it with --send-tool-data, or leave those hooks out with --skip.',
  },
  'plan.not-utf8': {
    what: () => 'not valid UTF-8, so it is left alone',
    fix: () => 'Save the file as UTF-8.',
  },
} satisfies Record<string, Wording>;

export type FaultCode = keyof typeof WORDING;

/** What gives hooks to a client besides an install. */
function coverText({ by, where }: FaultArgs): string {
  const words: Readonly<Record<string, string>> = {
    user: 'your own install gives these hooks here',
    project: 'the project has these hooks',
    local: 'you have these hooks in this project (--scope local)',
  };
  return words[String(by)] ?? `the ${by} ${where} gives these hooks`;
}

/** Why a hook comes out on a client as it does: one line in the plan, in the user's terms. */
const NOTES = {
  'late.with-result': () => "read with the tool's result, not before it runs",
  'late.after-call': () => "read with the tool's result: it takes no text before a call",
  'late.tool-called-after': () => 'its tool is called after the tool that it is about',
  'deferred.next-prompt': () => 'kept when the turn ends, given with the next prompt of the same session',
  'deferred.next-session': () => "kept when the session ends, given when the project's next one starts",
  'unsupported.session-end': () =>
    'the session is over by then; --session-end defer gives it to the next one',
  'unsupported.client-holds-access': () =>
    "only the client holds the access to this server (OAuth or a header helper), so a shim can't call its tool",
  'unsupported.no-definition': () =>
    'it calls a tool, and nothing says how to reach the server: add -- <command> or --url',
  'skipped.by-choice': () => 'left out by --only or --skip',
  'skipped.post-request': () => 'left out by --post-request skip',
  'never.no-such-server': (a: FaultArgs) =>
    `this client has no MCP server '${a.name}', so it could never fire`,
  'never.ambiguous-server': (a: FaultArgs) =>
    `this client gives the tools of '${a.name}' and of another server the same names, so it could fire for the wrong one`,
  'never.native-name': (a: FaultArgs) =>
    `'${a.name}' is a client's own word, and hooks go by common names (${a.names}), so it could never fire`,
  'never.no-such-tool': (a: FaultArgs) => `this client has no tool that does what '${a.name}' does`,
  'priority.lowered': (a: FaultArgs) => `${a.from} is lowered to ${a.to}; --max-priority ${a.from} keeps it`,
  'flag.every-tool': () => 'fires on every tool call: neither a matcher nor --cooldown holds it back',
  'budget.gives-way': (a: FaultArgs) =>
    `gives way, whole or in part, when all texts of the event fire at once: together they have room for ${a.budget}`,
  'export.own-server': () => "its tool is called on the plugin's own server, which the hook starts once more",
  'export.known-server': (a: FaultArgs) =>
    `its tool is called only where the user's own configuration reaches '${a.name}' in this very way; --with-server brings it along`,
  'export.variables': (a: FaultArgs) =>
    `the server gets ${list(a.names)} from the environment of each machine: values are not exported`,
  'handler.control': () =>
    "the client calls the tool itself, and the server's answer is a control document: it can deny, approve or rewrite what the agent does; no naming lines, no limits, no --cooldown, no switching off",
  'handler.not-here': () => "stays a shim: this client's mcp_tool handler delivers no text at this event",
  'handler.server-unknown': () => 'stays a shim: this client has no server of that name to call',
  'handler.no-document': () =>
    "stays a shim: the tool's output schema has no hookSpecificOutput, and plain text of an mcp_tool handler reaches no model here",
  'handler.condition': () => 'stays a shim: only a shim can look for input_contains or hold a cooldown',
  'handler.null': () => 'stays a shim: its arguments hold null, which this client cannot read there',
  'handler.dollar': () => "stays a shim: its arguments hold '${', which the client would replace",
  'handler.variable': () => 'stays a shim: its arguments use a template that the client cannot fill in',
  'file.stays': (a: FaultArgs) =>
    `its entries stand in ${a.file} already and stay there; to move them, uninstall first, then install with --codex-file`,
  'file.second': (a: FaultArgs) =>
    `hooks stand in ${a.other}, too: those of both files run, and ${a.client} warns of that at each start`,
  'target.none': (a: FaultArgs) =>
    `${a.client} loads no plugins from a folder by itself: its hooks stand in its own file`,
  'target.too-old': (a: FaultArgs) =>
    `${a.client} ${a.found} loads no plugins from this folder: ${a.since} or newer does`,
  'target.untrusted-too': () =>
    "an extension's hooks run in folders that you don't trust, too: more than hooks in settings may",
  'across.covered': (a: FaultArgs) => `already covered: ${coverText(a)}`,
  'across.project-silent': () => "the project has these hooks, too; here they are silent beside one's own",
  'across.local-silent': () =>
    'they are installed for you in this project, too (--scope local), and are silent there beside these',
  'across.user-speaks': () =>
    'you have these hooks yourself, too: on this machine those speak, and what the project has is silent',
  'across.twice': (a: FaultArgs) => `on this machine they are given twice: ${coverText(a)}`,
  'version.unproved': (a: FaultArgs) =>
    `${a.client} ${a.found} was not tried (tried: ${a.oldest} to ${a.newest})`,
} satisfies Record<string, (a: FaultArgs) => string>;

export type NoteCode = keyof typeof NOTES;

export function noteText(note: { code: NoteCode; args: FaultArgs }): string {
  const wording: (a: FaultArgs) => string = NOTES[note.code];
  return wording(shownArgs(note.args));
}

/** Arguments may come from servers and from files of strangers: they add no lines and no terminal sequences. */
function shownArgs(args: FaultArgs): FaultArgs {
  const shown = (v: FaultArgs[string]): FaultArgs[string] =>
    typeof v === 'string' ? oneLine(v) : typeof v === 'number' ? v : v.map(oneLine);
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, shown(value)]));
}

/** Said once while another mcphooks holds the lock. */
export function waitingText(file: string, pid: number | undefined): string {
  return `Waiting for another mcphooks${pid === undefined ? '' : ` (process ${pid})`} to finish; it holds ${file}`;
}

/** What a user has to do before hooks act. */
const STEPS = {
  'plugin.node':
    'The hooks need node 20.17 or newer on the PATH of each machine; where there is none they say nothing.',
  'plugin.claude':
    "Claude Code: check it with 'claude plugin validate --strict', try it with 'claude --plugin-dir', or list it in a marketplace.",
  'plugin.codex':
    "Codex: list it in a marketplace ('codex plugin marketplace add', 'codex plugin add'); its hooks act after each user has trusted them with /hooks.",
  'plugin.gemini':
    "Gemini CLI: 'gemini extensions install' it. Hooks of an extension run in folders that are not trusted, too.",
  'claude.project':
    "Claude Code reads a project's hooks only when it is started in this very folder, not in one below; 'claude -p' runs them without asking.",
  'codex.project':
    "Codex reads a project's hooks, in subfolders too, once each user has trusted the project.",
  'gemini.project':
    "Gemini CLI reads a project's hooks only when it is started in this very folder, and when each user has trusted it; new ones are named in a warning once.",
  'local.ignored':
    'Keep the file of --scope local out of git, by a line in .gitignore or .git/info/exclude: it names places of this machine.',
  'local.others': 'Clients without a file for your own hooks in a project are left out.',
  'claude.restart': 'Claude Code loads plugins when it starts: restart running sessions.',
  'codex.trust':
    "Codex runs new or changed hooks only after you have trusted them: start 'codex' and choose 'Trust', or use /hooks.",
  'gemini.restart': 'Gemini CLI reads its settings when it starts: restart running sessions.',
  'gemini.trust': 'Gemini CLI runs hooks of settings files only in folders that you trust.',
} as const;

export type NextStep = keyof typeof STEPS;

export function stepText(step: NextStep): string {
  return STEPS[step];
}

/** `file:line:column` or a JSON path, or both; empty when a fault has no place. */
export function whereText(w: Where): string {
  const file = w.file && [w.file, w.line, w.column].filter((x) => x !== undefined).join(':');
  return oneLine([file, w.path].filter(Boolean).join(' '));
}

/** One fault as text for stderr: what, where, what to do. */
export function faultText(fault: Fault): string {
  return textOf(WORDING[fault.code], fault.args, fault.where);
}

function wordsOf({ what, fix }: Wording, given: FaultArgs): { what: string; fix?: string } {
  const args = shownArgs(given);
  return { what: what(args), ...(fix && { fix: fix(args) }) };
}

function textOf({ what, fix }: Wording, given: FaultArgs, place: Where): string {
  const where = whereText(place);
  const args = shownArgs(given);
  return [`${where ? `${where}: ` : ''}${what(args)}`, ...(fix ? [`  ${fix(args)}`] : [])].join('\n');
}

// lint
const NEEDLES: Readonly<Record<string, string>> = {
  line: 'a line break or tab is spelled \\n, \\r or \\t there',
  space: "there is no space after ':' and ',' there",
  quote: 'a quote within a text is spelled \\" there',
};

/** What an author should know of declarations that are valid: `mcphooks lint`. */
const WARNINGS = {
  'lint.every-tool': {
    what: (a) => `fires on every tool call: ${a.event} without a matcher that narrows it`,
    fix: () => 'Name the tool, or what its input has to contain, with a matcher.',
  },
  'lint.required': {
    what: (a) => `'required' is lowered to '${a.to}' unless the user says --max-priority required`,
    fix: () => `Write the text so that it works when it is lowered.`,
  },
  'lint.never-in-time': {
    what: (a) => `${a.event} reaches the model only later, or not at all, on every one of these clients`,
    fix: () => 'Write it so that it still makes sense at the next prompt or session.',
  },
  'lint.cut': {
    what: (a) =>
      `${a.length} ${a.unit} with its naming lines, and ${a.most} are given at once: cut on ${list(a.clients)}`,
    fix: () => 'Shorten it, or let a tool give what matters now.',
  },
  'lint.event-budget': {
    what: (a) =>
      `the texts of ${a.event} come to more than ${a.budget} on ${list(a.clients)}, and this one gives way first`,
    fix: () => 'Shorten them, or give the one that matters most a higher priority.',
  },
  'lint.session-budget': {
    what: (a) =>
      Number(a.times) < 1
        ? `takes more than the ${a.budget} that a server has in one session`
        : `the ${a.budget} that a server has in one session are used up when it was given ${a.times} times`,
    fix: () => 'Shorten it, or narrow when it fires.',
  },
  'lint.duplicate': {
    what: (a) => `the same as declaration ${a.first}, so the model reads it twice`,
    fix: () => 'Leave one out.',
  },
  'lint.not-a-glob': {
    what: (a) => `'${a.name}' is no name that a tool can have, nor a glob`,
    fix: () =>
      "'*' and '?' are the only wildcards; every other character stands for itself. For several tools, write several declarations.",
  },
  'lint.native-name': {
    what: (a) =>
      `'${a.name}' is ${a.client}'s own name; declarations are matched by the common names, so this never fires`,
    fix: (a) => `The common name: ${list(a.names)}. It becomes each client's own.`,
  },
  'lint.tool-unknown': {
    what: (a) => `no client's table has a tool '${a.name}'`,
    fix: (a) =>
      a.near
        ? `Did you mean '${a.near}'? Names are case-sensitive.`
        : 'It fires only in a client that calls a tool exactly so.',
  },
  'lint.tool-some': {
    what: (a) => `'${a.name}' has no counterpart on ${list(a.clients)}, so it never fires there`,
    fix: () =>
      'Nothing to do if that is meant; else declare it for a tool that all have too, like Bash or Edit.',
  },
  'lint.server-mismatch': {
    what: (a) => `'${a.name}' is no tool of the server '${a.server}' that tool_server asks for`,
    fix: () => "With tool_server, tool_name is the tool's own name at that server.",
  },
  'lint.server-other': {
    what: (a) => `fires only where the user calls another server '${a.name}'`,
    fix: () =>
      'If this very server is meant, use the name that it gives in serverInfo: it becomes the name that the user gave it.',
  },
  'lint.needle-never': {
    what: (a) =>
      `never found: it is looked for in the compact JSON of the input, and ${NEEDLES[String(a.trouble)]}`,
    fix: () => 'Look for a shorter piece without it, such as a command.',
  },
  'lint.args-missing': {
    what: (a) => `'${a.tool}' requires ${list(a.keys)}`,
    fix: () => 'Add it to context_tool_args; a call that fails gives the model nothing.',
  },
  'lint.args-unknown': {
    what: (a) => `'${a.tool}' has no argument '${a.key}'`,
    fix: (a) => (a.near ? `Did you mean '${a.near}'?` : `Its arguments: ${list(a.known)}.`),
  },
  'lint.args-type': {
    what: (a) => `${a.got} is given where the tool takes ${a.expected}`,
    fix: () => 'Give what its inputSchema names; a template always gives a string.',
  },
  'lint.tool-data': {
    what: () =>
      'sends what tools are given or answer to the server; users have to allow that with --send-tool-data',
    fix: () => 'Leave it out unless the tool needs it: it may hold secrets.',
  },
  'lint.tool-data-remote': {
    what: (a) =>
      `sends what tools are given or answer over the network to ${a.host}; users have to allow that with --send-tool-data`,
    fix: () => 'Leave it out unless the tool needs it: it may hold secrets.',
  },
  'lint.variable-unknown': {
    what: (a) => `${a.name} is no template variable, so it stays as it is written`,
    fix: (a) => (a.near ? `Did you mean ${a.near}?` : 'Nothing to do if the braces are meant as text.'),
  },
  'lint.variable-unavailable': {
    what: (a) => `${a.name} has no value at ${a.event}, so it stays as it is written`,
    fix: () =>
      'tool_name and tool_input have one at pre_tool_use and post_tool_use, tool_output at post_tool_use alone.',
  },
} satisfies Record<string, Wording>;

export type WarningCode = keyof typeof WARNINGS;

/** What a warning says, and what to do; no place in it. */
export function warningWords({ code, args }: { code: WarningCode; args: FaultArgs }): {
  what: string;
  fix?: string;
} {
  return wordsOf(WARNINGS[code], args);
}

/** One warning as text: what, where, what to do. */
export function warningText(warning: { code: WarningCode; args: FaultArgs; where: Where }): string {
  return textOf(WARNINGS[warning.code], warning.args, warning.where);
}

// list, explain, doctor

/** When the model reads a text: `mcphooks explain`. */
const MOMENTS = {
  'first-prompt': 'with the first prompt of the session',
  prompt: 'together with each prompt',
  result: 'together with the result of the tool',
  'next-prompt': 'with the next prompt of the same session',
  'next-session': 'when the next session in the same project starts',
} as const;

export type Moment = keyof typeof MOMENTS;

export function momentText(moment: Moment): string {
  return MOMENTS[moment];
}

/** What a native event does for a hook: `mcphooks explain`. */
const STEP_DOES = {
  give: 'gives the text',
  keep: 'keeps the text for later',
  'give-kept': 'gives what was kept',
  'mark-turn': 'notes that the session had a turn',
  rearm: 'notes that a session starts',
  call: 'the client calls the tool itself',
} as const;

export function stepDoes(step: keyof typeof STEP_DOES): string {
  return STEP_DOES[step];
}

/** A name as one word of a command line. */
const word = (name: FaultArgs[string] | undefined): string =>
  /^[\w@:.,/+-]+$/.test(String(name)) ? String(name) : `'${String(name).replaceAll("'", "'\\''")}'`;

/** A server as the commands take it that act at one scope. */
const installed = (a: FaultArgs): string =>
  `${a.scope && a.scope !== 'user' ? `--scope ${a.scope} ` : ''}${word(a.name)}`;

const entries = (a: FaultArgs): string =>
  a.all === 1 ? 'the entry' : a.n === a.all ? `all ${a.all} entries` : `${a.n} of ${a.all} entries`;
const are = (a: FaultArgs): string => (a.n === 1 ? 'is' : 'are');

/** What stops hooks from firing, or is worth knowing: what it is, and the one step that mends it. */
const FINDINGS = {
  'doctor.disabled': {
    what: () => 'is disabled, so its hooks stay silent',
    fix: (a) => `mcphooks enable ${word(a.name)}`,
  },
  'doctor.environment': {
    what: (a) => `MCPHOOKS_DISABLE=${a.value} silences hooks of every client that is started from here`,
    fix: () => 'unset MCPHOOKS_DISABLE, then start the client anew',
  },
  'doctor.record': {
    what: () => 'what mcphooks remembers of installs cannot be read',
    fix: () => 'mcphooks install <server>, for each server: entries are recognised without it',
  },
  'doctor.unknown': {
    what: () => 'has entries in this file, and nothing is remembered of their install',
    fix: (a) =>
      `mcphooks install ${installed(a)} takes them over, mcphooks uninstall ${installed(a)} --edited takes them out`,
  },
  'doctor.interrupted': {
    what: () => 'a run of mcphooks was interrupted; its change is half done',
    fix: () => 'mcphooks list: every other command ends it first',
  },
  'doctor.no-client': {
    what: (a) => `is installed for, but there is no '${a.binary}' on PATH`,
    fix: (a) => `install ${a.client}, or add its folder to PATH; else mcphooks uninstall <server>`,
  },
  'doctor.no-version': {
    what: (a) => `'${a.binary} --version' does not say which version it is`,
    fix: (a) => `run '${a.binary} --version' and see what is wrong with it`,
  },
  'doctor.version-old': {
    what: (a) => `${a.found} is older than ${a.oldest}, the oldest version that hooks were tried on`,
    fix: (a) => `update ${a.client} to ${a.oldest} or later`,
  },
  'doctor.version-new': {
    what: (a) => `${a.found} is newer than ${a.newest}, the newest version that hooks were tried on`,
    fix: () => 'nothing, if mcphooks fire and the client agree',
  },
  'doctor.hooks-off': {
    what: (a) => `hooks are switched off by ${a.setting} = ${a.value}`,
    fix: (a) => (a.system === 1 ? 'ask who administers this machine' : `set ${a.setting} to ${a.wanted}`),
  },
  'doctor.plugin-off': {
    what: (a) => `its plugin is switched off in ${a.client}`,
    fix: (a) => `${a.undo}`,
  },
  'doctor.off-here': {
    what: (a) => `${entries(a)} ${are(a)} switched off in ${a.client}: ${list(a.names)}`,
    fix: () => 'switch them on in its /hooks',
  },
  'doctor.untrusted': {
    what: (a) => `${entries(a)} ${are(a)} not trusted yet, so ${a.client} passes over them without a word`,
    fix: (a) => `start '${a.binary}' once and choose to trust them, or use its /hooks`,
  },
  'doctor.modified': {
    what: (a) => `${entries(a)} changed since ${a.client} was told to trust them, so it passes over them`,
    fix: (a) => `start '${a.binary}' once, review and trust them again`,
  },
  'doctor.folder-untrusted': {
    what: (a) => `runs no hooks of settings files in ${a.folder}: that folder is not trusted`,
    fix: (a) => `start '${a.binary}' there and trust the folder (/permissions)`,
  },
  'doctor.project-untrusted': {
    what: (a) => `passes over the hooks of this project, ${a.folder}: it is not trusted`,
    fix: (a) => `start '${a.binary}' there and trust the project`,
  },
  'doctor.missing': {
    what: (a) => `${entries(a)} ${are(a)} missing: ${list(a.names)}`,
    fix: (a) => `mcphooks install ${installed(a)}`,
  },
  'doctor.edited': {
    what: (a) => `${entries(a)} ${are(a)} not as written: ${list(a.names)}`,
    fix: (a) =>
      `leave it if it is meant; else mcphooks uninstall ${installed(a)} --edited, then install it again`,
  },
  'doctor.own-gone': {
    what: (a) => `${a.n} ${a.n === 1 ? 'file of its shims is' : 'files of its shims are'} gone`,
    fix: (a) => `mcphooks install ${installed(a)}`,
  },
  'doctor.own-altered': {
    what: (a) =>
      `${a.n} ${a.n === 1 ? 'file of its shims is' : 'files of its shims are'} not what was written`,
    fix: (a) => `mcphooks install ${installed(a)}`,
  },
  'doctor.no-node': {
    what: (a) => `the node that shims were written for is gone (${a.node}), and there is none on PATH`,
    fix: (a) => `mcphooks install ${installed(a)}, with a node that stays`,
  },
  'doctor.node-moved': {
    what: (a) => `the node that shims were written for is gone (${a.node}); the one on PATH is used`,
    fix: (a) => `mcphooks install ${installed(a)}`,
  },
  'doctor.two-files': {
    what: (a) => `hooks stand in ${list(a.files)}: both run, and ${a.client} warns at each start`,
    fix: () => 'keep hooks in one of them',
  },
  'doctor.project-too': {
    what: () => 'has hooks in this project too, so its texts are given twice here',
    fix: () => 'keep one: uninstall it, or take the entries out of the project',
  },
  'doctor.project-silent': {
    what: () => 'has hooks in this project too: yours speak here, and those of the project stay silent',
  },
  'doctor.twice': {
    what: (a) => `is given twice here: by ${list(a.places)}`,
    fix: () => 'keep one of them',
  },
  'doctor.export-silent': {
    what: (a) => `comes as the ${a.by} ${a.where}, too, which is silent beside your own install`,
    fix: () => 'nothing; or keep one of them',
  },
  'doctor.definition.gone': {
    what: (a) =>
      `its definition is gone, or switched off${a.calls === 1 ? ', so hooks that call its tools stay silent' : ''}`,
    fix: (a) => `put it back, or mcphooks uninstall ${installed(a)}`,
  },
  'doctor.definition.changed': {
    what: (a) =>
      `is defined in another way than was approved${a.calls === 1 ? ', so hooks that call its tools stay silent' : ''}`,
    fix: (a) => `mcphooks install ${installed(a)}: read what changed, then approve it`,
  },
  'doctor.declarations.changed': {
    what: () => 'declares other hooks than were approved',
    fix: (a) => `mcphooks install ${installed(a)}: read what changed, then approve it`,
  },
  'doctor.options.changed': {
    what: () => 'would be installed with other options: your defaults changed',
    fix: (a) => `mcphooks install ${installed(a)}`,
  },
  'doctor.shim-failed': {
    what: (a) => `a shim ended without an answer at ${a.at}: ${a.shim}`,
    fix: (a) => `mcphooks fire ${installed(a)} <event> runs it as its client would`,
  },
} satisfies Record<string, Wording>;

export type FindingCode = keyof typeof FINDINGS;

/** What is wrong or worth knowing, and the step that mends it; no place in it. */
export function findingWords(finding: { code: FindingCode | FaultCode; args: FaultArgs }): {
  what: string;
  fix?: string;
} {
  return wordsOf({ ...WORDING, ...FINDINGS }[finding.code], finding.args);
}

/** Lines of the log of fires, by their codes. */
const INCIDENTS: Readonly<Record<string, string>> = {
  'data.unreadable': 'what stands beside its shim cannot be read',
  'payload.unreadable': 'what the client sent makes no sense',
  'text.sanitised': 'invisible characters were taken out',
  'text.cut': 'the text was cut',
  'text.dropped': 'the text gave way to others',
  'value.cut': 'a value of a template was cut',
  'budget.session': 'the session has had all that a server may say',
  'definition.changed': 'the server is defined in another way than was approved',
  'definition.missing': "the server's definition is gone",
  'tool.failed': 'its tool failed',
  'tool.slow': 'its tool was too slow',
  'tool.resting': 'its tool failed three times and rests for ten minutes',
  'fire.slow': 'the hook was too slow',
  'fire.failed': 'the hook failed',
};

/** Why `mcphooks fire` shows no text of a hook; incidents are worded above. `a.detail` is what the code speaks of. */
const SILENCES: Readonly<Record<string, (a: FaultArgs) => string>> = {
  disabled: (a) => `'${a.name}' is disabled; mcphooks enable ${word(a.name)} lets it speak again`,
  environment: (a) => `MCPHOOKS_DISABLE=${a.detail} silences it; unset it`,
  'client.other': (a) => `another program than ${a.client} runs the hook: there is ${a.detail}`,
  'client.calls': (a) => `${a.client} calls the tool itself, so there is no shim to run (--handler mcp_tool)`,
  'client.drops': (a) => `${a.client} drops what is given with this result (${a.detail}), so it waits`,
  'client.no-tool': (a) =>
    `${a.client} has no tool that does what '${a.detail}' does, so it never fires for it`,
  'client.not-installed': (a) =>
    `no hooks of '${a.name}' are installed for ${a.client}; mcphooks install ${word(a.name)} --client ${a.id}`,
  'event.undeclared': (a) => `'${a.name}' declares no hook at ${a.event}`,
  'prompt.sub-agent': (a) => `the prompt is a sub-agent's (${a.detail})`,
  'prompt.continuation': (a) => `${a.client} made this prompt itself, after a hook kept the turn from ending`,
  'matcher.tool': (a) =>
    `it wants the tool '${a.wants}', and ${a.detail ? `this is '${a.detail}'` : 'there is none'}`,
  'matcher.server': (a) =>
    `it wants a tool of the server '${a.wants}', and this is ${a.detail ? `one of '${a.detail}'` : 'none of an MCP server'}`,
  'matcher.input': (a) =>
    `it wants ${JSON.stringify(a.wants)} in the input, which is ${a.detail || 'not there'}`,
  'session.unknown': () => 'the payload names no session (session_id)',
  'session.had-it': () => 'the session had it already: it is given once, at the start',
  'session.no-turn': () => 'the session had no turn, and such a session leaves no text',
  cooldown: (a) => `it fired in this session less than ${a.detail} s ago (--cooldown)`,
  kept: (a) => `its text is kept ${a.until}`,
  'kept.nothing': () => 'no text was kept for this moment',
  'tool.empty': (a) => `its tool ${a.detail} answered without a text`,
  'noted.start': () => 'notes only that a session starts',
  'noted.turn': () => 'notes only that the session had a turn',
  'shim.gone': (a) => `its shim is gone; mcphooks install ${word(a.name)}`,
  'shim.failed': () => 'its shim ended without an answer; mcphooks doctor may say why',
  'shim.output': (a) => `its shim said something that ${a.client} does not take; mcphooks doctor may say why`,
};

/** Until when a text is kept, by its event. */
const KEPT_UNTIL: Readonly<Record<string, string>> = {
  post_request: 'for the next prompt',
  session_end: "for the project's next session",
};

/** A reason for silence in one sentence. Incidents add their detail. */
export function silenceText(code: string, args: FaultArgs): string {
  const a = shownArgs({
    ...args,
    until: KEPT_UNTIL[String(args.event)] ?? 'for the next tool call or prompt',
  });
  const wording = SILENCES[code];
  if (wording) return wording(a);
  return `${incidentText(code)}${a.detail ? ` (${a.detail})` : ''}`;
}

export function incidentText(incident: string): string {
  return INCIDENTS[incident] ?? oneLine(incident);
}

export { list as listText };
