import { Command, CommanderError, Option } from 'commander';
import type { Scope } from './apply/types.ts';
import { PLUGIN_FORMATS } from './clients/types.ts';
import type { DiffFlags } from './commands/diff.ts';
import type { DoctorFlags } from './commands/doctor.ts';
import type { ExportFlags } from './commands/export.ts';
import type { FireFlags } from './commands/fire.ts';
import type { ListFlags } from './commands/list.ts';
import {
  addClientOption,
  addPlanOptions,
  type CommonFlags,
  clients,
  formats,
  requestFrom,
  scopeOption,
  whole,
} from './commands/options.ts';
import { type Exit, failureJson, faultsOf, reportFaults, worst } from './commands/outcome.ts';
import { endWith, takeDebug } from './commands/unforeseen.ts';
import type { UninstallFlags } from './commands/uninstall.ts';
import { type Context, processContext } from './context.ts';
import { EVENTS } from './declarations/types.ts';
import { Fault } from './messages.ts';
import { write } from './output.ts';
import { VERSION } from './version.ts';

const debug = takeDebug(process.argv);
process.on('uncaughtException', (error) => endWith(error, process.argv.slice(2), debug));

const world = processContext();
let exit: Exit = 0;

/** Runs a command's action; a fault becomes its text, or with --json a document, and an exit code. */
const run =
  <A extends unknown[]>(action: (context: Context, ...args: A) => Promise<Exit>) =>
  async (...args: A): Promise<void> => {
    const command = args.at(-1) as Command;
    const flags: { scope?: Scope; json?: boolean } = command.opts();
    try {
      const { siteFor } = await import('./plan/sites.ts');
      const site = await siteFor(flags.scope ?? 'user', world);
      exit = await action(Object.assign(world, { site }), ...args);
    } catch (error) {
      const faults = faultsOf(error);
      exit = worst(faults.map((f): Exit => f.exit));
      if (flags.json) world.out(failureJson(command.name(), exit, faults));
      else reportFaults(faults, world);
      if (debug) world.err(String((error as Error).stack));
    }
  };

const GROUPS = {
  hooks: 'Put hooks in, take them out:',
  look: 'See what is there and why:',
  share: 'Share them:',
  authors: 'For authors of servers:',
  rest: 'And:',
};

const program = new Command('mcphooks')
  .description(
    'Installs the hooks that an MCP server declares (SEP-2282) into Claude Code, Codex and Gemini CLI, and takes them out again without a trace.',
  )
  .version(VERSION)
  .configureHelp({
    commandUsage: (command) => (command.parent ? `mcphooks ${synopsis(command)}` : 'mcphooks <command>'),
    showGlobalOptions: false,
    sortSubcommands: false,
    subcommandTerm: (command) => command.name() + takes(command),
    visibleOptions: (command) => command.options.filter((o) => !o.hidden && o.long !== '--version'),
    optionDescription: (option) => option.description,
    argumentTerm: (argument) => (argument.variadic ? '-- <command>' : argument.name()),
  })
  .configureOutput({
    writeOut: (text) => write(1, text),
    writeErr: (text) => write(2, text),
    // `reportUsage` says it.
    outputError: () => {},
  })
  .helpCommand(false)
  .addHelpText(
    'after',
    `
Start with:
  mcphooks install <server> --dry-run

A command's own page, with an example:
  mcphooks <command> --help`,
  )
  .exitOverride()
  .showSuggestionAfterError();

/** What a command is given, but for what stands behind `--`. */
function takes(command: Command): string {
  const named = command.registeredArguments.filter((a) => !a.variadic);
  return named.map((a) => (a.required ? ` <${a.name()}>` : ` [${a.name()}]`)).join('');
}

/** How a command is called. */
function synopsis(command: Command): string {
  const options = command.options.some((o) => !o.hidden) ? ' [options]' : '';
  const behind = command.registeredArguments.some((a) => a.variadic) ? ' [-- <command> [args...]]' : '';
  return command.name() + takes(command) + options + behind;
}

interface Page {
  group: string;
  /** For the list of commands: at most 55 characters. */
  summary: string;
  description: string;
  example: string;
}

