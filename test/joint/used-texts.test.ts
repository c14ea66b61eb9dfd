import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installClients } from '../cli/home.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { slashed } from '../platform.ts';

cleanWorlds();

const PROMPT = { event: 'pre_request', context: 'Prompt.', priority: 'suggestion' };

function homeOf(client: string, files: Readonly<Record<string, string>>): World {
  const world = makeWorld();
  installClients(world, { [client]: '1.0.102' });
  const file = world.write('home/memo.json', JSON.stringify({ declarations: [PROMPT] }));
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: serverEntry(file) } }));
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  return world;
}

const flat = (event: string): string => `{"version":1,"hooks":{"${event}":[{"command":"true"}]}}`;
const grouped = (event: string): string =>
  `{"hooks":{"${event}":[{"hooks":[{"type":"command","command":"true"}]}]}}`;

describe('hooks of others at an event of which a client uses one text', () => {
  const OTHERS = [
    [
      'copilot',
      'home/.copilot/hooks/a.json',
      flat('userPromptSubmitted'),
      'last text from hooks at \\w+: from these',
    ],
    [
      'copilot',
      'home/.copilot/hooks/z.json',
      flat('UserPromptSubmit'),
      'last text from hooks at \\w+: from those in',
    ],
    [
      'copilot',
      'home/.copilot/hooks/team/z.json',
      flat('userPromptSubmitted'),
      'last text from hooks at \\w+: from those in',
    ],
    [
      'copilot',
      'home/.copilot/settings.json',
      `// mine\n${flat('userPromptSubmitted').replace('}]', '},]')}`,
      'last text from hooks at \\w+: from those in',
    ],
    [
      'copilot',
      'project/.github/hooks/team.json',
      flat('userPromptSubmitted'),
      'last text from hooks at \\w+: from those in',
    ],
    [
      'droid',
      'home/.factory/settings.json',
      grouped('UserPromptSubmit'),
      'first text from hooks at \\w+: from those in',
    ],
    [
      'droid',
      'project/.factory/settings.json',
      grouped('UserPromptSubmit'),
      'first text from hooks at \\w+: from those in',
    ],
  ] as const;
  it.each(LONG ? OTHERS : OTHERS.slice(0, 2))('%s, with %s', async (client, path, text, says) => {
    const world = homeOf(client, { [path]: text });
    const install = ['install', 'memo', '--client', client, '--from', 'claude-code'];
    const planned = (await world.run(...install, '--dry-run', '--json')).stdout;
    const inProject = path.startsWith('project/');
    const whose = says.endsWith('these') ? 'ours' : 'theirs';
    expect(/"heard\.(\w+)"/.exec(planned)?.[1], planned).toBe(inProject ? undefined : whose);
    expect(await world.run(...install, '--yes')).toMatchObject({ code: 0 });
    const { stdout } = await world.run('doctor');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(new RegExp(`uses only the ${says}`));
    expect(stdout).toContain(path.split('/').at(-1));
  });

  it.each([
    ['copilot', 'userPromptSubmitted', 'last text from hooks at \\w+: from those in'],
    ['droid', 'UserPromptSubmit', 'first text from hooks at \\w+: from these'],
  ])('%s, in a plugin', async (client, event, says) => {
    const world = homeOf(client, {});
    const root = join(world.home, 'market/p');
    const on = { enabledPlugins: { 'p@m': true } };
    const put = (file: string, value: unknown) => world.write(`home/${file}`, JSON.stringify(value));
    if (client === 'copilot') {
      const source = { source: 'directory', path: join(world.home, 'market') };
      put('.copilot/settings.json', { ...on, extraKnownMarketplaces: { m: { source } } });
      put('market/.claude-plugin/marketplace.json', { plugins: [{ name: 'p', source: './p' }] });
      put('market/p/plugin.json', { name: 'p' });
    } else {
      put('.factory/settings.json', on);
      put('.factory/plugins/installed_plugins/p.json', { pluginId: 'p@m', entry: { installPath: root } });
      put('market/p/.factory-plugin/plugin.json', { name: 'p' });
    }
    put('market/p/hooks/hooks.json', {
      hooks: { [event]: [{ hooks: [{ type: 'command', command: 'true' }] }] },
    });
    await world.run('install', 'memo', '--client', client, '--from', 'claude-code', '--yes');
    const told = async () => slashed((await world.run('doctor')).stdout).replace(/\s+/g, ' ');
    expect(await told()).toMatch(new RegExp(`uses only the ${says}.*hooks/hooks.json`));
    // Ours gives no text beside an install of its server.
    put('market/p/mcphooks.json', { server: 'memo' });
    expect(await told()).not.toContain('uses only the');
  });

  it('do not count in a file whose event another one turns off', async () => {
    const world = homeOf('droid', { 'home/.factory/settings.json': grouped('UserPromptSubmit') });
    await world.run('install', 'memo', '--client', 'droid', '--from', 'claude-code', '--yes');
    // As Droid does when somebody changes anything in /hooks.
    const { hooks } = JSON.parse(world.read('home/.factory/settings.json'));
    world.write('home/.factory/hooks.json', JSON.stringify(hooks));
    const { stdout } = await world.run('doctor');
    expect(slashed(stdout).replace(/\s+/g, ' ')).toMatch(
      /from those in \S+hooks\.json, not from these ~\/\.factory\/hooks\.json/,
    );
  });

  it.each(['1.0.87', '1.0.102'])(
    'are spoken of at a session’s start where the version uses one text: Copilot CLI %s',
    async (version) => {
      const world = homeOf('copilot', { 'home/.copilot/hooks/z.json': flat('sessionStart') });
      installClients(world, { copilot: version });
      world.write('bin/package.json', JSON.stringify({ name: '@github/copilot', version }));
      const start = { event: 'session_start', context: 'Start.', priority: 'suggestion' };
      world.write('home/memo.json', JSON.stringify({ declarations: [start] }));
      const install = ['install', 'memo', '--client', 'copilot', '--from', 'claude-code'];
      const says = version === '1.0.87';
      const { stdout } = await world.run(...install, '--dry-run', '--json');
      expect(stdout.includes('heard.theirs')).toBe(says);
      expect(await world.run(...install, '--yes')).toMatchObject({ code: 0 });
      expect((await world.run('doctor', '--json')).stdout.includes('doctor.heard-theirs')).toBe(says);
    },
  );

  it('are not spoken of where there are none, or at other events', async () => {
    const world = homeOf('copilot', { 'home/.copilot/hooks/a.json': flat('postToolUse') });
    await world.run('install', 'memo', '--client', 'copilot', '--from', 'claude-code', '--yes');
    expect((await world.run('doctor')).stdout).not.toContain('uses only the');
  });
});

it('doctor says what an old version of the client gives less', async () => {
  const world = homeOf('droid', {});
  installClients(world, { droid: '0.117.0' });
  await world.run('install', 'memo', '--client', 'droid', '--from', 'claude-code', '--yes');
  const { stdout } = await world.run('doctor');
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'no text from pre_request and post_request reaches the model',
  );
});
