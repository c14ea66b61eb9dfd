import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { isAlive } from '../fire/world.ts';
import { scratch } from '../store/support.ts';

const root = join(import.meta.dirname, '../..');

/** Opens servers, and prints `on` two seconds later, if it still runs: a signal ends a process of its own. */
const PROGRAM = `
import processes from 'node:child_process';
import { diagnosticsFor } from './src/servers/mcp/diagnostics.ts';
import { openStdio } from './src/servers/mcp/stdio.ts';
const [before, ...servers] = process.argv.slice(2);
const { spawn } = processes;
// Signals that arrive while a server is started.
processes.spawn = (...words) => {
  if (before) process.kill(process.pid, before);
  const child = spawn(...words);
  // The last thing that is done before an end is over.
  const kill = child.kill.bind(child);
  child.kill = (how) => {
    if (env.SIGNAL_AT_END && !env.AFTER_MS) process.kill(process.pid, env.SIGNAL_AT_END);
    return kill(how);
  };
  return child;
};
const { env } = process;
const waits = { end: 100, kill: 300, farewell: 100, discover: 100 };
const open = async ([command, ...args]) =>
  openStdio({ command, args, cwd: process.cwd(), env }, diagnosticsFor('x', []), waits);
const opened = await Promise.allSettled(servers.map((words) => open(words.replace('%00', '\\0').split(' '))));
console.log('open');
// A signal in the moment of an end; what follows would write.
if (env.SIGNAL_AT_END) {
  const closing = opened[0].value.close();
  if (env.AFTER_MS) setTimeout(() => process.kill(process.pid, env.SIGNAL_AT_END), Number(env.AFTER_MS));
  await closing;
  console.log('closed');
  for (const until = Date.now() + 300; Date.now() < until; );
  console.log('wrote');
}
setTimeout(() => console.log('on'), 2000);
`;

let program: string;

beforeAll(async () => {
  const how = { bundle: true, write: false, platform: 'node', format: 'cjs' } as const;
  const contents = `(async () => {${PROGRAM.replaceAll(/^import (.*) from ('.*');$/gm, 'const $1 = require($2);')}})();`;
  const { outputFiles } = await build({ ...how, absWorkingDir: root, stdin: { contents, resolveDir: root } });
  program = outputFiles?.[0]?.text ?? '';
});

/** Runs the program with servers, each a line of words; `signal` is sent when all are open. */
async function run(
  folder: string,
  before: string,
  servers: string[],
  signal?: NodeJS.Signals,
  env: Record<string, string> = {},
) {
  const file = join(folder, 'program.cjs');
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file, before, ...servers], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
    if (signal && said === 'open\n') child.kill(signal);
  });
  child.stderr.on('data', (text) => {
    said += text;
  });
  const by = await new Promise((done) => child.on('close', (_, how) => done(how)));
  return { by, said };
}

/** A server that notices neither SIGTERM nor its closed stdin, with its pid in a file of that name. */
function stubborn(folder: string, name: string): string {
  const script = join(folder, `${name}.sh`);
  writeFileSync(script, `trap '' TERM\necho $$ >'${join(folder, name)}'\nexec sleep 60\n`);
  return `/bin/sh ${script}`;
}

const runs = (folder: string, name: string): boolean =>
  existsSync(join(folder, name)) && isAlive(Number(readFileSync(join(folder, name), 'utf8')));

describe('a signal', () => {
  it.runIf(LONG).each(['SIGINT', 'SIGTERM'])(
    'in the moment of a start that fails is not lost: %s',
    async (signal) => {
      expect(await run(scratch(), signal, ['no-such-program'])).toMatchObject({ by: signal });
      expect(await run(scratch(), signal, ['/bin/sh -c %00'])).toMatchObject({ by: signal });
    },
  );

  it('in the moment of a start ends the server, too', async () => {
    const folder = scratch();
    expect(await run(folder, 'SIGINT', [stubborn(folder, 'a')])).toMatchObject({ by: 'SIGINT' });
    expect(runs(folder, 'a')).toBe(false);
  });

  it.runIf(LONG).each(['0', '50', '150', ''])(
    'while a server ends, %s ms later or at last, stops what would follow',
    async (ms) => {
      const folder = scratch();
      const env = { SIGNAL_AT_END: 'SIGINT', AFTER_MS: ms };
      const ran = await run(folder, '', [stubborn(folder, 'a')], undefined, env);
      expect(ran).toEqual({ by: 'SIGINT', said: 'open\n' });
      expect(runs(folder, 'a')).toBe(false);
    },
  );

  it('ends all servers, also the slowest', async () => {
    const folder = scratch();
    const servers = ['/bin/sleep 60', stubborn(folder, 'a'), stubborn(folder, 'b')];
    expect(await run(folder, '', servers, 'SIGINT')).toEqual({ by: 'SIGINT', said: 'open\n' });
    expect([runs(folder, 'a'), runs(folder, 'b')]).toEqual([false, false]);
  });

  // Ctrl-\ sends SIGQUIT, and a terminal that is closed SIGHUP.
  it.each(['SIGQUIT', 'SIGHUP'] as const)('of a terminal ends a server that hangs: %s', async (signal) => {
    const folder = scratch();
    expect(await run(folder, '', [stubborn(folder, 'a')], signal)).toEqual({ by: signal, said: 'open\n' });
    expect(runs(folder, 'a')).toBe(false);
  });
});

it.runIf(LONG)('servers at once give no warning, and leave nothing that a signal waits for', async () => {
  expect(await run(scratch(), '', Array(12).fill('no-such-program'))).toEqual({
    by: null,
    said: 'open\non\n',
  });
});
