import { runs, searches } from './command-words.ts';
import { simpleCommands } from './shell-commands.ts';

/** A shell line, as needed by conditions. */
export interface ShellLine {
  /** The line as given, for a person who runs the hook by hand. */
  text: string;
  /** True when one of the commands searches files. */
  searches: boolean;
  /** Returns true when one of the commands has the wanted words. */
  runs: (wanted: readonly string[]) => boolean;
}

export function readShellLine(line: string): ShellLine {
  const commands = simpleCommands(line);
  return {
    text: line,
    searches: searches(commands),
    runs: (wanted) => runs(commands, wanted),
  };
}
