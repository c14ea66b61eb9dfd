import type { Install } from '../servers/install-lock.ts';
import { callsTo, type OpenServer } from './calls.ts';
import type { Failure } from './firing.ts';
import type { LocalFireData } from './machine.ts';
import { overHttp } from './mcp-http.ts';
import { type Connection, connect } from './mcp-rpc.ts';
import { overStdio } from './mcp-stdio.ts';
import { type Reached, reach } from './reach.ts';
import { startByRunner } from './runner.ts';

export { masked } from './calls.ts';
export { startKept } from './warm-start.ts';

/** The program of a fire: the folder of the runtime, and the hook script. */
export interface Program {
  runtime: string;
  shim: string;
}

/** Opens the declaring server for one fire, which starts the server. All calls share `leftMs`. */
export const openServer = (
  data: LocalFireData,
  { runtime }: Program,
  startFolder: string,
  hookEnv: NodeJS.ProcessEnv,
  leftMs: number,
): OpenServer =>
  callsTo(data, leftMs, {
    reach: () => reach(data, startFolder, hookEnv),
    open: (found) => startServer(found, { runtime, state: data.state }),
  });

/** Starts or reaches a server. */
export async function startServer(
  { to, run }: Reached,
  place: { runtime: string; state: string },
): Promise<Connection | Failure> {
  if ('url' in to) return connect((listener) => overHttp(to, listener));
  if (!run) return connect((listener) => overStdio(to, listener));
  const started = await startByRunner(run, to, place);
  return 'request' in started ? started : installing(started);
}

export function installing({ runner, package: name, since }: Install): Failure {
  return { incident: 'tool.installing', detail: `${runner} ${name}, since ${since}` };
}
