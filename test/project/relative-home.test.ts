import { expect, it } from 'vitest';
import { cleanWorlds } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { fireAll } from '../export/folders.ts';
import { WINDOWS } from '../platform.ts';
import { commit, installForTeam, mate, teamWorld } from './team.ts';

cleanWorlds();

// Fires here start a real node: in a thread, `homedir()` would be the home of whoever runs the tests.
it.skipIf(WINDOWS).each(['', 'home'])('a hook stores nothing where HOME is "%s"', async (home) => {
  const ada = teamWorld();
  await installForTeam(ada, '--client', 'claude-code');
  commit(ada);
  const bob = mate(ada);
  bob.env.HOME = home;
  const before = bob.files();
  const at = { world: bob, plugin: bob.project };
  const said = fireAll(at, 'UserPromptSubmit', { prompt: 'Hello' }, { file: '.claude/settings.json' });
  expect(said).toEqual([expect.stringContaining('Keep answers short.')]);
  expect(bob.files()).toEqual(before);
});

it.runIf(LONG && !WINDOWS)(
  'a hook is off where its user switched it off, also where XDG_DATA_HOME is relative',
  async () => {
    const ada = teamWorld();
    await installForTeam(ada, '--client', 'claude-code');
    commit(ada);
    const bob = mate(ada);
    bob.env.XDG_DATA_HOME = 'home';
    expect(await bob.run('disable', 'memo')).toMatchObject({ code: 0 });
    const at = { world: bob, plugin: bob.project };
    const said = fireAll(at, 'UserPromptSubmit', { prompt: 'Hello' }, { file: '.claude/settings.json' });
    expect(said).toEqual([undefined]);
  },
);
