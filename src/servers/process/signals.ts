import type { ProcessTree } from './process-tree.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** A server that is starting or runs. `tree`: its processes, once known; undefined when there are none. */
interface Server {
  tree: Promise<ProcessTree | undefined>;
  /** Milliseconds between SIGTERM and SIGKILL. */
  kill: number;
}

const servers = new Set<Server>();
/** Set once a signal has arrived: fulfilled when the signal was sent on to this process, and left it alive. */
let ending: Promise<void> | undefined;

/**
 * From now on, a signal first ends the server, which may not notice its closed stdin, and then this process by the same
 * signal. To be called before the start, since a signal in that moment would end this process alone. A signal waits
 * until `started` or `off` is called. What follows `off` waits for it, so that a signal that has arrived stops a command
 * before the command writes anything.
 */
export function endWithUs(kill: number): {
  started: (tree: ProcessTree) => void;
  off: () => Promise<void>;
} {
  let settle: (tree?: ProcessTree) => void = () => {};
  const tree = new Promise<ProcessTree | undefined>((resolve) => {
    settle = resolve;
  });
  const server = { tree, kill };
  if (servers.size === 0) for (const signal of SIGNALS) process.on(signal, end);
  servers.add(server);
  const forget = (): void => {
    servers.delete(server);
    if (servers.size === 0) ignore();
  };
  return {
    started: settle,
    off: async () => {
      settle();
      await delivered();
      forget();
      await ending;
    },
  };
}

/**
 * Ends all servers, then this process. A second signal gives the servers no time to end by themselves; a third ends
 * this process at once.
 */
function end(signal: NodeJS.Signals): void {
  const isFirst = ending === undefined;
  const ended = [...servers].map(async ({ tree, kill }) => (await tree)?.end(0, isFirst ? kill : 0));
  if (!isFirst) {
    ignore();
    return;
  }
  ending = Promise.allSettled(ended).then(async () => {
    ignore();
    servers.clear();
    process.kill(process.pid, signal);
    // Only a program with a listener of its own gets here.
    await delivered();
    ending = undefined;
  });
}

/** Waits where a signal is ending the servers: none starts before this process has ended. */
export const unlessEnding = async (): Promise<void> => ending;

/** A signal that has arrived is delivered within two turns. */
async function delivered(): Promise<void> {
  for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => setImmediate(resolve));
}

function ignore(): void {
  for (const signal of SIGNALS) process.off(signal, end);
}
