import { expect, it } from 'vitest';
import { cleanWorlds, makeWorld, serverEntry, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { captured } from '../fire/world.ts';
import { homeEnv, WINDOWS } from '../platform.ts';
import { start } from './run.ts';

cleanWorlds();

type Event = 'preCompact' | 'sessionStart' | 'userPromptSubmitted';
const PAYLOADS = {
  preCompact: captured('copilot', 'preCompact'),
  sessionStart: captured('copilot', 'sessionStart.resume'),
  userPromptSubmitted: captured('copilot', 'userPromptSubmitted'),
};

/** Returns which of these events, fired one after the other in one session, give the text to the model. */
async function speaking(world: World, session: string, ...events: Event[]): Promise<Event[]> {
  const { hooks } = JSON.parse(world.read('home/.copilot/hooks/mcphooks.json'));
  const env = { ...homeEnv(world.home), COPILOT_CLI: '1', COPILOT_PROJECT_DIR: world.project };
  const gave: Event[] = [];
  for (const event of events) {
    const [{ command }] = hooks[event];
    const payload = JSON.stringify({ ...PAYLOADS[event], sessionId: session });
    const ran = await start(['/bin/sh', '-c', command], payload, world.project, env);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    if (ran.stdout.includes('Read the plan.')) gave.push(event);
  }
  return gave;
}

it.runIf(LONG && !WINDOWS)(
  'a session that is resumed after a compaction gets its first text once',
  async () => {
    const world = makeWorld();
    const declared = world.write(
      'home/declared.json',
      JSON.stringify({
        declarations: [{ event: 'session_start', context: 'Read the plan.', priority: 'important' }],
      }),
    );
    world.write(
      'home/.copilot/mcp-config.json',
      JSON.stringify({ mcpServers: { alpha: serverEntry(declared) } }),
    );

    expect(await world.run('install', 'alpha', '--client', 'copilot', '--yes')).toMatchObject({ code: 0 });
    const PROMPT = 'userPromptSubmitted';
    expect(await speaking(world, 'a', 'preCompact', PROMPT, PROMPT)).toEqual([PROMPT]);
    expect(await speaking(world, 'b', 'preCompact', 'sessionStart', PROMPT)).toEqual(['sessionStart']);
    // What another session waits for stays.
    expect(await speaking(world, 'c', 'preCompact')).toEqual([]);
    expect(await speaking(world, 'd', 'sessionStart', PROMPT)).toEqual(['sessionStart']);
    expect(await speaking(world, 'c', PROMPT)).toEqual([PROMPT]);
  },
);
