import { Command, Option } from 'commander';
import type { World } from '../app/context.ts';
import { listed } from '../base/listed.ts';
import { hanging, wrapped } from '../base/text-style.ts';
import { VERSION } from '../base/version.ts';
import { CLIENTS } from '../clients/index.ts';
import { optionFor } from './flags.ts';
import type { CommandRow } from './rows/row.ts';

const TITLES = listed(CLIENTS.map(({ title }) => title));

const start = (columns: number): string =>
  `Start with:
  mcphooks scan

Help and an example for one command:
  mcphooks help <command>

Every command takes:
  -h, --help     show its page
  -V, --version  print the version of mcphooks
  --debug        show details of an unexpected error

Defaults for installs come from ~/.config/mcphooks/config.json, which 'mcphooks schema config' describes.`
    .split('\n')
    .map((line) => (line.startsWith(' ') ? line : wrapped(line, 0, columns)))
    .join('\n');

/**
 * Returns the program without its commands. Help pages go to `world`; a mistake becomes a `CommanderError` and isn't
 * printed.
 */
export function emptyProgram(world: World): Command {
  const line =
    (print: (text: string) => void) =>
    (text: string): void =>
      print(text.replace(/\n$/, ''));
  return new Command('mcphooks')
    .description(
      `Installs the hooks that an MCP server declares (SEP-2282) in ${TITLES}, and removes them without a trace.`,
    )
    .version(VERSION)
    .configureHelp({
      // Else descriptions of long options are not wrapped on a narrow terminal.
      minWidthToWrap: 20,
      commandUsage: (command) =>
        command.parent ? usage(command, world.columns ?? 80) : 'mcphooks <command>',
      subcommandTerm: (command) => command.name() + takes(command),
      visibleOptions: (command) => command.options.filter((o) => !o.hidden && o.long !== '--version'),
      optionDescription: (option) => option.description,
      argumentTerm: (argument) => (argument.variadic ? '-- <command>' : argument.name()),
    })
    .configureOutput({
      writeOut: line(world.out),
      writeErr: line(world.err),
      // `reportUsage` prints the message.
      outputError: () => {},
      getOutHelpWidth: () => world.columns ?? 80,
      getErrHelpWidth: () => world.columns ?? 80,
    })
    .helpCommand(false)
    .addHelpText('after', () => `\n${start(world.columns ?? 80)}`)
    .exitOverride();
}

/** Adds one command with its help page, without an action, to the program. */
export function addCommand(program: Command, row: CommandRow): Command {
  const command = program
    .command(row.name)
    .helpGroup(row.group)
    .summary(row.summary)
    .description(row.description)
    .addHelpText('after', `\nExample:\n  ${row.example}`);
  for (const [name, sentence] of row.arguments ?? []) command.argument(name, sentence);
  for (const { heading, flags } of row.options ?? []) {
    if (heading) command.optionsGroup(heading);
    for (const flag of flags) command.addOption(optionFor(flag));
  }
  // Scripts may give it to every command; only some have something to approve.
  if (!command.options.some(({ long }) => long === '--yes'))
    command.addOption(new Option('-y, --yes').hideHelp());
  command.version(VERSION).options.at(-1)?.hideHelp();
  return command;
}

/** Returns a command's arguments for help, except those after `--`. */
function takes(command: Command): string {
  const named = command.registeredArguments.filter((a) => !a.variadic);
  return named.map((a) => (a.required ? ` <${a.name()}>` : ` [${a.name()}]`)).join('');
}

/** Returns the usage of a command, whose lines break only between its parts. */
function usage(command: Command, columns: number): string {
  const glued = (part: string): string => ` ${part.replaceAll(' ', '\u00a0')}`;
  const needed = command.options.filter((o) => o.mandatory).map((o) => glued(o.flags));
  const options = needed.join('') + (command.options.some((o) => !o.hidden) ? ' [options]' : '');
  const behind = command.registeredArguments.some((a) => a.variadic) ? glued('[-- <command> [args...]]') : '';
  const line = `mcphooks ${command.name()}${takes(command)}${options}${behind}`;
  return hanging(line, 'Usage: '.length, columns).replaceAll('\u00a0', ' ');
}
