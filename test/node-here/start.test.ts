import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { LONG, sample } from '../effort.ts';
import { asNew, payloadsIn, SAMPLES, sent } from '../fire/payloads.ts';
import { isAlive, served, world } from '../fire/world.ts';
import { nodeHere, ranHere } from './start.ts';

const w = world({ node: nodeHere() });
const { payload } = payloadsIn(w);
const PROMPT = 'UserPromptSubmit';

/** How many fires ran here meanwhile, and for how many a real node was started after all. */
async function counted<T>(work: () => Promise<T>): Promise<[T, number, number]> {
  const before = ranHere();
  const value = await work();
  const after = ranHere();
  return [value, after.here - before.here, after.node - before.node];
}

describe.skipIf(process.platform !== 'linux')('a hook whose program runs in the process of the tests', () => {
  const KINDS = ['shell', 'edit', 'prompt', 'start'] as const;
  const rows = CLIENTS.flatMap(({ id }, turn) =>
    sample(KINDS, KINDS.length, turn).map((kind) => ({ id, kind })),
  );

  it.each(LONG ? rows : rows.slice(0, 1))(
    'prints and logs what it does in node: $id, $kind',
    async ({ id, kind }) => {
      const name = SAMPLES[id][kind];
      const { native } = sent(id, payload(id, name));
      const hooks = [
        { text: 'In {project_name} of {session_id}: {tool_name} {tool_input}', cooldownMs: null },
        { text: 'Only there.', when: { files: ['.git'] } },
        { text: 'Not there.', when: { files: ['missing'] } },
      ];
      const told: unknown[] = [];
      // The second begins in a node, too, where it is the first here.
      for (const how of [{ node: process.execPath }, {}, {}]) {
        const shim = w.shim(id, native, hooks, { server: 'compared' }, undefined, how);
        const session = `${id}-${kind}-${told.length}`;
        const ran = [];
        for (const input of [1, 2].map(() => asNew(id, payload(id, name, { session }))))
          ran.push(await w.fire(shim, input));
        const logged = w.log().filter((line) => line.session === session);
        const lines = logged.map((line) => ({ ...line, at: '', ms: 0, tag: '' }));
        told.push(
          JSON.parse(
            JSON.stringify([ran, lines])
              .replaceAll(session, 'SESSION')
              .replaceAll(/mcphooks [0-9a-f]{8}/g, 'mcphooks'),
          ),
        );
      }
      expect(told[0]).toMatchObject([
        [
          { code: 0, stderr: '', text: expect.stringMatching(/In shop of SESSION[\s\S]*Only there/) },
          { code: 0, stderr: '', text: expect.not.stringContaining('In shop') },
        ],
        {},
      ]);
      expect(told[1]).toEqual(told[0]);
      expect(told[2]).toEqual(told[0]);
    },
  );

  const prompt = payload('claude-code', SAMPLES['claude-code'].prompt);
  const here = world({ node: nodeHere() });
  const shim = here.shim('claude-code', PROMPT, [{ text: 'In {project_name}.' }]);
  const told = async () => (await here.fire(shim, prompt)).text;

  it('is started in node first, then here', async () => {
    const says = expect.stringContaining('In shop.');
    expect(await counted(told)).toEqual([says, 0, 1]);
    expect(await counted(told)).toEqual([says, 1, 0]);
  });

  it('has the environment and the folder of its fire', async () => {
    const log = () => here.log().length;
    const before = log();
    const [ran, ...where] = await counted(() => here.fire(shim, prompt, { MCPHOOKS_DISABLE: 'annal' }));
    expect([ran.stdout, ...where]).toEqual(['', 1, 0]);
    expect(log()).toBe(before);
    const folder = await here.fire(shim, prompt, { CLAUDE_PROJECT_DIR: undefined }, here.home);
    expect(folder.text).toMatch(/In mcphooks-fire-/);
  });

  it.runIf(LONG)('is started in node when it starts a server, or its program is another', async () => {
    const calls = here.shim('claude-code', PROMPT, [{ call: { tool: 'two', args: {} } }], served());
    const [{ text }, ...where] = await counted(() => here.fire(calls, prompt));
    expect([text, ...where]).toEqual([expect.stringContaining('one\ntwo'), 0, 1]);
    const part = `${here.runtime}/conditions.cjs`;
    writeFileSync(part, '');
    expect(await counted(told)).toEqual([expect.stringContaining('In shop.'), 0, 1]);
    rmSync(part);
    expect(await counted(told)).toEqual([expect.stringContaining('In shop.'), 0, 1]);
  });

  it('starts its server where it was started, in its environment, and ends it', async () => {
    const serving = world({ node: nodeHere({ servers: true }) });
    const log = join(serving.home, 'log');
    const call = (tool: string, args: object) => ({ call: { tool, args: { ...args } } });
    const hooks = [call('folder', {}), call('environment', { names: ['ONLY_HERE', 'HOME'] })];
    const calls = serving.shim('claude-code', PROMPT, hooks, served(['--log', log]));
    const env = { ONLY_HERE: 'so' };
    const fire = async () => (await serving.fire(calls, prompt, env)).text;
    const [inNode, ...first] = await counted(fire);
    const [inHere, ...second] = await counted(fire);
    expect([first, second]).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(inHere).toEqual(inNode);
    expect(inHere).toContain(`["so","${serving.home}"]`);
    expect(inHere).toContain(`\n${serving.project}\n`);
    const started = readFileSync(log, 'utf8').match(/(?<="pid":)\d+/g) ?? [];
    expect(started).toHaveLength(2);
    await expect.poll(() => started.filter((pid) => isAlive(Number(pid)))).toEqual([]);
  });
});
