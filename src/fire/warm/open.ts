import { isAbsolute } from 'node:path';
import { approvedLaunch } from '../approval/approved-launch.ts';
import type { Failure } from '../firing.ts';
import { type FireProgram, openConnection } from '../mcp/open-connection.ts';
import type { Connection } from '../mcp/rpc.ts';
import type { OnReached } from '../tools/calls.ts';
import { warmFolder } from './address.ts';
import { endKeeper, idOf, type KeeperFile, lasting, readKeeperFile } from './keeper-file.ts';
import type { CallTerms, LaunchInputs } from './messages.ts';
import { startKeeperOnce } from './start-keeper.ts';

/** Part of the time left that a fire waits for a keeper to start. */
const START_PART = 0.4;

/** One fire. `hint`: by which later ones find the keeper. */
type WarmFire = LaunchInputs & FireProgram & { hint?: string };

interface KeeperAccess {
  /** By `Date.now`. */
  deadline: number;
  reached: OnReached;
  talkTo: (keeper: KeeperFile, folder: string, terms: CallTerms) => Promise<Connection | undefined>;
  withFallback: (viaKeeper: Connection, open: () => Promise<Connection | Failure>) => Connection;
}

/**
 * Checks the definition's approval and asks the server's keeper. Starts a keeper when there is none, and the server for
 * this fire alone when neither answers.
 */
export async function openWarm(
  { data, startFolder, hookEnv, hint, ...program }: WarmFire,
  { deadline, reached, talkTo, withFallback }: KeeperAccess,
): Promise<Connection | Failure> {
  const found = approvedLaunch(data, startFolder, hookEnv);
  if ('incident' in found) return found;
  reached(found);
  const { to, run } = found;
  const keep = data.server_at?.keep;
  const fresh = (): Promise<Connection | Failure> =>
    openConnection(found, { runtime: program.runtime, state: data.state });
  // A keeper runs in another folder, in which a relative start folder would lead elsewhere.
  if (!keep || !('command' in to) || !isAbsolute(startFolder)) return fresh();

  const start = lasting({ ...found, to }, keep);
  const id = idOf(data.server, start);
  const folder = warmFolder(data.state);
  const talk = (keeper: KeeperFile): Promise<Connection | undefined> =>
    talkTo(keeper, folder, { keepMs: keep.ms, ...(hint && { hint }) });
  const ask = async (): Promise<Connection | undefined> => {
    const known = readKeeperFile(folder, id);
    if (known) {
      const current = known.runtime === program.runtime;
      const viaKeeper = current ? await talk(known) : undefined;
      if (viaKeeper) return viaKeeper;
      endKeeper(folder, known, current ? 'SIGKILL' : 'SIGTERM');
    }
    const until = Date.now() + (deadline - Date.now()) * START_PART;
    const job = { id, start, ...(run && { run }), data, startFolder, hookEnv, folder, ...program };
    const started = await startKeeperOnce(job, until);
    return started && talk(started);
  };
  const viaKeeper = await ask();
  return viaKeeper ? withFallback(viaKeeper, fresh) : fresh();
}
