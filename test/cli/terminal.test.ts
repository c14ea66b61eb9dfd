/** Questions at a real terminal, which util-linux's `script` provides. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { CLI, makeWorld, type World } from './world.ts';

const SCRIPT = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
const SAY = { event: 'pre_request', context: 'A word.', priority: 'suggestion' };
const [HIDDEN, SHOWN] = ['\x1b[?25l', '\x1b[?25h'];
const PROGRAM = `'${process.execPath}' '${CLI}'`;

const opened: ChildProcess[] = [];
// The end of a terminal ends what runs there.
afterEach(() => {
  for (const child of opened.splice(0)) child.kill('SIGKILL');
});

/** A shell command at a terminal: `see` waits for a text on the terminal, `type` types. */
function atTerminal(world: World, command: string) {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: world.project,
    env: { ...world.env, TERM: 'xterm', SHELL: '/bin/sh' },
  });
  opened.push(child);
  const shown = { text: '', seen: 0 };
  child.stdout.on('data', (chunk) => {
    shown.text += chunk;
  });
  const ended = new Promise<number | null>((done) => child.on('close', done));
  return {
    shown,
    ended,
    type: (keys: string) => child.stdin.write(keys),
    see: async (text: string): Promise<void> => {
      const until = performance.now() + 20_000;
      let at = shown.text.indexOf(text, shown.seen);
      for (; at < 0; at = shown.text.indexOf(text, shown.seen)) {
        if (child.exitCode !== null || performance.now() > until)
          throw new Error(`no "${text}": ${shown.text.slice(shown.seen)}`);
        await sleep(20);
      }
      shown.seen = at + text.length;
      // The question reads keys in the turn after it is shown.
      await sleep(200);
    },
  };
}

/** Returns the process that runs mcphooks in this world. */
function programIn(world: World): number {
  const isOurs = (pid: string): boolean => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words[1] === CLI && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(world.home);
    } catch {
      return false;
    }
  };
  return Number(readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && isOurs(pid)));
}

function declaring(): World {
  const world = makeWorld();
  world.write('home/declared.json', JSON.stringify({ declarations: [SAY, { ...SAY, context: 'More.' }] }));
  return world;
}

const INSTALL = 'install memo --declarations ../home/declared.json --no-check --client claude-code,codex';

/** Runs an install up to its question. */
async function asked(world: World) {
  const terminal = atTerminal(world, `exec ${PROGRAM} ${INSTALL}`);
  await terminal.see('Write this?');
  return terminal;
}

describe.runIf(LONG && SCRIPT)('at a terminal', () => {
  it('Ctrl-D cancels a menu, and shows the cursor again', async () => {
    const world = declaring();
    const before = world.files();
    const terminal = await asked(world);
    terminal.type('c\r');
    await terminal.see('Which hooks');
    terminal.type('\x04');
    await terminal.see('Write this?');
    expect(terminal.shown.text.lastIndexOf(SHOWN)).toBeGreaterThan(terminal.shown.text.lastIndexOf(HIDDEN));
    terminal.type('n\r');
    expect(await terminal.ended).toBe(3);
    expect(world.files()).toEqual(before);
  });

  it('an empty choice is asked for again, without colours under NO_COLOR', async () => {
    const world = declaring();
    const terminal = atTerminal(world, `NO_COLOR=1 exec ${PROGRAM} ${INSTALL}`);
    await terminal.see('Write this?');
    terminal.type('c\r');
    await terminal.see('Which hooks');
    // All off, and Enter.
    for (const key of ['a', '\r']) {
      terminal.type(key);
      await sleep(200);
    }
    await terminal.see('at least one');
    terminal.type('\x03');
    await terminal.see('Write this?');
    terminal.type('n\r');
    expect(await terminal.ended).toBe(3);
    expect(inspect(terminal.shown.text)).not.toMatch(/x1B\[(?:7|[349]\d|10\d)m/);
  });

  it.each(['Write this?', 'Which hooks'])(
    'Ctrl-Z stops a question, which goes on afterwards: %s',
    async (question) => {
      const world = declaring();
      const terminal = atTerminal(world, `set -m; ${PROGRAM} ${INSTALL}; fg; echo code $?`);
      await terminal.see('Write this?');
      if (question !== 'Write this?') {
        terminal.type('c\r');
        await terminal.see(question);
      }
      terminal.type('\x1a');
      await terminal.see(`${CLI}`);
      await sleep(300);
      if (question !== 'Write this?') terminal.type('\x03');
      await terminal.see('Write this?');
      terminal.type('n\r');
      await terminal.see('code 3');
      await terminal.ended;
    },
  );

  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends a question, and the terminal is as before',
    async (signal) => {
      const world = declaring();
      const terminal = atTerminal(world, `stty -a; ${PROGRAM} ${INSTALL}; stty -a`);
      await terminal.see('Write this?');
      terminal.type('c\r');
      await terminal.see('Which hooks');
      process.kill(programIn(world), signal);
      await terminal.ended;
      const [before, after] = terminal.shown.text.match(/speed[\s\S]*?echoke[^\r\n]*/g) ?? [];
      expect(before).toBeDefined();
      expect(after).toBe(before);
      expect(terminal.shown.text.lastIndexOf(SHOWN)).toBeGreaterThan(terminal.shown.text.lastIndexOf(HIDDEN));
    },
  );

  it('hooks removed from a client by choice stay removed, and a no afterwards says so', async () => {
    const world = declaring();
    expect((await world.run(...INSTALL.split(' '), '--yes')).code).toBe(0);
    world.write('home/declared.json', JSON.stringify({ declarations: [{ ...SAY, context: 'Other.' }] }));
    const terminal = await asked(world);
    terminal.type('c\r');
    await terminal.see('Which hooks');
    terminal.type('\r');
    await terminal.see('On which clients');
    terminal.type(' \r');
    await terminal.see('Remove the hooks from Claude Code?');
    terminal.type('y\r');
    await terminal.see('Write this?');
    terminal.type('n\r');
    await terminal.see('not approved, so nothing more was written');
    expect(await terminal.ended).toBe(3);
    expect(await world.run('list')).toMatchObject({ stdout: expect.not.stringContaining('Claude Code') });
  });

  it('Ctrl-C in the pager leaves mcphooks alone', async () => {
    const world = declaring();
    // As `less`, this pager goes on after Ctrl-C.
    world.env.PAGER = `sh -c 'trap "echo caught" INT; cat >/dev/null; echo paging; read x </dev/tty; read x </dev/tty'`;
    const terminal = await asked(world);
    terminal.type('f\r');
    await terminal.see('paging');
    terminal.type('\x03');
    await terminal.see('caught');
    terminal.type('q\rq\r');
    await terminal.see('Write this?');
    terminal.type('n\r');
    expect(await terminal.ended).toBe(3);
  });

  it('nothing is asked when nobody can read the plan', async () => {
    const world = declaring();
    const before = world.files();
    const terminal = atTerminal(world, `${PROGRAM} ${INSTALL} | true`);
    await terminal.see('not approved, so nothing was written');
    await terminal.ended;
    expect(world.files()).toEqual(before);
  });
});
