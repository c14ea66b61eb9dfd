import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from '../cli/world.ts';
import { ALL, LONG, often } from '../effort.ts';

cleanWorlds();

/**
 * Clients that don't use each hook's text, or have a file of our own, with the files in which a person has hooks of
 * their own, and not.
 */
const CLIENTS = {
  opencode: [{}],
  copilot: [{}, { 'home/.copilot/hooks/own.json': '{"version":1,"hooks":{"sessionStart":[]}}' }],
  cursor: [
    {},
    { 'home/.cursor/hooks.json': '{"version": 1, "hooks": {"stop": [{ "command": "true" }]}} // mine\n' },
  ],
  droid: [
    {},
    { 'home/.factory/settings.json': '{\n\t"theme": "dark" // mine\n}' },
    {
      'home/.factory/hooks.json':
        '{"PostToolUse":[{"matcher":"x","hooks":[{"type":"command","command":"true"}]}]}',
      'home/.factory/settings.json':
        '{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"true"}]}]}}\n',
    },
  ],
} as const;

const SERVERS = ['a', 'b', 'c'];
const AFTER = { event: 'post_tool_use', context: 'After.', priority: 'suggestion' };
const PROMPT = { event: 'pre_request', context: 'Prompt.', priority: 'important' };
const DECLARED = [[AFTER], [PROMPT], [AFTER, PROMPT]];

const worldWith = (files: Readonly<Record<string, string>>): World => {
  const world = makeWorld();
  for (const [i, name] of SERVERS.entries())
    world.write(`home/${name}.json`, JSON.stringify({ declarations: DECLARED[i] }));
  const servers = SERVERS.map((name) => [name, serverEntry(`${world.home}/${name}.json`)]);
  world.write('home/.claude.json', JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  return world;
};

const steps = fc.array(
  fc.record({
    server: fc.constantFrom(...SERVERS),
    does: fc.constantFrom('install', 'uninstall', 'declare'),
    declares: fc.constantFrom(...DECLARED),
  }),
  { minLength: 3, maxLength: ALL ? 6 : 4 },
);

describe.each(LONG ? (Object.keys(CLIENTS) as (keyof typeof CLIENTS)[]) : (['droid'] as const))(
  'servers that come and go on %s',
  (client) => {
    const title = clientById(client).title;

    it('agree on the entries that serve them all, and give back every byte', async () => {
      await fc.assert(
        fc.asyncProperty(steps, fc.constantFrom(...CLIENTS[client]), async (all, files) => {
          const world = worldWith(files);
          const before = world.files();
          const installed = new Set<string>();
          for (const { server, does, declares } of all) {
            if (does === 'declare')
              world.write(`home/${server}.json`, JSON.stringify({ declarations: declares }));
            const words =
              does === 'uninstall'
                ? ['uninstall', server]
                : [
                    'install',
                    server,
                    '--client',
                    client,
                    '--from',
                    'claude-code',
                    '--yes',
                    '--accept-changed',
                  ];
            const ended = await world.run(...words);
            expect(ended, `${words} ${JSON.stringify(all)}`).toMatchObject({ code: 0 });
            installed[does === 'uninstall' ? 'delete' : 'add'](server);
            const diff = await world.run('diff', '--offline');
            expect(diff, JSON.stringify(all)).toMatchObject({ code: installed.size > 0 ? 0 : diff.code });
            const list = (await world.run('list')).stdout;
            expect(
              list.match(/missing|edited|changed/),
              `${title}\n${list}\n${JSON.stringify(all)}`,
            ).toBeNull();
          }
          const left = await world.run('uninstall', '--all');
          expect(left).toMatchObject({ code: 0 });
          const declared = SERVERS.map((name) => `home/${name}.json`);
          const after = world.files();
          for (const file of declared) after[file] = before[file] ?? '';
          expect(after, JSON.stringify(all)).toEqual(before);
        }),
        { ...often(), numRuns: ALL ? 8 : 1 },
      );
    }, 400_000);
  },
);
