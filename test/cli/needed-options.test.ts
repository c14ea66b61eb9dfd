import { expect, it } from 'vitest';
import type { World } from '../../src/app/context.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { addCommand, emptyProgram } from '../../src/cli/help.ts';
import type { CommandRow } from '../../src/cli/rows/row.ts';

const PRINTS = { out: () => {}, err: () => {} } as unknown as World;

/** Returns what commander makes of the words: options and arguments, or its mistake. */
function parsed(row: CommandRow, words: readonly string[], all: boolean): unknown {
  const program = emptyProgram(PRINTS);
  let found: unknown;
  addCommand(program, row, all ? undefined : words).action((...given: unknown[]) => {
    const flags = given.at(-2) as Record<string, unknown>;
    // Without the option, `--no-check` has no default.
    found = { args: given.slice(0, -2), flags: { ...flags, check: flags.check ?? true } };
  });
  try {
    program.parse([row.name, ...words], { from: 'user' });
  } catch (error) {
    return (error as Error).message;
  }
  return found;
}

const ODD = [
  ['--json', 'one'],
  ['one', '--jso'],
  ['-yy', 'one'],
  ['-y=1', 'one'],
  ['-yV'],
  ['--json=1', 'one'],
  ['one', '--', 'npx', '-y', 'kit', '--json', '--other'],
  ['--from', '--', '--json'],
  ['--client'],
  ['-'],
];

it.each(COMMANDS)('$name reads a line alike with all options and with those that it names', (row) => {
  const flags = (row.options ?? []).flatMap((group) => group.flags);
  const lines = flags.flatMap(({ flag, of, offers }) => {
    const [name = ''] = flag.split(/[ ,]+/);
    const value = of?.[0] ?? offers?.[0] ?? '1';
    const lines = [
      [name],
      [name, 'one'],
      [name, value, 'one'],
      [`${name}=${value}`, 'one'],
      [name, '--json'],
    ];
    return [...lines, ...lines.map((line) => [...line, '--nonsense'])];
  });
  for (const line of [...lines, ...ODD, []])
    expect({ line, is: parsed(row, line, false) }).toEqual({ line, is: parsed(row, line, true) });
});
