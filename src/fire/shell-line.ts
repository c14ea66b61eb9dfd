import { runs, searches } from './command-words.ts';
import { simpleCommands } from './shell-commands.ts';

/** A line for a shell, as far as conditions ask for it. */
export interface ShellLine {
  /** Of each command that it runs. */
  words: string[][];
  /** One of its commands searches files. */
  searches: boolean;
  /** Whether one of them is that of the wanted words. */
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
