import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { hookFile, hookWords } from '../platform.ts';
import { cleanWorlds, type Ended, makeWorld, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });
const SERVER = fileURLToPath(new URL('../fixtures/servers/folder.mjs', import.meta.url));
const hashIn = ({ stdout, stderr }: Ended): string =>
  /--allow-start ([0-9a-f]{64})/.exec(stdout + stderr)?.[1] ?? '';

/** What the hook of a start prints in a session of Claude Code in the project. */
function startHook(world: World): string {
  const script = hookFile('claude-code/SessionStart');
  const [shim = ''] = Object.keys(world.files()).filter((path) => path.endsWith(script));
  const [command, ...args] = hookWords(join(world.home, '..', shim.replace(/\.cjs$/, '')));
  const input = JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's', source: 'startup' });
  return spawnSync(command, args, { cwd: world.project, env: world.env, input, encoding: 'utf8' }).stdout;
}

/** Projects with a server whose variable MODE is in a file of the project's. */
const PROJECTS = {
  envFile: {
    client: 'cursor',
    config: '.cursor/mcp.json',
    file: '.env',
    text: (mode: string) => `# ours\nMODE=${mode}\nMEMO_TOKEN=s3cr3t-of-the-file\n`,
    servers: (args: string[]) => ({
      mcpServers: { memo: { command: process.execPath, args, envFile: '${workspaceFolder}/.env' } },
    }),
  },
  '{file:}': {
    client: 'opencode',
    config: 'opencode.json',
    file: 'mode.txt',
    text: (mode: string) => `${mode}\n`,
    servers: (args: string[]) => ({
      mcp: {
        memo: {
          type: 'local',
          command: [process.execPath, ...args],
          environment: { MODE: '{file:mode.txt}' },
        },
      },
    }),
  },
};

it.runIf(LONG).each(Object.entries(PROJECTS))(
  'the approval of an entry of a project covers the content of its %s',
  async (_, { client, config, file, text, servers }) => {
    const world = makeWorld();
    mkdirSync(join(world.project, '.git'));
    world.write('project/has-tools', '');
    world.write('home/.claude/settings.json', '{}\n');
    world.write(`project/${file}`, text('first'));
    world.write(`project/${config}`, JSON.stringify(servers([SERVER])));
    const install = [
      'install',
      'memo',
      '--scope',
      'local',
      '--client',
      'claude-code',
      '--from',
      client,
      '--yes',
      '--accept-changed',
    ];

    const asked = await world.run(...install);
    expect(asked).toMatchObject({ code: 3 });
    expect(asked.stderr).toContain('MODE=first');
    expect(asked.stderr).not.toContain('s3cr3t-of-the-file');
    const admitted = await world.run(...install, '--allow-start', hashIn(asked));
    expect(admitted, admitted.stderr).toMatchObject({ code: 0 });
    expect(startHook(world)).toContain('mode first');
    expect(await world.run('diff', 'memo', '--scope', 'local', '--offline')).toMatchObject({ code: 0 });

    world.write(`project/${file}`, text('second'));
    expect(startHook(world)).not.toContain('mode');
    expect(await world.run('diff', 'memo', '--scope', 'local', '--offline')).toMatchObject({ code: 2 });
    const again = await world.run(...install);
    expect(again).toMatchObject({ code: 3 });
    expect(hashIn(again)).not.toBe(hashIn(asked));
    expect(await world.run(...install, '--allow-start', hashIn(again))).toMatchObject({ code: 0 });
    expect(startHook(world)).toContain('mode second');
  },
);
