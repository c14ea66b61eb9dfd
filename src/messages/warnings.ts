import type { FaultArgs, Where } from './args.ts';
import { list, nearOrKnown, textOf, type Wording, wordsOf } from './words.ts';

const NEEDLES: Readonly<Record<string, string>> = {
  line: 'a line break or tab is spelled \\n, \\r or \\t there',
  space: "there is no space after ':' and ',' there",
  quote: 'a quote within a text is spelled \\" there',
};

/** By condition, why none of the clients can tell it. */
const UNTOLD: Readonly<Record<string, string>> = {
  command: 'when.command wants a shell command, and the matcher takes no shell tool',
  path: 'when.path wants a file, and the matcher takes no tool that names one',
  tools: 'they have none of the tools in when.tools',
  source: 'they tell none of the sources in when.source',
  outcome: 'they do not tell when.outcome',
};

const NEVER: Readonly<Record<string, readonly [what: string, fix: string]>> = {
  folder: ['a glob is held against files, and this names a folder', "For all files in it, write 'src/**'."],
  segment: ["a path has no empty segment and no '.'", "Write it from the project's root: 'src/*.ts'."],
  program: ['the first word is the program', 'Begin with the program; options may stand anywhere behind it.'],
  wrapper: [
    'what is looked at is the command that such a program runs, and a name without its ending',
    'Begin with the program that is run in the end: ["git", "commit"].',
  ],
  glob: ["words are taken as they are, '*' and '?', too", 'Write the whole word, or leave it out.'],
  braces: ['braces are taken as they are in `files`', 'List each name by itself.'],
};

const untold = (keys: FaultArgs[string] | undefined): string =>
  (Array.isArray(keys) ? keys : []).map((key) => UNTOLD[key] ?? key).join('; ');

/** Sentences of `mcphooks lint` for authors of valid declarations. */
const WARNINGS = {
  'lint.every-tool': {
    what: (a) => `fires on every tool call: ${a.event} without a matcher that narrows it`,
    fix: () =>
      'Name the tool, or what its input has to contain, with a matcher; or hold it back with `when`: a command, a path, tools, a cooldown.',
  },
  'lint.needs-drop': {
    what: () =>
      'without a matcher that narrows it, a reader that knows no `when` gives this text at every tool call',
    fix: () => 'Add "otherwise": "drop" to `when`, or a matcher.',
  },
  'lint.untrue-when-failed': {
    what: (a) => `'${a.words}' is untrue when the tool failed, and the hook fires then, too`,
    fix: () => 'Add "when": {"outcome": "success"}, or word it so that it is true either way.',
  },
  'lint.when-some': {
    what: (a) =>
      list(a.clients)
        ? `these conditions can be told on ${list(a.clients)} alone: unsupported on ${list(a.others)}`
        : `fires on none of these clients (${list(a.others)}): ${untold(a.keys)}`,
    fix: (a) =>
      a.either
        ? 'Leave out what they can\'t tell, or say with "if_unknown": "fire" that the text is true either way.'
        : list(a.clients)
          ? "Nothing to do if that is meant; else leave out what they can't tell."
          : 'Leave the condition out, or take tools in the matcher that fit it.',
  },
  'lint.condition-never': {
    what: (a) => `'${a.value}' never fits: ${NEVER[String(a.trouble)]?.[0]}`,
    fix: (a) => NEVER[String(a.trouble)]?.[1] ?? '',
  },
  'lint.own-tool-unknown': {
    what: (a) => `the server lists no tool '${a.name}'`,
    fix: (a) => nearOrKnown(a, 'Its tools') ?? 'It lists none at all.',
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
    what: (a) =>
      `'${a.name}' is offered to no model on ${list(a.clients)}, so it never fires there${a.instead ? `; what is used instead is ${a.instead}` : ''}`,
    fix: () =>
      'Nothing to do if that is meant; else declare it for a tool that all have, like Bash or Edit, or with any:search or any:edit in when.tools.',
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
  'lint.tool-unchecked': {
    what: (a) =>
      `'${a.tool}' was not checked: started in your home folder, the server doesn't list it there${a.near ? `; did you mean '${a.near}'?` : ''}`,
    fix: (a) => `To start it in this project instead: --allow-start ${a.hash}`,
  },
  'lint.args-unknown': {
    what: (a) => `'${a.tool}' has no argument '${a.key}'`,
    fix: (a) => (a.near ? `Did you mean '${a.near}'?` : `Its arguments: ${list(a.known)}.`),
  },
  'lint.tool-data': {
    what: () =>
      'sends what tools are given or answer, or what the user asks, to the server; users have to allow that with --send-tool-data',
    fix: () => 'Leave it out unless the tool needs it: it may hold secrets.',
  },
  'lint.tool-data-remote': {
    what: (a) =>
      `sends what tools are given or answer, or what the user asks, over the network to ${a.host}; users have to allow that with --send-tool-data`,
    fix: () => 'Leave it out unless the tool needs it: it may hold secrets.',
  },
  'lint.variable-unknown': {
    what: (a) => `${a.name} is no template variable, so it stays as it is written`,
    fix: (a) => (a.near ? `Did you mean ${a.near}?` : 'Nothing to do if the braces are meant as text.'),
  },
  'lint.variable-unavailable': {
    what: (a) => `${a.name} has no value at ${a.event}, so it stays as it is written`,
    fix: () =>
      'tool_name and tool_input have one at pre_tool_use and post_tool_use, tool_output at post_tool_use alone, prompt at pre_request.',
  },
} satisfies Record<string, Wording>;

export type WarningCode = keyof typeof WARNINGS;

/** Returns a warning's problem and what to do, without the place. */
export function warningWords({ code, args }: { code: WarningCode; args: FaultArgs }): {
  what: string;
  fix?: string;
} {
  return wordsOf(WARNINGS[code], args);
}

/** Returns a warning as text: what, where, and what to do. */
export function warningText(warning: { code: WarningCode; args: FaultArgs; where: Where }): string {
  return textOf(WARNINGS[warning.code], warning.args, warning.where);
}
