import { listed } from '../base/listed.ts';
import type { FaultArgs, Where } from './args.ts';
import {
  everyToolCall,
  list,
  listsNoTool,
  NO_DECLARATIONS,
  nearOrKnown,
  noClientHas,
  notAGlob,
  textOf,
  type Wording,
  wordsOf,
} from './words.ts';

const NEEDLES: Readonly<Record<string, string>> = {
  line: 'a line break or tab is written as \\n, \\r or \\t there',
  space: "there is no space beside ':', ',' and brackets there",
  control: 'control characters and half characters are escaped there',
  escape: 'a backslash is written as \\\\ there, and a letter such as ü as itself',
  quote: 'a quote in a string is written as \\" there',
};

/** By condition, why none of the clients can tell it. */
const UNTOLD: Readonly<Record<string, string>> = {
  command: 'when.command needs a shell command, but the matcher takes no shell tool',
  path: 'when.path needs a file, but the matcher takes no tool that names one',
  tools: 'they have none of the tools in when.tools',
  source: 'they report none of the sources in when.source',
  outcome: 'they do not report the outcome (when.outcome)',
};

const NEVER: Readonly<Record<string, readonly [what: string, fix: string]>> = {
  folder: ['a glob matches files, but this names a folder', "For all files in it, write 'src/**'."],
  segment: ["a path has no empty segment and no '.'", "Write it from the project's root: 'src/*.ts'."],
  program: ['the first word is the program', 'Start with the program; options may come anywhere after it.'],
  wrapper: [
    'such a program is skipped for the command that it runs, and names have no extension',
    'Start with the program that is run in the end: ["git", "commit"].',
  ],
  glob: ["words match literally, even '*' and '?'", 'Write the whole word, or leave it out.'],
  braces: ['braces match literally in `files`', 'List each name separately.'],
};

const several = (v: FaultArgs[string] | undefined): readonly string[] => (Array.isArray(v) ? v : []);

/** Returns where a condition may stand, behind the advice to add one, if that is not where the declaration stands. */
const placeOfWhen = ({ noWhen }: FaultArgs): string =>
  noWhen ? ' Only capabilities.extensions["io.github.mcphooks/hooks"] takes `when`.' : '';

/** Returns how to name several tools: in the list where the name is, or in place of the matcher. */
function severalTools({ inList, meant }: FaultArgs): string {
  const names =
    Array.isArray(meant) && meant.length > 0 ? `[${meant.map((one) => `"${one}"`).join(', ')}]` : '';
  if (inList) return names ? `list them: ${names}` : 'list them';
  const instead = names
    ? `use "when": {"tools": ${names}, "otherwise": "drop"} in place of tool_name`
    : 'list them in `when.tools`';
  return `write several declarations, or ${instead}`;
}

/** Returns each text, of which each client has one, with the clients that share it: `9 bytes on A and B; 10 on C`. */
function byClient(clients: readonly string[], texts: readonly string[]): string {
  const own = (text: string): string => listed(clients.filter((_, i) => texts[i] === text));
  return [...new Set(texts)].map((text) => `${text} on ${own(text)}`).join('; ');
}

/** Returns which hooks are dropped first, by client where that differs. */
function droppedFirst(clients: readonly string[], hooks: readonly string[]): string {
  const [one = '', ...others] = new Set(hooks);
  const isOne = (numbers: string): boolean => /^\d+$/.test(numbers);
  if (others.length > 0) {
    const named = hooks.map((numbers) => `${isOne(numbers) ? 'hook' : 'hooks'} ${numbers}`);
    return `. Dropped first: ${byClient(clients, named)}`;
  }
  return isOne(one) ? ', and this one is dropped first' : `, and those of hooks ${one} are dropped first`;
}

