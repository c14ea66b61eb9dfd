import { absolutePath } from '../../base/paths.ts';
import { followed } from '../../base/real-path.ts';
import { environmentIn } from '../../servers/launch/environment.ts';
import { type Launch, launch } from '../../servers/launch/launch.ts';
import { secretsOf } from '../../servers/masking/known-secrets.ts';
import { packageRun } from '../../servers/packages/package-runner.ts';
import type { PackageRun } from '../../servers/types.ts';
import { reachableUrl } from '../../servers/url.ts';
import type { Failure } from '../firing.ts';
import type { LocalFireData } from '../local-data.ts';
import { SERVER_FOLDER_VARIABLE, whyFile } from '../why.ts';
import { approvedDefinition } from './approved-definition.ts';

/** The declaring server as one fire starts or reaches it. */
export interface ApprovedLaunch {
  to: Launch;
  /** Secrets sent to the server, to be masked in the log. */
  secrets: string[];
  /** The package that a package runner starts, and may have to install. */
  run?: PackageRun;
  /** Names of the variables that the definition itself sets. */
  variables: string[];
}

/** The part of a hook's data that says how its server is reached. */
export type ReachData = Pick<LocalFireData, 'server' | 'client' | 'state' | 'server_at'>;

/** Checks the definition's approval, and returns what to start or reach; a Failure when nothing may be. */
export function approvedLaunch(
  data: ReachData,
  startFolder: string,
  hookEnv: NodeJS.ProcessEnv,
): ApprovedLaunch | Failure {
  // A hook's shell may have changed its folder since the session started, as Claude Code's does after `cd`.
  const { PWD } = hookEnv;
  const atStart = PWD === undefined || followed(PWD) === followed(startFolder) ? {} : { PWD: startFolder };
  // A relative folder of PATH would be looked up in the session's folder.
  const given = absolutePath({ ...serverEnv(hookEnv), ...atStart });
  const session = { folder: startFolder, env: given, state: data.state };
  const found = data.server_at && approvedDefinition(data.server_at, data.client, session);
  if (!found) return { incident: 'definition.missing', detail: data.server };
  if ('incident' in found) return { incident: found.incident, detail: data.server };
  const { definition, at } = found;
  const folder = found.folder ?? givenFolder(hookEnv);
  const env = folder === undefined ? given : environmentIn(folder, given, startFolder);
  const to = launch({ ...at, definition }, env, folder ?? startFolder);
  const url = 'url' in to ? reachableUrl(to.url) : undefined;
  if (typeof url === 'string') return { incident: 'url.refused', detail: url };
  const variables = definition.transport === 'stdio' ? Object.keys(definition.env) : [];
  const run = 'url' in to ? undefined : packageRun(to.command, to.args);
  return { to, secrets: secretsOf(definition, to), variables, ...(run && { run }) };
}

/**
 * The folder in which `mcphooks fire` starts servers: the folder a client would use, unless that folder isn't trusted.
 */
const givenFolder = (env: NodeJS.ProcessEnv): string | undefined =>
  whyFile(env) ? env[SERVER_FOLDER_VARIABLE] : undefined;

/** With it, Bun reads no file of the folder it starts in (templates/shim.sh). */
const BUN_ALONE = '--config=/dev/null --env-file=/dev/null';

/**
 * Returns the environment for a server, without what is for this program alone. The shell hid NODE_OPTIONS and
 * BUN_OPTIONS from our own runtime (templates/shim.sh); the server gets them back, as from its client.
 */
function serverEnv({
  MCPHOOKS_NODE_OPTIONS,
  MCPHOOKS_BUN_OPTIONS,
  MCPHOOKS_NODE,
  MCPHOOKS_WHY: _why,
  MCPHOOKS_SERVER_FOLDER: _folder,
  ...env
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (MCPHOOKS_NODE !== undefined) delete env.BUN_BE_BUN;
  if (env.BUN_OPTIONS === BUN_ALONE) delete env.BUN_OPTIONS;
  return {
    ...env,
    ...(MCPHOOKS_NODE_OPTIONS !== undefined && { NODE_OPTIONS: MCPHOOKS_NODE_OPTIONS }),
    ...(MCPHOOKS_BUN_OPTIONS !== undefined && { BUN_OPTIONS: MCPHOOKS_BUN_OPTIONS }),
  };
}
