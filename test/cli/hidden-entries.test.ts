import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { COMMIT, homeWith } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();

const CLAUDE = 'home/.claude/settings.json';
const AGAIN = ',\n  "hooks": { "Stop": [] }\n}\n';

/** Entries of ours in a file whose client reads another `hooks`, which comes later. */
async function hiddenEntries(): Promise<{ world: World; before: string; hidden: string }> {
  const world = homeWith(COMMIT);
  const before = world.read(CLAUDE);
  expect(await world.run('install', 'memo', '--client', 'claude-code', '--yes')).toMatchObject({ code: 0 });
  const hidden = world.read(CLAUDE).replace(/\n\}\n$/, AGAIN);
  world.write(CLAUDE, hidden);
  return { world, before, hidden };
}

/** Line and column of the first `hooks`. */
const PLACE = /settings\.json:3:3\b/;

it.runIf(LONG)(
  'names entries that the client reads no more, and removes them once they are back in its sight',
  async () => {
    const { world, before, hidden } = await hiddenEntries();
    const commands = [
      ['diff', '--offline'],
      ['diff', '--offline', '--json'],
      ['install', '--yes'],
      ['doctor'],
    ];
    for (const words of [...commands, ['uninstall']]) {
      const [command = '', ...flags] = words;
      const { code, stdout, stderr } = await world.run(command, 'memo', ...flags);
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(stdout + stderr, command).toMatch(PLACE);
      expect(world.read(CLAUDE), command).toBe(hidden);
    }
    expect((await world.run('list')).stdout).toMatch(/missing/);
    world.write(CLAUDE, hidden.replace(AGAIN, '\n}\n'));
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(world.read(CLAUDE)).toBe(before);
  },
);

it('names their client where the command is about another', async () => {
  const { world } = await hiddenEntries();
  const { code, stderr } = await world.run('install', 'memo', '--client', 'codex', '--yes');
  expect(code).toBe(1);
  expect(stderr).toContain("Claude Code doesn't read the entries of mcphooks here");
});

it.runIf(LONG)('finds them without a record, too', async () => {
  const { world, hidden } = await hiddenEntries();
  rmSync(join(world.home, '.local'), { recursive: true });
  for (const command of ['list', 'doctor']) expect((await world.run(command)).stdout).toContain('memo');
  const { code, stderr } = await world.run('uninstall', 'memo');
  expect(code).toBe(1);
  expect(stderr).toMatch(PLACE);
  expect(world.read(CLAUDE)).toBe(hidden);
});
