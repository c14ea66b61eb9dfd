/** One interactive session of a client against a fake model, in a terminal that tmux plays. */

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { byClient } from './by-client.mjs';
import { trustHooks } from './codex-trust.mjs';
import { fakeModel } from './models/server.mjs';
import { CLIENTS, codexSettings } from './session.mjs';
import { put } from './world.mjs';

const DEADLINE_MS = 90_000;
/** Longer than a frame of any client's spinner. */
const REST_MS = 250;

/** Why no client can be run at a terminal here; undefined: it can. */
export const noTerminal = spawnSync('tmux', ['-V']).status === 0 ? undefined : 'tmux is not installed';

/** How each client starts, what its screen shows while it takes a prompt, and what it would ask at its first start. */
const WAYS = byClient('tui.mjs', {
  'claude-code': {
    prompt: /^[>❯]/m,
    args: ({ again }) => (again ? ['--continue'] : []),
    settle: (world, { ANTHROPIC_API_KEY: key }) => {
      const known = JSON.parse(readFileSync(join(world.home, '.claude.json'), 'utf8'));
      const answered = {
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: [key], rejected: [] },
        projects: { ...known.projects, [world.project]: { hasTrustDialogAccepted: true } },
      };
      put(world, { 'home/.claude.json': { ...known, ...answered } });
    },
  },
  codex: {
    prompt: /^›/m,
    args: ({ again, url, model, trust, world }) => [
      ...(again ? ['resume', '--last'] : []),
      '--dangerously-bypass-approvals-and-sandbox',
      ...(trust === 'bypass' ? ['--dangerously-bypass-hook-trust'] : []),
      ...codexSettings(url, model),
      // Else it offers a newer model.
      ...['-c', 'notice.model_migrations={"gpt-5.5"="gpt-6-sol"}'],
      ...['-c', `projects={${JSON.stringify(world.project)}={trust_level="trusted"}}`],
    ],
  },
  'gemini-cli': {
    // Only while nothing is typed.
    prompt: /Type your message/,
    args: ({ again, model = 'gemini-2.5-flash' }) => [
      ...['-m', model, '--approval-mode', 'yolo'],
      ...(again ? ['--resume', 'latest'] : []),
    ],
  },
});

/**
 * `turns`: what the model answers, one after the other. `again`: resume the last session. `env`: over what it gets else.
 * Whatever is waited for throws with the screen when it doesn't come.
 */
export async function openTui(client, { world, turns, again = false, model, trust, env: more = {} }) {
  const way = WAYS[client.id];
  const { dialect, env: envFor } = CLIENTS[client.id];
  const fake = await fakeModel(dialect, { main: turns });
  const env = { ...world.env, ...envFor(fake.url), TERM: 'xterm-256color', SHELL: '/bin/sh', ...more };
  way.settle?.(world, env);
  if (client.id === 'codex' && trust === 'review') await trustHooks(client, world);

  const socket = join(world.dir, 'tmux');
  const tmux = (...args) =>
    spawnSync('tmux', ['-S', socket, ...args], { env, encoding: 'utf8' }).stdout ?? '';
  const program = [...client.command, ...way.args({ again, url: fake.url, model, trust, world })];
  // A control client: when we end, however that is, its pipe closes and the terminal goes with it.
  const control = spawn(
    'tmux',
    [
      ...['-S', socket, '-f', '/dev/null', '-C', 'new-session', ...program],
      ...[';', 'refresh-client', '-C', '150x50', ';', 'set', 'destroy-unattached', 'on'],
    ],
    { cwd: world.project, env, stdio: ['pipe', 'ignore', 'inherit'] },
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
  /** It asks for a prompt and nothing moves: no hook and no turn is under way. */
  async function atRest() {
    const before = screen();
    if (!way.prompt.test(before)) return false;
    await sleep(REST_MS);
    return screen() === before;
  }
  /** Presses again while `holds` doesn't come: a client that still starts loses keys (Gemini CLI 0.61.0). */
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
    // What comes within 30 ms is part of what was typed (Gemini CLI 0.61.0).
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
    until,
    shows,
    /** Types a line at once, `enter` when the client is at rest. */
    type,
    enter,
    clear: async (shown) => {
      await enter('/clear');
      await until('empty screen', () => !screen().includes(shown));
    },
    quit: async () => {
      await enter('/quit');
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
