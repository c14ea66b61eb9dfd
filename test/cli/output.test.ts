import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { CLI, cleanWorlds, makeWorld } from './world.ts';

cleanWorlds();

const declarations = Array.from({ length: 60 }, (_, i) => ({
  event: 'session_start',
  priority: 'suggestion',
  context: `${i} ${'word '.repeat(1500)}`,
}));

describe('what is printed', () => {
  it('arrives whole through a pipe that is slow and does not wait', async () => {
    const { env, project, write } = makeWorld();
    const file = write('declarations.json', JSON.stringify({ declarations }));
    const words = [CLI, 'install', 'one', '--declarations', file, '--client', 'codex', '--dry-run', '--json'];
    // Opening the stream makes the pipe one that doesn't wait, for those that inherit it too.
    const inherits = `process.stdout.isTTY; require('node:child_process').spawnSync(process.execPath, ${JSON.stringify(words)}, { stdio: 'inherit' })`;
    const child = spawn(process.execPath, ['-e', inherits], {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 2],
    });
    await new Promise((done) => setTimeout(done, 1000));
    const out = await text(child.stdout as Readable);
    expect(out.length).toBeGreaterThan(400_000);
    expect(JSON.parse(out).plan.declarations).toEqual(declarations);
  });

  it('ends without harm when nobody reads on', async () => {
    const { env, project } = makeWorld();
    const child = spawn(process.execPath, [CLI, 'schema', 'record'], {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout?.destroy();
    const [code, signal] = await once(child, 'exit');
    expect({ code, signal }).toEqual({ code: 0, signal: null });
  });
});
