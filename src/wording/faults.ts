import { once } from '../once.ts';
import type { Fault, FaultArgs } from './fault.ts';
import { installed, list, nearOrKnown, textOf, type Wording, word } from './words.ts';

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

/** Why a file can't be read; mostly the system's codes. */
const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'its path leads through something that is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'no permission',
  EPERM: 'no permission',
  UTF8: 'it is not UTF-8',
  ELOOP: 'its symlinks lead in a circle',
};

const unreadableText = ({ reason }: FaultArgs): string =>
  `can't be read: ${SYSTEM[String(reason)] ?? reason}`;

/** Every fault's words. Made when one is shown: most commands show none. */
export const wordings = once(
  () =>
    ({
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
      'decl.empty': {
        what: (a) => `'${a.key}' is empty`,
        fix: () => 'Give it a text, or leave the key out.',
      },
      'decl.both': {
        what: () => 'both context and context_tool are given',
        fix: () => 'Keep one: context for a fixed text, context_tool for the answer of a tool.',
      },
      'decl.neither': {
        what: () => 'neither context nor context_tool is given',
        fix: () =>
          'Add context (a fixed text) or context_tool (a tool of this server whose answer is the text).',
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
        what: (a) =>
          `the client that owns this file does not read it: ${syntaxText(a)}; it is left untouched`,
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
        what: () =>
          'an interrupted run was ended, but this file had been changed since and was left as it is',
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
        what: (a) =>
          `this journal of an interrupted run names what no run in this project changes: ${a.path}`,
        fix: () => 'It came with the project, or the project was moved: look into it, then remove it.',
      },
      'apply.locked': {
        what: (a) =>
          `process ${a.pid} on ${a.host} has held the lock since ${a.since}; waited ${a.seconds} s`,
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
        fix: () =>
          'Take the file back from git. To change hooks, change them in the server and install again.',
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
    }) satisfies Record<string, Wording>,
);

export type FaultCode = keyof ReturnType<typeof wordings>;

/** One fault as text for stderr: what, where, what to do. */
export function faultText(fault: Fault): string {
  return textOf(wordings()[fault.code], fault.args, fault.where);
}
