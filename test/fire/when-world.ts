import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ClientId } from '../../src/clients/client.ts';
import { clientById } from '../../src/clients/index.ts';
import { namesServers } from '../../src/clients/tools.ts';
import { parseDeclarations } from '../../src/declarations/parse.ts';
import { compile } from '../../src/plan/compile/compile.ts';
import type { ServerNames } from '../../src/plan/compile/server-tools.ts';
import { DEFAULT_OPTIONS, type InstallOptions } from '../../src/plan/options.ts';
import type { HookOutcome } from '../../src/plan/types.ts';
import { WINDOWS } from '../platform.ts';
import { asNew, sent } from './payloads.ts';
import { type Fired, type Ran, served, type world } from './world.ts';

export interface Installed {
  cells: readonly HookOutcome[];
  shims: readonly (Fired & { native: string; matcher: string | undefined })[];
  /** Fires what is installed for the payload's event, as the client would; undefined: no entry of that event matches. */
  fire(
    payload: Record<string, unknown>,
    env?: Record<string, string>,
    cwd?: string,
  ): Promise<Ran | undefined>;
  /** The same: what is printed, without naming lines. */
  text(
    payload: Record<string, unknown>,
    env?: Record<string, string>,
    cwd?: string,
  ): Promise<string | undefined>;
  /** Expects that node was started so often since it was asked last. On Windows each fire starts node. */
  startedNode(times: number): void;
  /** Counts anew. */
  forgetNode(): void;
}

let count = 0;

/** Declarations compiled for a client and installed in a world, by the compiler itself. The server's alias is `mem`. */
export function installed(
  w: ReturnType<typeof world>,
  client: ClientId,
  items: readonly object[],
  options: Partial<InstallOptions> = {},
  { ownTools, ...servers }: Partial<ServerNames> = {},
): Installed {
  const { declarations } = parseDeclarations(
    { declarations: items.map((item) => ({ priority: 'suggestion', ...item })) },
    { ...DEFAULT_OPTIONS, lenient: false, when: true },
  );
  const server = `mem${count++}`;
  const { server_at } = served();
  // As in a plan: only for a client that names tools without their server.
  const listed = ownTools && !namesServers(clientById(client).tools) && { ownTools };
  const { cells, shims, entries } = compile(declarations, {
    client: clientById(client),
    servers: { alias: 'mem', known: ['mem', 'memory', 'other'], ...servers, ...listed },
    slug: server,
    name: server,
    tag: '7f3ac2e1',
    options: { ...DEFAULT_OPTIONS, ...options },
    shimFolder: '',
    state: w.state,
    toolAccess: { at: server_at },
    invoke: (path) => ({ command: path }),
    mark: (key) => key,
    documentTools: [],
  });
  const log = join(w.home, `${server}.nodes`);
  const node = join(w.home, `${server}.node`);
  writeFileSync(node, `#!/bin/sh\necho >>'${log}'\nexec '${w.node}' "$@"\n`);
  chmodSync(node, 0o755);
  const written = shims.map(({ native, data }) => {
    const { hooks, payload, ...rest } = data;
    const shim = w.shim(client, native, hooks, { ...rest, payload }, undefined, { node });
    return { ...shim, native, matcher: entries.find((entry) => entry.event === native)?.group.matcher };
  });
  const fire: Installed['fire'] = async (payload, env, cwd) => {
    const { native, tool } = sent(client, payload);
    const shim = written.find((one) => one.native === native);
    const matches = shim?.matcher === undefined || new RegExp(`^(?:${shim.matcher})$`).test(tool);
    return shim && matches ? w.fire(shim, asNew(client, payload), env, cwd) : undefined;
  };
  return {
    cells,
    shims: written,
    fire,
    text: async (payload, env, cwd) => {
      const ran = await fire(payload, env, cwd);
      if (ran && (ran.code !== 0 || ran.stderr !== '')) throw new Error(`${ran.code}: ${ran.stderr}`);
      return ran?.text
        ?.split('\n')
        .filter((line) => !/^\[\/?mcphooks /.test(line))
        .join('\n');
    },
    startedNode: (times) => {
      const found = existsSync(log) ? readFileSync(log, 'utf8').length : 0;
      rmSync(log, { force: true });
      if (!WINDOWS) expect(found).toBe(times);
    },
    forgetNode: () => rmSync(log, { force: true }),
  };
}
