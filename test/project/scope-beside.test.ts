import { expect, it } from 'vitest';
import { homeWith } from '../cli/home.ts';
import { cleanWorlds } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const START = { event: 'session_start', context: 'Read your notes.', priority: 'suggestion' };
const PROMPT = { event: 'pre_request', context: 'Keep it short.', priority: 'suggestion' };

it.runIf(LONG)('names the scopes that have hooks, where the one that was asked for has none', async () => {
  const world = homeWith(START, PROMPT);
  const said = async (...args: string[]) => (await world.run(...args)).stderr;
  expect(await said('diff', '--scope', 'local')).toBe(
    "No hooks are installed. 'mcphooks scan' shows your servers that have some.\n",
  );
  await world.run('install', 'memo', '--yes', '--client', 'claude-code');
  for (const scope of ['local', 'project']) {
    const none = `No hooks are installed at scope ${scope}. Scope user has some`;
    expect(await said('diff', '--scope', scope)).toBe(`${none}: 'mcphooks diff'.\n`);
    expect(await said('uninstall', '--all', '--scope', scope)).toBe(`${none}: 'mcphooks uninstall --all'.\n`);
    for (const command of [
      ['uninstall', 'memo'],
      ['fire', 'memo', 'session_start'],
      ['explain', 'memo'],
    ])
      expect(await said(...command, '--scope', scope)).not.toContain('scope user\n');
  }
  await world.run('uninstall', 'memo');
  await world.run('install', 'memo', '--yes', '--client', 'claude-code', '--scope', 'local');
  expect(await said('diff')).toBe(
    "No hooks are installed at scope user. Scope local has some: 'mcphooks diff --scope local'.\n",
  );
});