/** How each command is made. */
const commands = new Map<string, () => unknown>();

function add(
  name: string,
  { group, summary, description, example }: Page,
  define: (command: Command) => unknown,
): void {
  commands.set(name, () =>
    define(
      program
        .command(name)
        .helpGroup(group)
        .summary(summary)
        .description(description)
        .addHelpText('after', `\nExample:\n  ${example}`),
    ),
  );
}

/** Takes the options of `install` that shape a plan; the page refers to that of install for them. */
function addHiddenPlanOptions(command: Command): Command {
  const own = command.options.length;
  for (const option of addPlanOptions(command).options.slice(own)) option.hideHelp();
  return command.addHelpText(
    'after',
    "\nThe options of 'mcphooks install' about hooks and servers hold here, too.",
  );
}

const SERVER = "its name in a client's MCP configuration";
const BEHIND = 'start the server like this instead';
const JSON_FLAG = ['--json', 'one JSON document on stdout'] as const;

add(
  'install',
  {
    group: GROUPS.hooks,
    summary: 'show what its hooks become in each client, ask, write',
    description: "Shows what a server's hooks become in each client, asks, and writes it.",
    example: 'mcphooks install notebook --client claude-code,codex --dry-run',
  },
  (install) => {
    install.argument('[server]', SERVER).argument('[command...]', BEHIND).optionsGroup('Most needed:');
    addClientOption(install)
      .option('--dry-run', 'show the plan, write nothing, ask nothing')
      .option('--verbose', 'each line of each file, and what stays as it is')
      .option('--yes', 'approve the plan that is shown')
      .option('--accept-changed', 'with --yes: approve what changed since it was approved')
      .option(...JSON_FLAG)
      .optionsGroup('For a project and its team:')
      .addOption(scopeOption())
      .option('--frozen', 'install just what the lock file holds, or fail');
    addPlanOptions(install).action(
      run(async (context, server: string | undefined, command: string[], flags: CommonFlags) => {
        const { install, installFrozen } = await import('./commands/install.ts');
        if (flags.frozen) return installFrozen(server, flags, context);
        if (server === undefined) throw new Fault('usage.bad', { text: 'Name a server to install.' });
        return install(requestFrom(server, command, flags), flags, context);
      }),
    );
  },
);

add(
  'diff',
  {
    group: GROUPS.hooks,
    summary: 'what has changed since: server, approval, files',
    description: 'Compares what is installed with what the servers declare now, and with the files.',
    example: 'mcphooks diff --offline',
  },
  (diff) => {
    diff
      .argument('[server]', 'only this one')
      .argument('[command...]', BEHIND)
      .option('--offline', 'compare what was approved with the files, ask no server')
      .option('--verbose', 'each line of each file, and what stays as it is');
    addClientOption(diff)
      .addOption(scopeOption())
      .addOption(
        new Option('--format <format>', 'markdown: for a comment on a pull request').choices([
          'text',
          'markdown',
        ]),
      )
      .option(...JSON_FLAG);
    addHiddenPlanOptions(diff).action(
      run(async (context, server: string | undefined, command: string[], flags: DiffFlags) => {
        const { diff } = await import('./commands/diff.ts');
        const requestFor = (name: string) => ({ ...requestFrom(name, command, flags), installedOnly: true });
        return diff(server, requestFor, flags, context);
      }),
    );
  },
);

add(
  'list',
  {
    group: GROUPS.look,
    summary: 'what is installed, and its state on each client',
    description: 'Lists what is installed, and its state on each client. Reads files alone.',
    example: 'mcphooks list --check',
  },
  (it) =>
    it
      .option('--check', 'ask the servers, too, whether they declare the same as was approved')
      .option(...JSON_FLAG)
      .option('--timeout <seconds>', 'for connecting to a server (default: 30)', whole(1))
      .option('--offline', 'as without --check')
      .action(
        run(async (context, flags: ListFlags) => {
          const { list } = await import('./commands/list.ts');
          return list(flags, context);
        }),
      ),
);

