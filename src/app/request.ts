import type { ClientId } from '../clients/client.ts';
import type { InstallOptions } from '../plan/options.ts';
import type { Definition } from '../servers/types.ts';

/** What a command was asked for, before anything is looked up. */
export interface Request {
  server: string;
  /** `-- command args` or `--url`: how to reach the server instead of what the clients say. */
  given?: Definition;
  from?: ClientId;
  /** A file with declarations; the server is asked whether it has the tools that they call. */
  declarationsFile?: string;
  /** It isn't asked. */
  unchecked?: true;
  /** Call the tools of hooks that are read-only and need nothing. */
  callsTools?: true;
  clients: ClientId[];
  /** Without `clients`: look only at those in which it is installed, and add none. */
  installedOnly: boolean;
  options: Partial<InstallOptions>;
  /** Forget remembered options. */
  reset: boolean;
  /** Seconds for connecting to the server. */
  timeout: number;
  allowStart?: string;
  /**
   * Where the declarations of an installed server come from: `ask` the server or read their file; read their `files`, and
   * what a server declared from the record; all as the `record` has them; or as the `lock` file has them, without which
   * there is nothing to plan. Only `ask` starts or reaches anything.
   */
  mode: 'ask' | 'files' | 'record' | 'lock';
}

/** Asks for what is installed, as it was chosen. */
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
