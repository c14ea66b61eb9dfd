import { type Command, CommanderError, Option } from 'commander';
import type { World } from '../app/context.ts';
import { jsonWithoutCommands, withoutCommands } from '../base/ci-commands.ts';
import { missingBefore, NO_COMMAND, unexpected } from '../messages/command-line.ts';
import { Fault } from '../messages/fault.ts';
import { COMMANDS } from './commands.ts';
import { type Exit, exitOf, failureJson, faultsOf, inTheWay, reportFaults } from './exit.ts';
import { addCommand, emptyProgram } from './help.ts';
import { reportUsage } from './report-usage.ts';
import type { AnyFlags, CommandRow } from './rows/row.ts';
import { reportUnforeseen, withoutDebug } from './unforeseen.ts';

/**
 * Runs one command. `given`: the words after the program's name. Uses the process only by `world`, and reports every
 * error as text, or with `--json` as a document.
 */
export async function main(given: readonly string[], world: World): Promise<Exit> {
  const { words: own, debug } = withoutDebug(given);
  const words = asOptions(own);
  const quiet = { ...world, err: (text: string) => world.err(withoutCommands(text)) };
  try {
    return await run(words, debug, quiet);
  } catch (error) {
    reportUnforeseen(error, given, quiet);
    return 1;
  }
}

async function run(words: readonly string[], debug: boolean, world: World): Promise<Exit> {
  let exit: Exit = 0;
  const program = emptyProgram(world);
  const [first = '', ...rest] = words;
  // Only the requested command's options are built; only a help page or a mistake needs several commands.
  const named = COMMANDS.filter((row) => row.name === first);
  for (const row of named.length > 0 ? named : COMMANDS)
    addCommand(program, row).action(async (...given: unknown[]) => {
      const [args, flags] = [given.slice(0, -2), given.at(-2) as AnyFlags];
      assertBehind(args.at(-1), rest, given.at(-1) as Command);
      exit = await runCommand(row, args, flags, debug, world);
    });
  if (first === COMPLETE) {
    const { candidates } = await import('./commands/completions.ts');
    return candidates(program, rest, world);
  }
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    reportUsage(error, words, world);
    return 1;
  }
  return exit;
}

/** Throws a CommanderError unless the server's command follows `--`: commander also takes one without. */
function assertBehind(command: unknown, words: readonly string[], usage: Command): void {
  if (!Array.isArray(command)) return;
  const behind = words.includes('--') ? words.slice(words.indexOf('--') + 1) : [];
  if (words.at(-1) === '--' || command[0] === '') usage.error(NO_COMMAND, { code: 'mcphooks.argument' });
  // A single word after `--` is the name of a server that begins with a hyphen.
  if (command.join('\0') === behind.join('\0') || (command.length === 0 && behind.length === 1)) return;
  const text =
    command.length < behind.length
      ? missingBefore(usage.registeredArguments.at(-2)?.name())
      : unexpected(String(command[0]));
  usage.error(text, { code: 'mcphooks.argument' });
}

/** What completion scripts call. It gets unfinished words, which aren't a valid command line. */
const COMPLETE = '__complete';

/** Options that may stand before the command, too. */
const anywhere = (word: string): boolean => ['-y', '--yes', '--json'].includes(word);

const asksForHelp = (word: string): boolean => word === '--help' || word === '-h';

/**
 * Returns the words with `help`, `help <command>`, `--help <command>` and `version` written as options of the command,
 * and `-y` and `--json` behind it.
 */
function asOptions(words: readonly string[]): readonly string[] {
  const begin = words.findIndex((word) => !anywhere(word));
  const early = begin < 0 ? words : words.slice(0, begin);
  const [first, ...rest] = words.slice(early.length);
  if (first === 'version') return ['--version'];
  const topics = rest.filter((word) => !anywhere(word) && !asksForHelp(word));
  const help = first === 'help' || (asksForHelp(first ?? '') && /^[^-]/.test(topics[0] ?? ''));
  // Of a line without a command, `--json` tells how its fault is written; in front, it would be the first fault.
  if (first === undefined || (first.startsWith('-') && !help))
    return [...words.slice(early.length), ...early.filter((word) => word === '--json')];
  const isCommand = (word?: string): boolean => COMMANDS.some(({ name }) => name === word);
  // An unknown command has no help page: commander would show that of all commands, and no fault.
  const unknown = !isCommand(first) && first !== COMPLETE;
  if (!help) return [first, ...early, ...(unknown ? rest.filter((word) => !asksForHelp(word)) : rest)];
  if (isCommand(topics[0])) return [...topics, '--help'];
  // 'help', 'help help' and 'help version' show the page of all commands.
  const all = topics.length === 0 || topics[0] === 'help' || topics[0] === 'version';
  return all ? ['--help'] : [...topics, ...[...early, ...rest].filter((word) => word === '--json')];
}

/** Runs a command's action; reports a Fault as text, or with --json as a document, and returns an exit code. */
async function runCommand(
  row: CommandRow,
  args: readonly unknown[],
  flags: AnyFlags,
  debug: boolean,
  surroundings: World,
): Promise<Exit> {
  const world = { ...surroundings, out: outFor(flags, surroundings) };
  const isDryRun = 'dryRun' in flags && flags.dryRun === true;
  try {
    const { scopeFor } = await import('../inspect/scopes.ts');
    const scope = await scopeFor(flags.scope ?? 'user', world);
    assertTogether(row, args, flags);
    const { run } = await row.load();
    const reported = new Set<string>();
    return await run(args, flags, { ...world, scope, reported, ...(isDryRun && { dryRun: true }) });
  } catch (error) {
    const faults = faultsOf(error, row.name);
    const found = exitOf(faults);
    const exit = row.name === 'diff' || isDryRun ? found : inTheWay(found);
    if (flags.json) world.out(failureJson(row.name, exit, faults));
    else reportFaults(faults, world);
    if (debug) world.err(String((error as Error).stack));
    return exit;
  }
}

/** Throws a Fault where an option was given without what it needs, or two forms of output were. */
function assertTogether({ options = [] }: CommandRow, args: readonly unknown[], given: AnyFlags): void {
  const format = 'format' in given && given.format;
  if (given.json && (format === 'github' || format === 'markdown'))
    throw new Fault('usage.exclusive', { one: `--format ${format}`, other: '--json' });
  for (const { flag, needs } of options.flatMap(({ flags }) => flags)) {
    if (needs === undefined || !hasFlag(flag, given)) continue;
    if (needs.startsWith('--') ? hasFlag(needs, given) : args[0] === needs) continue;
    throw new Fault('usage.goes-with', { option: flag.replace(/ .*/, ''), needs });
  }
}

const hasFlag = (flag: string, given: AnyFlags): boolean => new Option(flag).attributeName() in given;

/** Returns how a command prints: foreign text can't be a command of the CI system that shows the output. */
function outFor(flags: AnyFlags, { out }: World): World['out'] {
  // These are such commands, whose values are escaped.
  if ('format' in flags && flags.format === 'github') return out;
  return (text) => out(flags.json ? jsonWithoutCommands(text) : withoutCommands(text));
}
