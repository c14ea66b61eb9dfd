import type { ClientId } from '../clients/client.ts';
import type { InstallOptions } from '../plan/options.ts';
import type { Definition } from '../servers/types.ts';

/** Request of a command, before anything is looked up. */
export interface Request {
  server: string;
  /** Definition from `-- command args` or `--url`, used instead of the clients' definitions. */
  given?: Definition;
  fromClient?: ClientId;
  /** File with declarations; the server is asked whether it has the tools that the declarations call. */
  declarationsFile?: string;
  /** With `given`: the recorded file of declarations still counts. Other commands ask the server that is given. */
  keepsFile?: true;
  /** The server isn't asked about these tools (`--no-check`). */
  skipCheck?: true;
  /** A server that can't be asked is a fault also where no hook calls a tool. */
  mustAnswer?: true;
  /** Calls the hooks' tools that are read-only and need no arguments. */
  callsTools?: true;
  /** Uses hooks of the server's package or of the catalogue, where the server declares none; `entry`: only this one. */
  catalogue?: { entry?: string };
  /** A person may be asked whether to use hooks of the package or of the catalogue. */
  offers?: true;
  clients: ClientId[];
  /** Without `clients`: uses only clients with an install of the server, and adds none. */
  installedOnly: boolean;
  options: Partial<InstallOptions>;
  /** Forgets recorded options. */
  reset: boolean;
  /** Seconds for connecting to the server. */
  timeout: number;
  /** Hashes of definitions whose start is approved now. */
  allowStart?: readonly string[];
  /**
   * Source of an installed server's declarations. `ask`: the server, or the declarations' file; `files`: the
   * declarations' file, else the record; `record`: the record; `lock`: the lock file, which must list the server. Only
   * `ask` starts or reaches servers.
   */
  mode: 'ask' | 'files' | 'record' | 'lock';
}

/** Returns the request to plan an installed server again with its recorded choices. */
export const installedRequest = (
  server: string,
  mode: Request['mode'],
  clients: ClientId[] = [],
): Request => ({
  server,
  clients,
  installedOnly: true,
  options: {},
  reset: false,
  timeout: 30,
  mode,
});
