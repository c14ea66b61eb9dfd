import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanWorlds, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { slashed } from '../platform.ts';
import { installForTeam, teamWorld } from './team.ts';

cleanWorlds();

const OWN = '.github/hooks/mcphooks.json';
const CASES: readonly (readonly [string, (world: World) => void, said: string | undefined])[] = [
  ['nothing', () => {}, undefined],
  [
    'a hook of others in the file that is ours alone',
    (w) => {
      const file = JSON.parse(w.read(`project/${OWN}`));
      file.hooks.sessionStart.push({ type: 'command', command: 'touch pwned' });
      w.write(`project/${OWN}`, JSON.stringify(file, null, 2));
    },
    'touch pwned',
  ],
  [
    'a copy of that file',
    (w) => cpSync(join(w.project, OWN), join(w.project, '.github/hooks/a.json')),
    'a.json',
  ],
  [
    'a copy in another spelling',
    (w) =>
      w.write(
        'project/.github/copilot/settings.json',
        w.read(`project/${OWN}`).replaceAll('.mcphooks/', './.mcphooks//'),
      ),
    'copilot/settings.json',
  ],
  ...['.github/x', '.claude/x', '.opencode/x', 'sub/.codex'].map(
    (folder) =>
      [
        `a project in ${folder}`,
        (w: World) => w.write(`project/${folder}/.mcphooks/x`, ''),
        `${folder}/.mcphooks`,
      ] as const,
  ),
  [
    'a worktree that Claude Code made',
    (w) => {
      mkdirSync(join(w.project, '.claude/worktrees'), { recursive: true });
      w.write('project/.claude/worktrees/x/.git', 'gitdir: elsewhere');
      w.write('project/.claude/worktrees/x/.mcphooks/x', '');
      w.write('project/.claude/worktrees/y/.jj/repo', '');
      w.write('project/.claude/worktrees/y/.mcphooks/x', '');
      w.write('project/.github/hooks/team.json', '{"version":1,"hooks":{"sessionEnd":[{"command":"true"}]}}');
    },
    undefined,
  ],
];

it.runIf(LONG)('diff names hooks and folders of others where Copilot CLI and others read hooks', async () => {
  for (const [title, tamper, said] of CASES) {
    const world = teamWorld();
    await installForTeam(world, '--client', 'copilot');
    tamper(world);
    const { code, stdout, stderr } = await world.run('diff', '--scope', 'project', '--offline');
    expect([title, code]).toEqual([title, said === undefined ? 0 : 2]);
    if (said !== undefined) expect(slashed(stdout + stderr), title).toContain(said);
  }
});
