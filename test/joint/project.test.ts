import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanWorlds, makeWorld, serverEntry, type World } from '../cli/world.ts';
import { ALL, LONG, sample } from '../effort.ts';
import { runGit } from '../platform.ts';

cleanWorlds();

const PROMPT = { event: 'pre_request', context: 'Prompt.', priority: 'suggestion' };
const PLACES = {
  copilot: ['.mcp.json', '.github/hooks/mcphooks.json'],
  droid: ['.factory/mcp.json', '.factory/settings.json'],
} as const;

function project(client: keyof typeof PLACES): World {
  const world = makeWorld();
  runGit(['init', '-q', world.project], world.project, world.env);
  const servers = ['a', 'b'].map((name) => {
    const file = world.write(`project/${name}.json`, JSON.stringify({ declarations: [PROMPT] }));
    return [name, serverEntry(file)];
  });
  world.write(`project/${PLACES[client][0]}`, JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  return world;
}

async function install(world: World, name: string, client: string): Promise<void> {
  const words = ['install', name, '--scope', 'project', '--client', client];
  const asked = await world.run(...words, '--dry-run');
  const hash = /--allow-start ([0-9a-f]{64})/.exec(asked.stderr)?.[1];
  const ended = await world.run(...words, '--yes', ...(hash ? ['--allow-start', hash] : []));
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
}

describe.each(sample(Object.keys(PLACES) as (keyof typeof PLACES)[], 2))(
  'servers of a project on %s',
  (client) => {
    it.runIf(LONG)('share an entry that every clone has, and leave with the last one', async () => {
      const world = project(client);
      const git = (files: Record<string, string>) =>
        Object.fromEntries(Object.entries(files).filter(([path]) => !/^project\/\.git\/|^home\//.test(path)));
      const before = git(world.files());
      await install(world, 'a', client);
      const joint = () => world.read(`project/${PLACES[client][1]}`).match(/.*\.mcphooks\/joint\/.*/g);
      const alone = joint();
      expect(alone).toHaveLength(1);
      await install(world, 'b', client);
      expect(joint()).toEqual(alone);
      const diff = await world.run('diff', '--scope', 'project', '--offline');
      expect(diff, diff.stdout + diff.stderr).toMatchObject({ code: 0 });
      const doctor = await world.run('doctor');
      expect(doctor.stdout + doctor.stderr).not.toMatch(/unknown|no install|other command/i);

      const script = join(world.project, '.mcphooks/joint', client);
      world.write(`project/.mcphooks/joint/${client}/extra`, 'x');
      const odd = await world.run('diff', '--scope', 'project', '--offline');
      expect(odd.code, odd.stdout).toBe(2);
      rmSync(join(script, 'extra'));

      expect(await world.run('uninstall', 'a', '--scope', 'project')).toMatchObject({ code: 0 });
      expect(joint()).toEqual(alone);
      expect(await world.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
      expect(await world.run('uninstall', 'b', '--scope', 'project')).toMatchObject({ code: 0 });
      expect(existsSync(script)).toBe(false);
      expect(git(world.files())).toEqual(before);
    });

    it.runIf(LONG)('keep it, and the order of the file, where their scripts are lost', async () => {
      const world = project(client);
      const start = { event: 'session_start', context: 'Start.', priority: 'suggestion' };
      world.write('project/b.json', JSON.stringify({ declarations: [start, PROMPT] }));
      for (const name of ['a', 'b']) await install(world, name, client);
      const installed = world.files();
      const lose = () => rmSync(join(world.project, '.mcphooks'), { recursive: true });
      lose();
      const frozen = ['install', '--frozen', '--scope', 'project', '--yes'];
      expect(await world.run(...frozen)).toMatchObject({ code: 0 });
      expect(world.files()).toEqual(installed);
      lose();
      const { stdout } = await world.run('list', '--json');
      expect(stdout).not.toContain('serves-none');
      expect(await world.run('uninstall', 'a', '--scope', 'project')).toMatchObject({ code: 0 });
      expect(await world.run(...frozen)).toMatchObject({ code: 0 });
      expect(await world.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
    });
  },
);

it.runIf(ALL)(
  'on Windows, servers of a project on Copilot CLI start with a line for PowerShell, by node alone',
  async () => {
    const world = project('copilot');
    const start = { event: 'session_start', context: 'Start.', priority: 'suggestion' };
    for (const name of ['a', 'b'])
      world.write(`project/${name}.json`, JSON.stringify({ declarations: [PROMPT, start] }));
    for (const name of ['a', 'b']) await install(world, name, 'copilot');
    const { hooks } = JSON.parse(world.read(`project/${PLACES.copilot[1]}`));
    const sub = join(world.project, 'sub');
    mkdirSync(sub);
    const says = (event: string, cwd: string, env: Record<string, string> = {}): string =>
      hooks[event]
        .map(({ powershell }: { powershell: string }) => {
          expect(powershell).not.toMatch(/["$]/);
          const words =
            /^try \{ & node '-e' '([^']*)' '([^']*)' \} catch \{\}; exit 0$/.exec(powershell)?.slice(1) ?? [];
          const input = JSON.stringify({ sessionId: 's', cwd, prompt: 'Hi', source: 'new' });
          const ran = spawnSync(process.execPath, ['-e', ...words], {
            cwd,
            env: { ...world.env, ...env },
            encoding: 'utf8',
            input,
          });
          expect([ran.status, ran.stderr]).toEqual([0, '']);
          return ran.stdout;
        })
        .join('');
    const here = { COPILOT_PROJECT_DIR: world.project };
    const both = (said: string) => JSON.parse(said).additionalContext.match(/^(?:Prompt|Start)\.$/gm);
    for (const said of [says('userPromptSubmitted', sub, here), says('userPromptSubmitted', world.project)])
      expect(both(said)).toEqual(['Prompt.', 'Prompt.']);
    expect(both(says('sessionStart', world.project))).toEqual(['Start.', 'Start.']);
    expect(says('sessionStart', sub)).toBe('');
    const doctor = await world.run('doctor');
    expect(doctor.stdout + doctor.stderr).not.toMatch(/unknown|no install|other command/i);
  },
);

it.runIf(LONG)(
  'on Windows, an entry for all servers starts node only for those whose hooks may match',
  async () => {
    const world = project('copilot');
    const commit = { ...PROMPT, event: 'post_tool_use', matcher: { input_contains: 'git commit' } };
    const pull = { ...commit, matcher: { input_contains: 'git pull' } };
    for (const [name, item] of [['a', commit] as const, ['b', pull] as const]) {
      world.write(`project/${name}.json`, JSON.stringify({ declarations: [item] }));
      await install(world, name, 'copilot');
    }
    const started = join(world.home, 'started');
    const note = `require('fs').appendFileSync(${JSON.stringify(started)}, process.argv[2] + '\\n')`;
    world.write('project/.mcphooks/runtime/fire.cjs', note);
    const fires = (command: string): string[] => {
      const script = join(world.project, '.mcphooks/joint/copilot/postToolUse');
      const input = JSON.stringify({
        sessionId: 's',
        toolName: 'bash',
        toolArgs: JSON.stringify({ command }),
      });
      const words = [join(world.project, '.mcphooks/runtime/joint.cjs'), script];
      const ran = spawnSync(process.execPath, words, { env: world.env, encoding: 'utf8', input });
      expect([ran.status, ran.stderr]).toEqual([0, '']);
      const lines = existsSync(started) ? readFileSync(started, 'utf8').trim().split('\n') : [];
      rmSync(started, { force: true });
      return lines.map((path) => /[/\\]hooks[/\\](\w+)/.exec(path)?.[1] ?? path).sort();
    };
    expect(fires('ls')).toEqual([]);
    expect(fires('git commit -m x')).toEqual(['a']);
    expect(fires('git commit; git pull')).toEqual(['a', 'b']);
  },
);

it.runIf(LONG)(
  'a user’s server and a project’s that share a cap have half of it each, as plan and doctor say',
  async () => {
    const world = project('copilot');
    const after = { event: 'post_tool_use', context: 'After.', priority: 'suggestion' };
    const own = world.write('home/own.json', JSON.stringify({ declarations: [after] }));
    world.write('project/a.json', JSON.stringify({ declarations: [after] }));
    world.write('home/.copilot/mcp-config.json', JSON.stringify({ mcpServers: { own: serverEntry(own) } }));
    await install(world, 'a', 'copilot');
    expect((await world.run('doctor', '--json')).stdout).not.toContain('heard-halves');
    const ended = await world.run('install', 'own', '--client', 'copilot', '--yes');
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    const { stdout } = await world.run('doctor');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'all hook texts at postToolUse share one limit in Copilot CLI: your servers and those of this project get 5000 each',
    );
    // Said of either server, though the other half is another server's.
    for (const server of ['own', 'a'])
      expect((await world.run('doctor', server, '--json')).stdout, server).toContain('heard-halves');
    const words = ['diff', 'a', '--scope', 'project', '--json'];
    expect((await world.run(...words)).stdout).toContain('"heard.halves"');
  },
);
