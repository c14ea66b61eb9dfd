import { Command, CommanderError } from 'commander';
import type { Scope } from './apply/types.ts';
import { PLUGIN_FORMATS } from './clients/types.ts';
import type { DoctorFlags } from './commands/doctor.ts';
import type { ExportFlags } from './commands/export.ts';
import type { FireFlags } from './commands/fire.ts';
import type { ListFlags } from './commands/list.ts';
import {
  addShapeOptions,
  addSourceOptions,
  type CommonFlags,
  clients,
  formats,
  requestFrom,
  whole,
} from './commands/options.ts';
import { type Exit, failureJson, faultsOf, reportFaults, worst } from './commands/outcome.ts';
import { type Context, processContext } from './context.ts';
import { Fault } from './messages.ts';

const VERSION = process.env.MCPHOOKS_VERSION ?? 'dev';

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
      exit = await action(Object.assign(world, { site: siteFor(flags.scope ?? 'user', world) }), ...args);
    } catch (error) {
      const faults = faultsOf(error);
      exit = worst(faults.map((f): Exit => f.exit));
      if (flags.json) world.out(failureJson(command.name(), exit, faults));
      else reportFaults(faults, world);
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
  .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
  .helpCommand(false)
  .addHelpText('after', '\nStart with:\n  mcphooks install <server> --dry-run')
  .exitOverride()
  .showSuggestionAfterError();

const install = program
  .command('install')
  .helpGroup(GROUPS.hooks)
  .description("show what a server's hooks become in each client, ask, and write it")
  .argument('<server>', "the server's name in a client's MCP configuration")
  .argument('[command...]', 'behind --: start the server like this instead')
  .option('--dry-run', 'show the plan, write nothing, ask nothing')
  .option('--yes', 'approve the plan that is shown')
  .option('--accept-changed', 'with --yes: approve hooks that differ from those approved before')
  .option('--json', 'one JSON document on stdout')
  .option('--verbose', 'list every file')
  .addHelpText('after', '\nExample:\n  mcphooks install memory --client claude-code --dry-run');
addShapeOptions(addSourceOptions(install)).action(
  run(async (context, server: string, command: string[], flags: CommonFlags) => {
    const { install } = await import('./commands/install.ts');
    return install(requestFrom(server, command, flags), flags, context);
  }),
);

const diff = program
  .command('diff')
  .helpGroup(GROUPS.hooks)
  .description('compare what is installed with what the servers declare now and with the files')
  .argument('[server]', 'only this one')
  .argument('[command...]', 'behind --: start the server like this instead')
  .option('--offline', 'start and reach no server: compare the record with the files')
  .option('--json', 'one JSON document on stdout')
  .option('--verbose', 'list every file')
  .addHelpText('after', '\nExample:\n  mcphooks diff --offline');
addShapeOptions(addSourceOptions(diff)).action(
  run(async (context, server: string | undefined, command: string[], flags: CommonFlags) => {
    const { diff, installedServers } = await import('./commands/diff.ts');
    const servers = server === undefined ? await installedServers(context) : [server];
    return diff(
      servers.map((name) => ({ ...requestFrom(name, command, flags), installedOnly: true })),
      flags,
      context,
    );
  }),
);

program
  .command('list')
  .helpGroup(GROUPS.look)
  .description('what is installed, and how each client stands to it')
  .option('--check', 'ask the servers too whether they declare the same as was approved')
  .option('--offline', 'start and reach no server, as without --check')
  .option('--timeout <seconds>', 'for connecting to a server (default: 30)', whole(1))
  .option('--json', 'one JSON document on stdout')
  .addHelpText('after', '\nExample:\n  mcphooks list --check')
  .action(
    run(async (context, flags: ListFlags) => {
      const { list } = await import('./commands/list.ts');
      return list(flags, context);
    }),
  );

program
  .command('uninstall')
  .helpGroup(GROUPS.hooks)
  .description("take a server's hooks out of all clients")
  .argument('[server]', "the server's name")
  .option('--all', 'every server')
  .option('--dry-run', 'show what would be removed, write nothing')
  .option('--json', 'one JSON document on stdout')
  .addHelpText('after', '\nExample:\n  mcphooks uninstall memory')
  .action(
    run(async (context, server: string | undefined, flags: CommonFlags & { all?: boolean }) => {
      const { uninstall } = await import('./commands/uninstall.ts');
      const { Fault } = await import('./messages.ts');
      if ((server === undefined) !== (flags.all === true))
        throw new Fault('usage.bad', { text: 'Name a server to uninstall, or --all.' });
      return uninstall(server, flags, context);
    }),
  );

const explain = program
  .command('explain')
  .helpGroup(GROUPS.look)
  .description('hook by hook: when it fires on each client, how, and the exact text that the model reads')
  .argument('<server>', "the server's name; what is installed is explained, else what would be")
  .argument('[command...]', 'behind --: start the server like this')
  .option('--json', 'one JSON document on stdout')
  .addHelpText('after', '\nExample:\n  mcphooks explain memory --client codex');
addShapeOptions(addSourceOptions(explain)).action(
  run(async (context, server: string, command: string[], flags: CommonFlags) => {
    const { explainCommand } = await import('./commands/explain.ts');
    return explainCommand(requestFrom(server, command, flags), flags, context);
  }),
);

for (const command of ['disable', 'enable'] as const)
  program
    .command(command)
    .helpGroup(GROUPS.hooks)
    .description(
      command === 'disable'
        ? "silence a server's hooks in all clients, without removing anything"
        : 'let hooks speak again that were disabled',
    )
    .argument('<server>', "the server's name")
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', `\nExample:\n  mcphooks ${command} memory`)
    .action(
      run(async (context, server: string, flags: { json?: boolean }) => {
        const { switchCommand } = await import('./commands/switch.ts');
        return switchCommand(command, server, flags, context);
      }),
    );

const exporting = program
  .command('export')
  .helpGroup(GROUPS.share)
  .description("pack a server's hooks as a plugin or extension, for the clients' own channels")
  .argument('<server>', "the server's name")
  .argument('[command...]', 'behind --: start the server like this instead')
  .requiredOption('--format <formats>', PLUGIN_FORMATS.join(', '), formats)
  .requiredOption('--out <dir>', 'a new or empty folder, or an earlier export of the same server')
  .option('--with-server', 'put the MCP server into it, too')
  .option('--dry-run', 'show the plan, write nothing, ask nothing')
  .option('--yes', 'approve the plan that is shown')
  .option('--json', 'one JSON document on stdout')
  .option('--verbose', 'show every file whole')
  .addHelpText(
    'after',
    '\nExample:\n  mcphooks export memory --format claude-plugin,codex-plugin --out ./memory-hooks',
  );
addShapeOptions(addSourceOptions(exporting)).action(
  run(async (context, server: string, command: string[], flags: ExportFlags) => {
    const { exportCommand } = await import('./commands/export.ts');
    return exportCommand(requestFrom(server, command, flags), flags, context);
  }),
);

program
  .command('fire')
  .helpGroup(GROUPS.look)
  .description('run an installed hook as its client would, and print what the model would read')
  .argument('<server>', "the server's name")
  .argument('<event>', 'session_start, pre_request, pre_tool_use, post_tool_use, post_request or session_end')
  .option('--client <ids>', 'only for these clients', clients)
  .option('--tool <name>', 'for tool events (default: Bash)')
  .option('--input <json>', `the tool's input (default: {"command":"git commit"})`)
  .option('--payload <file>', "fields of the client's payload, as JSON")
  .option('--json', 'one JSON document on stdout')
  .addHelpText(
    'after',
    `\nExample:\n  mcphooks fire memory post_tool_use --tool Bash --input '{"command":"git commit"}'`,
  )
  .action(
    run(async (context, server: string, event: string, flags: FireFlags) => {
      const { fire } = await import('./commands/fire.ts');
      return fire(server, event, flags, context);
    }),
  );

program
  .command('doctor')
  .helpGroup(GROUPS.look)
  .description('find what would stop hooks from firing here, and say what mends it')
  .option('--check', 'reach the servers too')
  .option('--timeout <seconds>', 'for connecting to a server (default: 30)', whole(1))
  .option('--json', 'one JSON document on stdout')
  .addHelpText('after', '\nExample:\n  mcphooks doctor')
  .action(
    run(async (context, flags: DoctorFlags) => {
      const { doctor } = await import('./commands/doctor.ts');
      return doctor(flags, context);
    }),
  );

const lint = program
  .command('lint')
  .helpGroup(GROUPS.authors)
  .description('check declarations as their author: faults, warnings, and how each comes out on each client')
  .argument('<file|server>', 'a JSON file of declarations, or a server to ask')
  .argument('[command...]', 'behind --: start the server like this')
  .option('--json', 'one JSON document on stdout')
  .addHelpText(
    'after',
    '\nExamples:\n  mcphooks lint declarations.json\n  mcphooks lint notebook -- node server.mjs',
  );
addShapeOptions(addSourceOptions(lint)).action(
  run(async (context, target: string, command: string[], flags: CommonFlags) => {
    const { lintCommand } = await import('./commands/lint.ts');
    return lintCommand(requestFrom(target, command, flags), flags, context);
  }),
);

program
  .command('schema')
  .helpGroup(GROUPS.authors)
  .description('print the JSON Schema of declarations, the configuration, the record or a --json document')
  .argument('[name]', 'which one; without it, the names of all')
  .addHelpText('after', '\nExample:\n  mcphooks schema declarations > declarations.schema.json')
  .action(
    run(async (context, name: string | undefined) => {
      const { schema } = await import('./commands/schema.ts');
      return schema(name, context);
    }),
  );

program
  .command('completions')
  .helpGroup(GROUPS.rest)
  .description('print completions of commands, options and server names for a shell')
  .argument('<shell>', 'bash, zsh or fish')
  .addHelpText('after', '\nExample, in ~/.bashrc:\n  source <(mcphooks completions bash)')
  .action(
    run(async (context, shell: string) => {
      const { completions } = await import('./commands/completions.ts');
      return completions(shell, context);
    }),
  );

async function main(): Promise<void> {
  try {
    const [first, ...words] = process.argv.slice(2);
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

/** Commander has said it on stderr; who asked for a document gets one. */
function reportUsage({ message }: CommanderError): void {
  const [name, ...words] = process.argv.slice(2);
  const ours = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const command = program.commands.find((c) => c.name() === name);
  if (!command || !ours.includes('--json')) return;
  const text = message.replace(/^error: /, '');
  world.out(failureJson(command.name(), 1, [new Fault('usage.bad', { text })]));
}

void main();
