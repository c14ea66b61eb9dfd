import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { FireServer } from '../../src/fire/format.ts';
import { endKeeper, type KeeperFile, keeperFiles } from '../../src/fire/warm/keeper-file.ts';
import { nodeHere } from '../node-here/start.ts';
import { WINDOWS } from '../platform.ts';
import { captured, isAlive, served, world } from './world.ts';

export const WAIT = { timeout: 20_000, interval: 25 };
const payload = captured('claude-code', 'PostToolUse.Bash');
export const tool = (name: string, args: Record<string, unknown> = {}) => ({ call: { tool: name, args } });
let sessions = 0;
export const fresh = () => ({ ...payload, session_id: `warm-${sessions++}` });
export const KEEP = { ms: 60_000, omit: ['CLAUDE_CODE_SESSION_ID'], omitPaths: ['/session-[^/]*$'] };

/** Programs start slowly on Windows, above all under Wine. */
const SLOW = WINDOWS ? { server: { callMs: 15_000 }, data: { deadlineMs: 18_000 } } : {};
/** Milliseconds for a call that is given up; in them a keeper starts, too. */
export const CALL_MS = WINDOWS ? 5000 : 1500;
/** On Windows, what a server started can outlive it (docs/limits.md). */
export const HELPER = WINDOWS ? [] : ['--helper'];
export const HELPERS = WINDOWS ? 0 : 4;

/** A world whose server is kept running, and leaves a line a start and a call. */
function machine(node: string, flags: string[], more: Partial<FireServer>) {
  const w = world({ node });
  const path = join(w.home, 'log');
  const log = (): Record<string, number>[] =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : [];
  const folder = join(w.state, 'warm');
  const server = served(['--log', path, ...flags], { keep: KEEP, ...SLOW.server, ...more });
  const m = {
    ...w,
    folder,
    server,
    shimOf: (hooks: object[] = [tool('two')], data: object = server, by = node) =>
      w.shim('claude-code', 'PostToolUse', hooks, { ...SLOW.data, ...data }, undefined, { node: by }),
    fireIt: (shim: ReturnType<typeof w.shim>, env: Record<string, string> = {}) => w.fire(shim, fresh(), env),
    entries: log,
    /** Processes of servers, and of what they started. */
    pids: (): number[] => log().flatMap(({ pid, helper }) => pid ?? helper ?? []),
    starts: () => log().filter((line) => 'pid' in line).length,
    kept: (): KeeperFile[] => keeperFiles(folder),
    keeper: (): KeeperFile => {
      const [kept] = m.kept();
      if (!kept) throw new Error('no keeper');
      return kept;
    },
    keepers: new Set<number>(),
    /** Ends a keeper, and waits until it is gone. On Windows a signal would only kill it. */
    end: async (kept: KeeperFile) => {
      m.keepers.add(kept.pid);
      endKeeper(folder, kept, 'SIGTERM');
      await m.allGone();
    },
    /** Waits until the keepers seen so far, their servers, and all that these started are gone. */
    allGone: async (timeout = WAIT.timeout) => {
      for (const pid of [...m.keepers, ...m.pids()])
        await expect.poll(() => isAlive(pid), { ...WAIT, timeout }).toBe(false);
    },
  };
  const clear = async (): Promise<void> => {
    for (const kept of m.kept()) {
      m.keepers.add(kept.pid);
      try {
        process.kill(kept.pid, 'SIGCONT');
      } catch {}
      endKeeper(folder, kept, 'SIGTERM');
    }
    await m.allGone();
    expect(m.kept()).toEqual([]);
  };
  return { ...m, clear };
}

export type Machine = ReturnType<typeof machine>;

/** For a file of tests: how a test makes its machines. No process of theirs is left after it. */
export function machines(): {
  here: string;
  machine: (flags?: string[], more?: Partial<FireServer>) => Machine;
} {
  const here = nodeHere({ servers: 'kept' });
  const made: Machine[] = [];
  afterEach(async () => {
    for (const m of made.splice(0)) await m.clear();
  });
  return {
    here,
    machine: (flags = [], more = {}) => {
      const m = machine(here, flags, more);
      made.push(m);
      return m;
    },
  };
}
