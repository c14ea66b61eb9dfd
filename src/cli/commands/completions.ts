import type { Command } from 'commander';
import type { World } from '../../app/context.ts';
import { asset } from '../../base/assets.ts';
import { complete, SHELLS } from '../completions.ts';
import { type Exit, knownWord } from '../exit.ts';

/** `mcphooks completions`: prints a script for the shell, which runs `mcphooks __complete` for candidates. */
export function run([name]: [shell: string], _: object, context: World): Exit {
  const shell = knownWord(name, 'shell', SHELLS);
  context.out(asset(`templates/completions/${shell}.${shell === 'powershell' ? 'ps1' : 'sh'}`).trimEnd());
  return 0;
}

/** `mcphooks __complete <words>`: prints one candidate with its description per line. Prints nothing on any error. */
export async function candidates(program: Command, words: readonly string[], context: World): Promise<Exit> {
  const found = await complete(program, words, context).catch(() => []);
  // A line break would make two candidates of one, and other control characters would reach the terminal.
  const lines = found.filter(({ value }) => !/\p{Cc}/u.test(value));
  if (lines.length > 0)
    context.out(lines.map(({ value, description }) => `${value}\t${description}`).join('\n'));
  return 0;
}
