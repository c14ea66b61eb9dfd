import type { CommanderError } from 'commander';
import type { World } from '../app/context.ts';
import { near } from '../base/near.ts';
import { commanderText, meantInstead, NO_SUBCOMMAND, whatItIs } from '../messages/command-line.ts';
import { Fault } from '../messages/fault.ts';
import { COMMANDS } from './commands.ts';
import { failureJson, reportFaults } from './exit.ts';
import type { CommandRow } from './rows/row.ts';
import { commandIn, ownWords } from './unforeseen.ts';

/** Options of every command, which commander doesn't suggest. */
const EVERYWHERE = ['--help', '--version', '--yes', '--debug'];

/** Reports an invalid command line. For a line without a command, commander has already printed the help page. */
export function reportUsage({ code, message }: CommanderError, words: readonly string[], world: World): void {
  if (code === 'commander.help') return;
  const ours = ownWords(words);
  const command = commandIn(words);
  const page = ours[0] === command ? COMMANDS.find(({ name }) => name === command) : undefined;
  const option = /^error: unknown option '(--?[^'=]+)/.exec(message)?.[1];
  const given = code === 'commander.excessArguments' ? 'argument' : option;
  const text = whatIsWrong(message, option, page);
  const order = page || text.endsWith('?') ? undefined : ordered(option, ours);
  const fault = new Fault('usage.bad', {
    text,
    ...(page && { command }),
    ...(given && { given }),
    ...(order && { order }),
  });
  if (ours.includes('--json')) world.out(failureJson(command, 1, [fault]));
  else reportFaults([fault], world);
}

/** Returns what is wrong, with the option that was probably meant, or with what a missing argument stands for. */
function whatIsWrong(message: string, option: string | undefined, page: CommandRow | undefined): string {
  // The option is valid, but no command says what to do.
  if (option === '--json' && !page) return NO_SUBCOMMAND;
  // An option after `--`: commander 14.0.3 suggests a command without its first two letters.
  if (/^error: unknown command '-[^']/.test(message)) return NO_SUBCOMMAND;
  const meant = option && near(option, page ? EVERYWHERE : [...EVERYWHERE, '--json']);
  if (meant) return meantInstead(message, meant);
  const missing = /^error: missing required argument '(.*)'$/.exec(message)?.[1];
  const sentence = page?.arguments?.find(([name]) => name === `<${missing}>`)?.[1];
  return sentence === undefined ? commanderText(message) : whatItIs(message, sentence);
}

/** Returns the beginning of the command line, in the right order, where the command stands behind other words. */
function ordered(option: string | undefined, ours: readonly string[]): string | undefined {
  const row = COMMANDS.find(
    ({ name }) => name === ours.find((word) => COMMANDS.some((c) => c.name === word)),
  );
  if (!row || option === undefined) return row?.name;
  const known = row.options?.some(({ flags }) =>
    flags.some(({ flag }) => flag.split(/[ ,]+/).includes(option)),
  );
  return known ? `${row.name} ${option}` : undefined;
}
