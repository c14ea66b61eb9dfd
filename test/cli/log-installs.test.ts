import { expect, it } from 'vitest';
import { homeWith } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();

const promptHook = (context: string): object => ({ event: 'pre_request', context, priority: 'suggestion' });

/** Installs `memo` with such declarations. */
async function install(world: World, declarations: readonly object[], ...args: string[]): Promise<void> {
  const file = world.write('project/declared.json', JSON.stringify({ declarations }));
  const ran = await world.run('install', 'memo', '--declarations', file, '--yes', ...args);
  expect(ran.code, ran.stderr).toBe(0);
}

/** Logs a text, given after the installs, for each client and project folder. Returns the texts that `log` shows. */
async function textsShown(
  world: World,
  lines: readonly (readonly [client: string, project: string])[],
): Promise<unknown[]> {
  const at = new Date(Date.now() + 60_000).toISOString();
  const rest = { n: 1, event: 'pre_request', chars: 90, tokens: 23, session: 's' };
  const all = lines.map(([client, project]) => ({ at, server: 'memo', client, ...rest, project }));
  world.write(
    'home/.local/state/mcphooks/hooks.log',
    all.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const { stdout } = await world.run('log', '--json');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).text);
}

it('shows the text of the install that fired', async () => {
  const world = homeWith();
  await install(world, [promptHook('Of the user.')], '--client', 'codex');
  await install(world, [promptHook('Of the project.')], '--client', 'claude-code', '--scope', 'project');
  const texts = await textsShown(world, [
    ['codex', world.project],
    ['claude-code', world.project],
    ['claude-code', world.home],
    ['gemini-cli', world.project],
  ]);
  expect(texts).toEqual(['Of the user.', 'Of the project.', undefined, undefined]);
});

it.each([
  ['Of the user.', 'Of the user.'],
  ['Of the checkout.', undefined],
])('shows a text where several installs may have fired only if all have it: %s', async (text, shown) => {
  const world = homeWith();
  await install(world, [promptHook('Of the user.')], '--client', 'codex');
  const file = 'home/.local/state/mcphooks/record.json';
  const record = JSON.parse(world.read(file));
  const [user] = record.servers;
  const local = { ...user, scope: 'local', root: world.project, declarations: [promptHook(text)] };
  world.write(file, JSON.stringify({ ...record, servers: [user, local] }));
  const texts = await textsShown(world, [
    ['codex', world.project],
    ['codex', world.home],
  ]);
  expect(texts).toEqual([shown, 'Of the user.']);
});

it('shows the text of a line for a kept text only where the length agrees', async () => {
  const world = homeWith();
  const text = 'Of the newest install.';
  await install(
    world,
    [{ event: 'post_request', context: text, priority: 'suggestion' }],
    '--client',
    'codex',
  );
  const meant = new Date().toISOString();
  const at = new Date(Date.now() + 60_000).toISOString();
  const given = (context: string): string => {
    const note = `meant for the end of an earlier turn, ${meant.slice(0, 16).replace('T', ' ')} UTC`;
    const naming = `[mcphooks 0a1b2c3d | MCP server "memo" | post_request | suggestion | ${note}]`;
    const chars = `${naming}\n${context}\n[/mcphooks 0a1b2c3d]`.length;
    const about = { server: 'memo', client: 'codex', n: 1, event: 'post_request', session: 's' };
    return `${JSON.stringify({ at, ...about, chars, tokens: 40, tag: '0a1b2c3d', meant })}\n`;
  };
  world.write('home/.local/state/mcphooks/hooks.log', `${given(text)}${given('Of an earlier install.!')}`);
  const { stdout } = await world.run('log', '--json');
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).text)).toEqual([text, undefined]);
});
