import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonOrUndefined } from '../../base/json-value.ts';
import { absolutePath, type Env } from '../../base/paths.ts';
import { jsonIn, readText } from '../../base/read-file.ts';
import type { Client, ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { USUAL_OUTPUT } from '../../clients/protocol.ts';
import type { HookEvent } from '../../declarations/types.ts';
import type { FireData } from '../../fire/format.ts';
import { type Payload, textAt } from '../../fire/payload.ts';
import { SERVER_FOLDER_VARIABLE, WHY_FILE, WHY_VARIABLE, type Why } from '../../fire/why.ts';
import { recordedScope } from '../../plan/scopes/plugin-scope.ts';
import type { Scope } from '../../plan/scopes/scope.ts';
import { environmentIn } from '../../servers/launch/environment.ts';
import { shimFolder } from '../../shims/own-files.ts';
import { temporaryFolder } from '../../store/fs.ts';
import type { ServerRecord } from '../../store/types.ts';

/** What `mcphooks fire` is asked to run. */
export interface FireRequest {
  event: HookEvent;
  client: ClientId;
  /** Canonical tool name, for tool events. */
  tool: string;
  input: unknown;
  /** Payload fields that replace fields of the sample. */
  payload?: Record<string, unknown>;
  env: Env;
  cwd: string;
  scope: Scope;
  /** Folder in which servers are started, if not `cwd`. */
  serversStartIn?: string;
  /** Session id; a new one when absent. */
  session?: string;
}

/** Why a hook printed nothing. The runtime reports the `Why` codes; the others are observed from outside. */
export type Reason =
  | Why
  | {
      code: 'disabled' | 'shim.gone' | 'shim.failed' | 'shim.below' | 'shim.output' | 'client.calls';
      n?: number;
      detail?: string;
    };

/** One run of an installed shim. `text`: what the model would read; undefined: nothing. */
export interface ShimRun {
  native: string;
  shim: string;
  ms: number;
  code: number | null;
  text?: string;
  /** Reasons of the hooks that printed no text, as far as the shim reports them. */
  why: Reason[];
}

/** Returns the entries of an install on a client, each with its hook script, and the scope of these scripts. */
export function installedShims(
  { slug, clients }: ServerRecord,
  { client: id, scope }: Pick<FireRequest, 'client' | 'scope'>,
) {
  const { [id]: installed } = clients;
  const { digest = '', entries = [] } = installed ?? {};
  const at = recordedScope(scope, clientById(id), slug, installed);
  const folder = shimFolder(at.paths, { slug, digest, client: id });
  return { scope: at, shims: entries.map(({ event, key }) => ({ event, key, shim: join(folder, key) })) };
}

/** Returns the data of a hook script; undefined when the file can't be read. */
export const shimData = (shim: string): FireData | undefined =>
  jsonIn(`${shim}.json`) as FireData | undefined;

/** Runs a hook script with a payload, as its client would. */
export function runShim(
  shim: string,
  payload: Payload,
  client: Client,
  request: FireRequest,
): Pick<ShimRun, 'ms' | 'code' | 'text' | 'why'> {
  const folder = temporaryFolder();
  const whyFile = join(folder, WHY_FILE);
  const { startFolderEnv } = client.protocol;
  try {
    writeFileSync(whyFile, '', { mode: 0o600 });
    const began = performance.now();
    const [program, ...words] = request.scope.start(shim, client);
    const { stdout, status } = spawnSync(program, words, {
      cwd: request.cwd,
      env: {
        ...environmentIn(request.cwd, absolutePath(request.env), request.cwd),
        ...(startFolderEnv && { [startFolderEnv]: request.cwd }),
        [WHY_VARIABLE]: whyFile,
        ...(request.serversStartIn !== undefined && { [SERVER_FOLDER_VARIABLE]: request.serversStartIn }),
      },
      input: JSON.stringify(payload),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const ms = performance.now() - began;
    const why = readText(whyFile)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Why);
    // Null for a program that can't be started.
    const printed = stdout ?? '';
    const text = contextOf(printed, client);
    const silent = JSON.stringify(shimData(shim)?.silent);
    if (text === undefined && printed.trim() && printed.trim() !== silent)
      return { ms, code: status, why: [...why, { code: 'shim.output' }] };
    return { ms, code: status, ...(text !== undefined && { text }), why };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the text that a client takes from a hook's output; undefined: none. */
const contextOf = (stdout: string, { protocol: { output = USUAL_OUTPUT } }: Client): string | undefined =>
  textAt(jsonOrUndefined(stdout), output.text);
