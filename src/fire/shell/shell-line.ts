import { runs, searches } from './command-words.ts';
import { simpleCommands } from './shell-commands.ts';

/** A shell line, as needed by conditions. */
export interface ShellLine {
  /** Words of each command that the line runs. */
  words: string[][];
  /** True when one of the commands searches files. */
  searches: boolean;
  /** Returns true when one of the commands has the wanted words. */
  runs: (wanted: readonly string[]) => boolean;
}

export function readShellLine(line: string): ShellLine {
  const commands = simpleCommands(line);
  return {
    words: commands.map(({ words }) => words),
    searches: searches(commands),
    runs: (wanted) => runs(commands, wanted),
  };
}