/** Sentences of `mcphooks lint` for authors of valid declarations. */
const WARNINGS = {
  'lint.none': NO_DECLARATIONS,
  'lint.empty-text': {
    what: () => 'the text is empty, so nothing is installed for it',
    fix: () => 'Give it a text, or leave the declaration out.',
  },
  'lint.empty-name': {
    what: (a) => `an empty '${a.key}' matches no tool, so the hook never fires`,
    fix: () => 'Name a tool or a pattern, or leave the key out.',
  },
  'lint.empty-needle': {
    what: () => "an empty 'input_contains' stands in every input, so it narrows nothing",
    fix: () => 'Give it a text, or leave the key out.',
  },
  'lint.every-tool': {
    what: (a) => `${everyToolCall(a)}: ${a.event} without a matcher that narrows it`,
    fix: (a) =>
      `Add a matcher for the tool or its input, or a \`when\` condition: a command, a path, tools, a cooldown.${placeOfWhen(a)}`,
  },
  'lint.needs-drop': {
    what: () =>
      'without a matcher that narrows it, an implementation without `when` gives this text at every tool call',
    fix: () => 'Add "otherwise": "drop" to `when`, or a matcher.',
  },
  'lint.untrue-when-failed': {
    what: (a) => `'${a.words}' is untrue when the tool failed, but the hook fires then, too`,
    fix: (a) =>
      `Add "when": {"outcome": "success"}, or word it so that it is true either way.${placeOfWhen(a)}`,
  },
  'lint.when-some': {
    what: (a) =>
      list(a.clients)
        ? `only ${list(a.clients)} can check these conditions: unsupported on ${list(a.others)}`
        : `fires on none of these clients (${list(a.others)}): ${several(a.keys)
            .map((key) => UNTOLD[key] ?? key)
            .join('; ')}`,
    fix: (a) =>
      a.either
        ? 'Leave out what they can\'t check, or add "if_unknown": "fire" if the text is true either way.'
        : list(a.clients)
          ? "Nothing to do if that is intended; else leave out what they can't check."
          : 'Leave the condition out, or use a matcher for tools that fit it.',
  },
  'lint.condition-never': {
    what: (a) => `'${a.value}' never matches: ${NEVER[String(a.trouble)]?.[0]}`,
    fix: (a) => NEVER[String(a.trouble)]?.[1] ?? '',
  },
  'lint.literal-word': {
    what: (a) => `'${a.value}' is literal here: it matches only commands with the word '${a.value}' itself`,
    fix: () => 'Leave it out unless that is meant: other words may follow the given ones anyway.',
  },
  'lint.path-never': {
    what: (a) =>
      `compares file_path, filePath and path, and none of these is an argument of ${list(a.tools)}`,
    fix: () => 'Search the input instead (matcher.input_contains), or leave the condition out.',
  },
  'lint.own-tool-unknown': {
    what: listsNoTool,
    fix: (a) => nearOrKnown(a, 'Its tools') ?? 'It lists none at all.',
  },
  'lint.required': {
    what: (a) => `'required' is lowered to '${a.to}' unless the user gives --max-priority required`,
    fix: () => `Write the text so that it also works at the lower priority.`,
  },
  'lint.never-in-time': {
    what: (a) => `${a.event} reaches the model later or not at all on all of these clients`,
    fix: () => 'Write it so that it still makes sense at the next prompt or session.',
  },
  'lint.cut': {
    what: (a) => {
      const lengths = several(a.lengths).map((length, i) => `to at most ${several(a.most)[i]} of ${length}`);
      return `is cut, naming lines included: ${byClient(several(a.clients), lengths)}`;
    },
    fix: () => 'Shorten it, or have a tool return what matters now.',
  },
  'lint.event-budget': {
    what: (a) => {
      const clients = several(a.clients);
      const others = several(a.others);
      const [one, ...different] = new Set(others);
      const all = one && different.length === 0 ? `, with those for ${one},` : '';
      const most = several(a.most).map((text, i) =>
        !all && others[i] ? `${text} with those for ${others[i]}` : text,
      );
      return `the texts for ${a.event}${all} add up to more than ${byClient(clients, most)}${droppedFirst(clients, several(a.hooks))}`;
    },
    fix: () => 'Shorten them, or give the one that matters most a higher priority.',
  },
  'lint.session-budget': {
    what: (a) =>
      Number(a.times) < 1
        ? `is longer than the ${a.budget} that a server has in one session`
        : `the ${a.budget} that a server has in one session are used up after it was given ${a.times} times`,
    fix: () => 'Shorten it, or narrow when it fires.',
  },
  'lint.duplicate': {
    what: (a) => `the same as declaration ${a.first}, so it adds nothing`,
    fix: () => 'Remove one.',
  },
  'lint.not-a-glob': {
    what: notAGlob,
    fix: (a) =>
      `Only '*' and '?' are wildcards; every other character is literal. For several tools, ${severalTools(a)}.${placeOfWhen(a)}`,
  },
  'lint.native-name': {
    what: (a) =>
      `'${a.name}' is a tool's own name in ${listed(several(a.clients))}, but declarations use the common names, so this never fires`,
    fix: (a) => `Use the common name: ${list(a.names)}. mcphooks translates it for each client.`,
  },
  'lint.no-tool': {
    what: (a) => `'${a.name}' names a server and no tool, so it matches nothing`,
    fix: (a) => `All tools of the server are '${a.name}__*'.`,
  },
  'lint.tool-unknown': {
    what: noClientHas,
    fix: (a) =>
      a.near
        ? `Did you mean '${a.near}'? Names are case-sensitive.`
        : String(a.name).startsWith('any:')
          ? 'It stands in when.tools only: a matcher names one tool, or takes a glob.'
          : /[*?]/.test(String(a.name))
            ? 'It fires only in a client that has a tool which fits it. Names are case-sensitive.'
            : 'It fires only in a client that has a tool of exactly this name.',
  },
  'lint.tool-some': {
    what: (a) =>
      `'${a.name}' is not offered to the model on ${list(a.clients)}, so it never fires there${a.instead ? `; ${a.instead} is used instead` : ''}`,
    fix: (a) =>
      `Nothing to do if that is intended; else use a tool that all clients have, like Bash or Edit, or any:search or any:edit in when.tools.${placeOfWhen(a)}`,
  },
  'lint.server-mismatch': {
    what: (a) => `'${a.name}' is not a tool of '${a.server}', the server in tool_server`,
    fix: () => "With tool_server, tool_name is the tool's own name on that server.",
  },
  'lint.server-glob': {
    what: (a) => `tool_server takes no wildcards, so '${a.name}' means a server of exactly this name`,
    fix: (a) => `Only tool_name takes them: '${a.meant}' fits all tools of such servers.`,
  },
  'lint.server-other': {
    what: (a) => `fires only for users who have another server named '${a.name}'`,
    fix: () =>
      "If you mean this server itself, use its serverInfo name: mcphooks replaces it by the user's name for the server.",
  },
  'lint.needle-never': {
    what: (a) =>
      `never found: the search is in the compact JSON of the input, and ${NEEDLES[String(a.trouble)]}`,
    fix: () => 'Use a shorter piece without it, such as a command.',
  },
  'lint.tool-unchecked': {
    what: (a) =>
      `'${a.tool}' was not checked: the server, started in your home folder, does not list it${a.near ? `; did you mean '${a.near}'?` : ''}`,
    fix: (a) => `To start it in this project instead: --allow-start ${a.hash}`,
  },
  'lint.args-unknown': {
    what: (a) => `'${a.tool}' has no argument '${a.key}'`,
    fix: (a) => (a.near ? `Did you mean '${a.near}'?` : `Its arguments: ${list(a.known)}.`),
  },
  'lint.tool-data': {
    what: () =>
      'sends tool inputs, tool outputs or prompts to the server; users have to allow that with --send-tool-data',
    fix: () => 'Leave it out unless the tool needs it: it may contain secrets.',
  },
  'lint.tool-data-remote': {
    what: (a) =>
      `sends tool inputs, tool outputs or prompts over the network to ${a.host}; users have to allow that with --send-tool-data`,
    fix: () => 'Leave it out unless the tool needs it: it may contain secrets.',
  },
  'lint.variable-unknown': {
    what: (a) => `${a.name} is not a template variable, so it is not replaced`,
    fix: (a) => (a.near ? `Did you mean ${a.near}?` : 'Nothing to do if the braces are part of the text.'),
  },
  'lint.variable-braces': {
    what: (a) => `only ${a.name} is replaced in ${a.written}: the other braces stay in the text`,
    fix: (a) => `Write ${a.name}. Nothing to do if the braces are part of the text.`,
  },
  'lint.variable-unavailable': {
    what: (a) => `${a.name} has no value at ${a.event}, so it is not replaced`,
    fix: () =>
      'tool_name and tool_input have a value at pre_tool_use and post_tool_use, tool_output only at post_tool_use, prompt only at pre_request.',
  },
  'lint.variable-elsewhere': {
    what: (a) => `${a.name} is not replaced here, only in context and in context_tool_args`,
    fix: () => 'Nothing to do if these very letters are meant; else write what the variable stands for.',
  },
  'lint.needle-some': {
    what: (a) =>
      `the tools that it matches have no field '${a.name}' on ${list(a.clients)}, so it never fires there`,
    fix: () =>
      'Each client names the fields of its tools in its own way. Search for a value, such as a file name or a command.',
  },
  'lint.variable-some': {
    what: (a) => `${a.name} has no value on ${list(a.clients)}, so it is not replaced there`,
    fix: () =>
      'Each client names the fields of its tools in its own way. Use {tool_input}, the whole input as JSON, or leave it out.',
  },
} satisfies Record<string, Wording>;

export type WarningCode = keyof typeof WARNINGS;

/** Returns a warning's problem and what to do, without the place. */
export const warningWords = ({ code, args }: { code: WarningCode; args: FaultArgs }) =>
  wordsOf(WARNINGS[code], args);

/** Returns a warning as text: what, where, and what to do. */
export function warningText(warning: { code: WarningCode; args: FaultArgs; where: Where }): string {
  return textOf(WARNINGS[warning.code], warning.args, warning.where);
}
