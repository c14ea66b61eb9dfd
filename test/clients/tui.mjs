/** One interactive session of a client against a fake model, in a terminal that tmux plays. */

import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeModel } from './models/server.mjs';
import { OF, said } from './of.mjs';

const DEADLINE_MS = 90_000;
/** Longer than a frame of any client's spinner. */
const REST_MS = 250;

/** Why no client can be run at a terminal here; undefined: it can. */
export const noTerminal = spawnSync('tmux', ['-V']).status === 0 ? undefined : 'tmux is not installed';

/**
 * Each client's `terminal` says how it starts (`args`), what its screen shows while it takes a prompt (`prompt`), what
 * it would ask at its first start (`settle`), and its commands to quit and to clear where these have other names.
 * `turns`: what the model answers, one after the other. `again`: resume the last session. `env`: over what it gets else.
 * Whatever is waited for throws with the screen when it doesn't come.
 */
export async function openTui(
  client,
  { world, turns, sub, again = false, model, trust, more = [], cwd = world.project, env: own = {}, port },
) {
  const way = said({ client }, 'terminal');
  const { dialect, env: envFor, review } = OF[client.id];
  const fake = await fakeModel(dialect, { main: turns, ...(sub ? { sub } : {}) }, port);
  const env = { ...world.env, ...envFor(fake.url), TERM: 'xterm-256color', SHELL: '/bin/sh', ...own };
  way.settle?.(world, env);
  if (trust === 'review') await review(client, world);

  const socket = join(world.dir, 'tmux');
  const tmux = (...args) =>
    spawnSync('tmux', ['-S', socket, ...args], { env, encoding: 'utf8' }).stdout ?? '';
  const program = [...client.command, ...way.args({ again, url: fake.url, model, trust, world }), ...more];
  // A control client: when we end, however that is, its pipe closes and the terminal goes with it.
  const control = spawn(
    'tmux',
    [
      ...['-S', socket, '-f', '/dev/null', '-C', 'new-session', ...program],
      ...[';', 'refresh-client', '-C', '150x50', ';', 'set', 'destroy-unattached', 'on'],
    ],
    { cwd, env, stdio: ['pipe', 'ignore', 'inherit'] },
  );
  control.stdin.on('error', () => {}); // ended meanwhile
  let open = true;
  const ended = new Promise((done) => control.once('exit', done)).then(() => (open = false));

  const screen = () => tmux('capture-pane', '-p');
  async function until(what, holds) {
    const deadline = Date.now() + DEADLINE_MS;
    for (let last = ''; !(await holds()); last = screen()) {
      if (!open || Date.now() > deadline)
        throw new Error(`${open ? 'no' : 'it ended before'} ${what} at the terminal:\n${last.trim()}`);
      await sleep(50);
    }
  }
  const shows = (text) => until(`"${text}"`, () => screen().includes(text));
  async function still() {
    const before = screen();
    await sleep(REST_MS);
    return screen() === before;
  }
  /** It asks for a prompt and nothing moves: no hook and no turn is under way. */
  const atRest = async () => way.prompt.test(screen()) && still();
  /** Presses again while `holds` doesn't come: a client that still starts can lose keys. */
  async function press(what, holds, first, again = first) {
    let tries = 0;
    await until(what, async () => {
      if (tries % 10 === 0) tmux('send-keys', ...(tries === 0 ? first : again));
      tries++;
      await sleep(REST_MS);
      return holds();
    });
  }
  async function type(text) {
    const shown = () => screen().includes(text);
    await press(`"${text}"`, shown, ['-l', text], ['C-u', ...text]);
    // What comes within some 30 ms can be taken as part of what was typed.
    await sleep(REST_MS);
    await press(`taker of "${text}"`, () => !open || way.prompt.test(screen()), ['Enter']);
  }
  async function enter(text) {
    await until('prompt', atRest);
    await type(text);
  }
  const pid = () => Number(tmux('list-panes', '-F', '#{pane_pid}'));
  await until('terminal', () => pid() > 0);
  const started = pid();

  return {
    requests: fake.requests,
    port: Number(new URL(fake.url).port),
    unused: fake.unused,
    screen,
    until,
    shows,
    atRest,
    /** Nothing moves on the screen. */
    still,
    /** Presses keys once, by the names that tmux has for them. */
    keys: (...keys) => tmux('send-keys', ...keys),
    /** Types a line at once, `enter` when the client is at rest. */
    type,
    enter,
    clear: async (shown) => {
      await enter(way.clear ?? '/clear');
      await until('empty screen', () => !screen().includes(shown));
    },
    quit: async () => {
      await enter(way.quit ?? '/quit');
      await until('end', () => !open);
    },
    close: async () => {
      tmux('kill-server');
      await ended;
      for (let tries = 200; isRunning(started) && tries > 0; tries--) await sleep(50);
      await fake.close();
    },
  };
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What a model was sent in prompt `run` (from 0), without side requests. */
export const ownRequests = (requests, run) =>
  requests.filter(({ kind }) => kind !== 'side').map((request) => ({ run, ...request }));

/** A session at a terminal, all prompts in one process; takes and returns what `session` does. */
export async function typed(client, { world, prompts, ...how }) {
  const all = (key) => prompts.flatMap((one) => one[key] ?? []);
  const tui = await openTui(client, { ...how, world, turns: all('turns'), sub: all('sub') });
  const result = { code: 0, stdout: '', stderr: '', requests: [], unused: 0, port: tui.port };
  let from = 0;
  try {
    for (const [i, { prompt = `prompt ${i + 1}` }] of prompts.entries()) {
      const later = prompts.slice(i + 1).flatMap(({ turns, sub = [] }) => [...turns, ...sub]).length;
      await tui.enter(prompt);
      await tui.until('answer', () => tui.unused() <= later);
      await tui.until('prompt', tui.atRest);
      result.stdout += tui.screen();
      result.requests.push(...ownRequests(tui.requests.slice(from), i));
      from = tui.requests.length;
    }
    await tui.quit();
  } finally {
    await tui.close();
  }
  return { ...result, unused: tui.unused() };
}
