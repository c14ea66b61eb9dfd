import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../base/process.ts';
import { slugOf } from '../fire/own-folders.ts';
import { warmFolder } from '../fire/warm/address.ts';
import { endKeeper, type KeeperFile, keeperFiles } from '../fire/warm/keeper-file.ts';

/** Milliseconds for keepers to end; each ends by itself, too, as soon as it sees what changed. */
const ENDS_MS = 2_000;
const POLL_MS = 20;

/** Ends the servers that hooks keep running (`--keep-warm`). `slug`: of the server; `isMeant`: absent means all of it. */
export async function endWarmServers(
  slug: string,
  { state }: { state: string },
  isMeant: (kept: KeeperFile) => boolean = () => true,
): Promise<void> {
  const folder = warmFolder(state);
  const own = keeperFiles(folder).filter((kept) => slugOf(kept.shim) === slug && isMeant(kept));
  // The second signal is for a keeper that hangs: the server's watcher then ends the server. Where the system doesn't show
  // which process is the keeper, that gets no signal, and finds its file gone within a second.
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const kept of own) endKeeper(folder, kept, signal);
    const until = Date.now() + ENDS_MS;
    while (Date.now() < until && own.some(isRunning)) await sleep(POLL_MS);
  }
}
