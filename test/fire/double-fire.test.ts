import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ClientId } from '../../src/clients/client.ts';
import { LONG, sample } from '../effort.ts';
import { nodeHere } from '../node-here/start.ts';
import { inJson } from '../platform.ts';
import { payloadsIn, SAMPLES } from './payloads.ts';
import { type Installed, installed } from './when-world.ts';
import { world } from './world.ts';

interface Host {
  title: string;
  /** The client whose hooks are meant for it. */
  client: ClientId;
  /** Of which client it runs the files, too. */
  runs: ClientId;
  /** Folder of test/fixtures/hosts: payloads that it hands to hooks of those files, by the event in the file. */
  payloads: string;
  /** Variables that it sets for hooks. */
  env: (project: string) => Record<string, string>;
}

const HOSTS: readonly Host[] = [
  {
    title: 'Cursor',
    client: 'cursor',
    runs: 'claude-code',
    payloads: 'cursor',
    env: (project) => ({
      CURSOR_PROJECT_DIR: project,
      CURSOR_VERSION: 'sdk-1.0.32',
      CURSOR_USER_EMAIL: 'user@example.invalid',
      CLAUDE_PROJECT_DIR: project,
    }),
  },
  {
    title: 'Copilot CLI',
    client: 'copilot',
    runs: 'claude-code',
    payloads: 'copilot-cli',
    env: (project) => ({
      COPILOT_CLI: '1',
      COPILOT_CLI_BINARY_VERSION: '1.0.102',
      COPILOT_PROJECT_DIR: project,
      CLAUDE_PROJECT_DIR: project,
    }),
  },
  {
    // Payloads as its source makes them. It sets no variable.
    title: 'VS Code',
    client: 'copilot',
    runs: 'claude-code',
    payloads: 'vs-code',
    env: () => ({}),
  },
];

const w = world({ node: nodeHere({ servers: true }) });
const { payload, run } = payloadsIn(w);
const DECLARATIONS = [
  { event: 'session_start', context: 'Started.' },
  { event: 'pre_request', context: 'Asked.' },
  { event: 'pre_tool_use', context: 'About to.' },
  { event: 'post_tool_use', context: 'Ran.' },
  // By node, and not by the shell alone.
  { event: 'pre_request', context: 'In a project called {project_name}.' },
  { event: 'post_tool_use', context_tool: 'echo', context_tool_args: { text: 'Answered.' } },
];

const TEXTS = ['Asked', 'Ran', 'Answered', 'In a project'];
const given = (texts: readonly (string | undefined)[]): string[] =>
  texts.flatMap((text) => text?.match(/\b(?:Asked|Ran|Answered|In a project)(?=\.| called )/g) ?? []);

/** What one program's model reads of a prompt and a tool when it runs these hooks. */
const own = async (it: Installed, client: ClientId, env: Record<string, string>) =>
  given([
    await it.text(payload(client, SAMPLES[client].prompt), env),
    await it.text(run(client, 'git commit -m x'), env),
  ]);

describe.each(HOSTS.map((host, turn) => ({ ...host, turn })).slice(0, LONG ? undefined : 1))(
  '$title runs files of $runs',
  ({ client, runs, payloads, env, turn }) => {
    const here = env(w.project);
    const folder = new URL(`../fixtures/hosts/${payloads}/`, import.meta.url);
    const handed = readdirSync(folder).map((name) => ({
      event: name.replace('.json', ''),
      payload: JSON.parse(
        readFileSync(new URL(name, folder), 'utf8').replaceAll('<PROJECT>', inJson(w.project)),
      ),
    }));

    const rows = [
      { targets: [runs], inHost: false, inOther: true },
      { targets: [client], inHost: true, inOther: false },
      { targets: [client, runs], inHost: true, inOther: true },
    ];
    const some = sample(rows, 2, turn);
    it.each(LONG ? some : some.slice(-1))(
      'hooks for $targets: each text once, where it was asked for',
      async ({ targets, inHost, inOther }) => {
        const theirs = targets.includes(runs) ? installed(w, runs, DECLARATIONS) : undefined;
        const ours = targets.includes(client) ? installed(w, client, DECLARATIONS) : undefined;

        for (const { event, payload } of theirs ? handed : []) {
          const shim = theirs?.shims.find(({ native }) => native === event);
          if (!shim) throw new Error(`no hook on ${event}`);
          const ran = await w.fire(shim, payload, here);
          expect([ran.code, ran.stdout, ran.stderr], event).toEqual([0, '', '']);
        }
        const read = ours ? await own(ours, client, here) : [];
        for (const text of TEXTS)
          expect(
            read.filter((one) => one === text),
            text,
          ).toHaveLength(inHost ? 1 : 0);

        const elsewhere = theirs ? await own(theirs, runs, {}) : [];
        for (const text of TEXTS)
          expect(
            elsewhere.filter((one) => one === text),
            text,
          ).toHaveLength(inOther ? 1 : 0);
      },
    );
  },
);
