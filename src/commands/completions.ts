import type { Command } from 'commander';
import { asset } from '../assets.ts';
import { complete, SHELLS } from '../completions.ts';
import type { World } from '../context.ts';
import { meantOr } from '../declarations/near.ts';
import { Fault } from '../messages.ts';
import type { Exit } from './outcome.ts';

/** `mcphooks completions`: a script for the shell, that asks `mcphooks __complete` for candidates. */
export function completions(name: string, context: World): Exit {
  const shell = SHELLS.find((s) => s === name);
  if (!shell)
    throw new Fault('usage.bad', {
      text: `There are no completions for '${name}'. ${meantOr(name, SHELLS)}`,
    });
  context.out(asset(`templates/completions/${shell}.sh`).trimEnd());
  return 0;
}

/** `mcphooks __complete <words>`: a candidate and its description a line. Whatever is wrong, it says nothing. */
export async function candidates(program: Command, words: readonly string[], context: World): Promise<Exit> {
  const found = await complete(program, words, context).catch(() => []);
  // A name with a line break would be two.
  const lines = found.filter(({ value }) => !/[\n\t]/.test(value));
  if (lines.length > 0)
    context.out(lines.map(({ value, description }) => `${value}\t${description}`).join('\n'));
  return 0;
}
