import { spawn, spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { ALL } from '../effort.ts';
import { CLI, type World } from './world.ts';

/** Linux's `script` gives a pseudo-terminal; the one of macOS takes other arguments. */
export const hasTerminal = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '',
);

const ERASED = '\r\u001b[K';

export interface Screen {
  code: number | null;
  /** What the terminal was given, with its escape sequences; a line that says what is waited for goes away again. */
  raw: string;
  /** Lines without them. */
  lines: string[];
}

/**
 * Runs the built program at a terminal of so many columns. `answers`: a text to wait for on the screen, and what is
 * typed then.
 */
export async function atTerminal(
  world: World,
  columns: number,
  args: readonly string[],
  answers: readonly [string, string][] = [],
): Promise<Screen> {
  const quoted = [process.execPath, CLI, ...args]
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(' ');
  const child = spawn('script', ['-qefc', `stty cols ${columns} rows 40; ${quoted}`, '/dev/null'], {
    cwd: world.project,
    env: { ...world.env, TERM: 'xterm-256color' },
  });
  let raw = '';
  let seen = 0;
  const left = [...answers];
  child.stdout.setEncoding('utf8').on('data', async (text: string) => {
    raw += text;
    const [next] = left;
    if (!next || !raw.slice(seen).includes(next[0])) return;
    left.shift();
    seen = raw.length;
    // The program turns to its input after it has asked.
    await setTimeout(100);
    child.stdin.write(next[1]);
  });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  raw = raw
    .split(ERASED)
    .filter((piece) => !piece.startsWith('Waiting '))
    .join('');
  return { code, raw, lines: stripVTControlCharacters(raw).replaceAll('\r\n', '\n').trimEnd().split('\n') };
}

/** What a terminal would show: of a run in this process, and with MCPHOOKS_TEST=all of the built program at a real one. */
export async function shownAt(world: World, columns: number, args: readonly string[]): Promise<Screen> {
  if (ALL) return atTerminal(world, columns, args);
  const { code, stdout, stderr } = await world.runAs({ columns }, ...args);
  const raw = stdout + stderr;
  return { code, raw, lines: stripVTControlCharacters(raw).trimEnd().split('\n') };
}