add(
  'uninstall',
  {
    group: GROUPS.hooks,
    summary: 'take its hooks out of all clients',
    description: "Takes a server's hooks out of all clients. Every other byte of their files stays.",
    example: 'mcphooks uninstall notebook',
  },
  (it) =>
    it
      .argument('[server]', 'as it was installed')
      .option('--all', 'every server')
      .option('--dry-run', 'show what would be removed, write nothing')
      .addOption(scopeOption())
      .option('--edited', 'take out entries that were edited by hand, too, and show them')
      .option(...JSON_FLAG)
      .action(
        run(async (context, server: string | undefined, flags: UninstallFlags) => {
          const { uninstall } = await import('./commands/uninstall.ts');
          const { Fault } = await import('./messages.ts');
          if ((server === undefined) !== (flags.all === true))
            throw new Fault('usage.bad', { text: 'Name a server to uninstall, or --all.' });
          return uninstall(server, flags, context);
        }),
      ),
);

add(
  'explain',
  {
    group: GROUPS.look,
    summary: 'when each hook fires, and what the model reads then',
    description:
      'Explains hook by hook when it fires on each client, how, and the exact text that the model reads: of what is installed, else of what would be.',
    example: 'mcphooks explain notebook --client codex',
  },
  (explain) => {
    explain.argument('<server>', SERVER).argument('[command...]', BEHIND);
    addClientOption(explain)
      .addOption(scopeOption())
      .option(...JSON_FLAG);
    addHiddenPlanOptions(explain).action(
      run(async (context, server: string, command: string[], flags: CommonFlags) => {
        const { explainCommand } = await import('./commands/explain.ts');
        return explainCommand(requestFrom(server, command, flags), flags, context);
      }),
    );
  },
);

for (const [command, summary, description] of [
  [
    'disable',
    'silence its hooks without removing them',
    "Silences a server's hooks in all clients, in running sessions too, without removing anything.",
  ],
  ['enable', 'let them speak again', 'Lets hooks speak again that were disabled.'],
] as const)
  add(
    command,
    {
      group: GROUPS.hooks,
      summary,
      description,
      example: `mcphooks ${command} notebook`,
    },
    (it) =>
      it
        .argument('<server>', 'as it was installed')
        .option(...JSON_FLAG)
        .action(
          run(async (context, server: string, flags: { json?: boolean }) => {
            const { switchCommand } = await import('./commands/switch.ts');
            return switchCommand(command, server, flags, context);
          }),
        ),
  );

add(
  'export',
  {
    group: GROUPS.share,
    summary: 'pack its hooks as a plugin or extension',
    description:
      "Packs a server's hooks as a plugin or extension, for the clients' own channels. Shows what becomes of them, asks, and writes it.",
    example: 'mcphooks export notebook --format claude-plugin,codex-plugin --out ./hooks',
  },
  (exporting) => {
    exporting
      .argument('<server>', SERVER)
      .argument('[command...]', BEHIND)
      .requiredOption('--format <formats>', PLUGIN_FORMATS.join(', '), formats)
      .requiredOption('--out <dir>', 'a new or empty folder, or an earlier export of the same server')
      .option('--with-server', 'put the MCP server into it, too')
      .option('--dry-run', 'show the plan, write nothing, ask nothing')
      .option('--verbose', 'show every file whole')
      .option('--yes', 'approve the plan that is shown')
      .option(...JSON_FLAG)
      // Refused with a reason, since --format says for whom it is.
      .addOption(new Option('--client <ids>').argParser(clients).hideHelp());
    addHiddenPlanOptions(exporting).action(
      run(async (context, server: string, command: string[], flags: ExportFlags) => {
        const { exportCommand } = await import('./commands/export.ts');
        return exportCommand(requestFrom(server, command, flags), flags, context);
      }),
    );
  },
);

add(
  'fire',
  {
    group: GROUPS.look,
    summary: 'run an installed hook as its client would',
    description: 'Runs an installed hook as its client would, and prints what the model would read.',
    example: 'mcphooks fire notebook post_tool_use --input \'{"command":"git commit"}\'',
  },
  (fire) => {
    fire.argument('<server>', 'as it was installed').argument('<event>', EVENTS.join(', '));
    addClientOption(fire)
      .option('--tool <name>', 'for tool events (default: Bash)')
      .option('--input <json>', `what the tool is given (default: {"command":"git commit"})`)
      .option('--payload <file>', 'more fields of what the client sends, as JSON')
      .addOption(scopeOption())
      .option('--allow-start <hash>', "start a server that a project's file defines")
      .option(...JSON_FLAG)
      .action(
        run(async (context, server: string, event: string, flags: FireFlags) => {
          const { fire } = await import('./commands/fire.ts');
          return fire(server, event, flags, context);
        }),
      );
  },
);

