import type { Install } from '../../servers/packages/install-lock.ts';
import type { ApprovedLaunch } from '../approval/approved-launch.ts';
import type { Failure } from '../firing.ts';
import type { LocalFireData } from '../local-data.ts';
import { overHttp } from './http.ts';
import { type Connection, connect } from './rpc.ts';
import { startByRunner } from './start-by-runner.ts';
import { overStdio } from './stdio.ts';

/** The program of a fire: the folder of the runtime, and the hook script. */
export interface FireProgram {
  runtime: string;
  shim: string;
}

/** What a fire needs to open its server. */
export interface ServerOfFire {
  data: LocalFireData;
  program: FireProgram;
  startFolder: string;
  /** The hook's environment. */
  hookEnv: NodeJS.ProcessEnv;
  /** Milliseconds for all calls together. */
  leftMs: number;
}

/** Starts or reaches a server. */
export async function openConnection(
  { to, run }: ApprovedLaunch,
  place: { runtime: string; state: string },
): Promise<Connection | Failure> {
  if ('url' in to) return connect((listener) => overHttp(to, listener));
  if (!run) return connect((listener) => overStdio(to, listener));
  const started = await startByRunner(run, to, place);
  return 'request' in started ? started : installing(started);
}

function installing({ runner, package: name, since }: Install): Failure {
  return { incident: 'tool.installing', detail: `${runner} ${name}, since ${since}` };
}
