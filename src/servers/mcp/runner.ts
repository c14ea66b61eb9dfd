import { existsSync } from 'node:fs';
import { assetPath } from '../../base/assets.ts';
import type { StdioLaunch } from '../launch/launch.ts';
import { maskText } from '../masking/secrets.ts';
import { RUNNER_KEEPER, startRunnerKeeper } from '../process/runner-keeper.ts';
import { whenFree } from '../process/when-free.ts';
import type { PackageRun } from '../types.ts';
import type { Channel } from './channel.ts';
import type { Diagnostics } from './diagnostics.ts';
import { exchangeLines, letGo } from './lines.ts';

/** Milliseconds before the deadline at which waiting for another process ends. */
const SPARE_MS = 100;

/**
 * Starts a server by its package runner, which may install the package first and is never ended before the server's
 * first answer: a half-made cache would prevent every later start. Faults: `server.installing` in place of
 * `server.timeout`, and when another process is still installing the package at `deadline` (ms since 1970).
 */
export async function openRunner(
  run: PackageRun,
  launch: StdioLaunch,
  diagnostics: Diagnostics,
  { state, deadline }: { state: string; deadline: number },
): Promise<Channel> {
  const { cwd } = launch;
  if (!existsSync(cwd)) throw diagnostics.fault('server.start-failed', { reason: 'NO_FOLDER', folder: cwd });
  const about = { runner: run.runner, package: maskText(run.spec ?? '') };
  const job = await whenFree(run, launch, state, () => Date.now() + SPARE_MS >= deadline);
  if ('heldBy' in job) throw diagnostics.fault('server.installing', about);
  const keeper = startRunnerKeeper(assetPath(`dist/runtime/${RUNNER_KEEPER}`), { ...job, stderr: true });
  let answered = false;
  const channel = exchangeLines(
    keeper,
    {
      ...diagnostics,
      fault: (code, given) =>
        code === 'server.timeout' && !answered
          ? diagnostics.fault<'server.installing'>('server.installing', { ...given, ...about })
          : diagnostics.fault(code, given),
    },
    () => {
      answered = true;
    },
  );
  const over = new Promise<void>((resolve) => {
    keeper.on('close', (code, signal) => {
      channel.fail(diagnostics.fault('server.died', { how: signal ?? Number(code) }));
      resolve();
    });
  });
  return {
    ...channel,
    close: async () => {
      keeper.stdin.end();
      if (answered) return over;
      letGo(keeper);
    },
  };
}