add(
  'doctor',
  {
    group: GROUPS.look,
    summary: 'what would stop hooks from firing here, and its remedy',
    description: 'Finds what would stop hooks from firing here, and says what mends it.',
    example: 'mcphooks doctor',
  },
  (it) =>
    it
      .option('--check', 'reach the servers, too')
      .option(...JSON_FLAG)
      .option('--timeout <seconds>', 'for connecting to a server (default: 30)', whole(1))
      .action(
        run(async (context, flags: DoctorFlags) => {
          const { doctor } = await import('./commands/doctor.ts');
          return doctor(flags, context);
        }),
      ),
);

add(
  'lint',
  {
    group: GROUPS.authors,
    summary: 'check declarations: faults, warnings, how they come out',
    description:
      'Checks declarations as their author: faults, warnings, and how each comes out on each client.',
    example: 'mcphooks lint declarations.json\n  mcphooks lint notebook -- node server.mjs',
  },
  (lint) => {
    lint
      .argument('<file|server>', 'a JSON file of declarations, or a server to ask')
      .argument('[command...]', BEHIND);
    addClientOption(lint).option(...JSON_FLAG);
    addHiddenPlanOptions(lint).action(
      run(async (context, target: string, command: string[], flags: CommonFlags) => {
        const { lintCommand } = await import('./commands/lint.ts');
        return lintCommand(requestFrom(target, command, flags), flags, context);
      }),
    );
  },
);

add(
  'schema',
  {
    group: GROUPS.authors,
    summary: 'print a JSON Schema',
    description:
      'Prints the JSON Schema of declarations, the configuration, the record or a --json document.',
    example: 'mcphooks schema declarations > declarations.schema.json',
  },
  (it) =>
    it.argument('[name]', 'which one; without it, the names of all').action(
      run(async (context, name: string | undefined) => {
        const { schema } = await import('./commands/schema.ts');
        return schema(name, context);
      }),
    ),
);

add(
  'completions',
  {
    group: GROUPS.rest,
    summary: 'complete commands, options and servers in a shell',
    description: 'Prints what makes a shell complete commands, options and names of servers.',
    example: 'source <(mcphooks completions bash)    # in ~/.bashrc',
  },
  (it) =>
    it.argument('<shell>', 'bash, zsh or fish').action(
      run(async (context, shell: string) => {
        const { completions } = await import('./commands/completions.ts');
        return completions(shell, context);
      }),
    ),
);

async function main(): Promise<void> {
  try {
    const [first, ...words] = process.argv.slice(2);
    // The others' options would be built for nothing. Only a page or a mistake shows more than one command.
    const asked = commands.get(first ?? '');
    for (const make of asked ? [asked] : commands.values()) make();
    // Words as they are typed make no command line yet.
    if (first === '__complete') {
      const { candidates } = await import('./commands/completions.ts');
      exit = await candidates(program, words, world);
    } else await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    exit = error.exitCode === 0 ? 0 : 1;
    if (exit === 1) reportUsage(error);
  }
  process.exitCode = exit;
}

/** A command line that makes no sense; of one without a command, commander has printed the page. */
function reportUsage({ code, message }: CommanderError): void {
  if (code === 'commander.help') return;
  const words = process.argv.slice(2);
  const ours = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const text = message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (one of )?(.*)\?\)$/, (_, several, names) =>
      several ? `. Did you mean one of ${names}?` : `. Did you mean '${names}'?`,
    );
  const fault = new Fault('usage.bad', { text });
  const command = ours.find((word) => !word.startsWith('-')) ?? '';
  if (ours.includes('--json')) world.out(failureJson(command, 1, [fault]));
  else reportFaults([fault], world);
}

void main();
