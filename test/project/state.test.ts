import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownPaths } from '../../src/base/paths.ts';
import { keptFolder, sessionsFolder } from '../../src/fire/own-folders.ts';
import { cleanWorlds, serverEntry, type World } from '../cli/world.ts';
import { installedTeams } from './team.ts';

cleanWorlds();
const teamWith = installedTeams();

/** Puts there what the project's hooks leave; returns the folders. */
function used(world: World, ...clients: string[]): string[] {
  const { state } = ownPaths(world.env);
  return clients.flatMap((client) =>
    [sessionsFolder, keptFolder].map((folderOf) => {
      const folder = folderOf(state, client, 'memo');
      mkdirSync(join(folder, 's'), { recursive: true });
      writeFileSync(join(folder, 's', 'spent'), '1\n');
      return folder;
    }),
  );
}

const uninstall = (world: World) => world.run('uninstall', 'memo', '--scope', 'project');

describe('the state that hooks of a project leave with the user', () => {
  it('goes with the last known install of the server', async () => {
    const ada = await teamWith('--client', 'cursor,droid');
    const folders = used(ada, 'cursor', 'droid');
    expect(await uninstall(ada)).toMatchObject({ code: 0 });
    expect(folders.filter(existsSync)).toEqual([]);
  });

  it("stays where the user's own install of the server shares it", async () => {
    const ada = await teamWith('--client', 'cursor,droid');
    const folders = used(ada, 'cursor', 'droid');
    const file = ada.write('home/declared.json', JSON.stringify({ declarations: [] }));
    const { command, args } = serverEntry(file);
    ada.write(
      'home/hooks.json',
      JSON.stringify([{ event: 'pre_request', context: 'x', priority: 'suggestion' }]),
    );
    const install = ['install', 'memo', '--client', 'cursor', '--declarations', join(ada.home, 'hooks.json')];
    expect(await ada.run(...install, '--yes', '--', command, ...args)).toMatchObject({ code: 0 });
    expect(await uninstall(ada)).toMatchObject({ code: 0 });
    expect(folders.filter(existsSync)).toEqual(folders);
  });
});
