import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ODD_FILES } from '../base/odd-files.ts';
import { LONG, sample } from '../effort.ts';
import { COMMIT, homeWith } from './home.ts';
import { CLI, cleanWorlds, type World } from './world.ts';

cleanWorlds();

/** Runs the program with little memory and little time. */
function frugally(
  { project, env }: World,
  ...args: string[]
): Promise<{ code: number | null; stderr: string }> {
  return new Promise((done) => {
    const limited = `ulimit -v 4000000; exec timeout 30 "$@"`;
    const words = ['-c', limited, 'sh', process.execPath, '--max-old-space-size=300', CLI, ...args];
    const child = spawn('sh', words, { cwd: project, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (d) => (stderr += d));
    child.on('close', (code) => done({ code, stderr }));
  });
}

/** Between them they read all there is to read. */
const COMMANDS = [
  ['list'],
  ['doctor'],
  ['diff', '--scope', 'project', '--offline'],
  ['install', 'memo', '--dry-run'],
];
/** Files of a project, and of the user, that some command reads. */
const FILES = [
  'project/.mcp.json',
  'project/.claude/settings.json',
  'project/.codex/config.toml',
  'project/.gemini/settings.json',
  'project/mcphooks.lock.json',
  'home/.claude/settings.json',
  'home/.claude.json',
  'home/.codex/config.toml',
  'home/.local/state/mcphooks/record.json',
  'home/.local/state/mcphooks/lock',
  'home/.local/state/mcphooks/journal.commit.json',
  'home/.config/mcphooks/config.json',
  'home/hooks.json',
];

it.each(ODD_FILES.slice(0, LONG ? 2 : 1).map(([name, make], turn) => [name, make, turn] as const))(
  '%s in place of any file ends no command, and holds none up',
  async (_, make, turn) => {
    const world = homeWith(COMMIT);
    const declared = world.write('home/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
    const installed = await world.run('install', 'memo', '--yes', '--declarations', declared);
    expect(installed).toMatchObject({ code: 0 });
    // In a long run every other file gets one of both and is met by one command, in a short run one does; in CI both,
    // by all.
    for (const [i, path] of sample([...FILES.entries()], LONG ? 4 : 24, turn)) {
      const at = join(world.home, '..', path);
      const before = world.files()[path];
      mkdirSync(dirname(at), { recursive: true });
      rmSync(at, { force: true });
      make(at);
      const ran = await Promise.all(
        sample(COMMANDS, COMMANDS.length, Math.floor(i / 2)).map(
          async (args) => [args.join(' '), await frugally(world, ...args)] as const,
        ),
      );
      for (const [args, { code, stderr }] of ran) {
        expect([0, 1, 2, 3], `${path}: ${args}: ${stderr}`).toContain(code);
        expect(stderr, `${path}: ${args}`).not.toMatch(/did not foresee|heap|\n\s+at /);
      }
      rmSync(at, { recursive: true });
      if (before !== undefined) world.write(path, Buffer.from(before, 'latin1').toString());
    }
  },
);
