/** Codex, twice: direct tools with hooks in config.toml, code mode with hooks in hooks.json that were reviewed. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups, OWN, says, teamHook } from '../files.mjs';
import { openai } from '../models/openai.mjs';
import { put, run } from '../world.mjs';
import { trustHooks } from './codex.trust.mjs';

const toml = (value) => JSON.stringify(value);
const variables = ({ env = {} }) => {
  const all = Object.entries(env).map(([name, value]) => `${name} = ${toml(value)}`);
  return all.length > 0 ? `env = { ${all.join(', ')} }\n` : '';
};
const tomlServers = (servers) =>
  Object.entries(servers).map(
    ([name, s]) =>
      `[mcp_servers.${name}]\ncommand = ${toml(s.command)}\nargs = ${toml(s.args)}\n${variables(s)}`,
  );
const tomlHook = (event, text) =>
  `\n[[hooks.${event}]]\n[[hooks.${event}.hooks]]\ntype = "command"\ncommand = ${toml(says(event, text))}\n`;
const trusted = (world) => ['-c', `projects={${toml(world.project)}={trust_level="trusted"}}`];

/** It takes its provider from the command line, so that the user's config.toml stays what the test wrote. */
function settings(url, model) {
  const provider = { name: 'fake', base_url: `${url}/v1`, wire_api: 'responses', env_key: 'FAKE_KEY' };
  const table = Object.entries({
    ...provider,
    request_max_retries: 0,
    stream_max_retries: 0,
    supports_websockets: false,
  });
  const entries = [
    ['model', toml(model)],
    ['model_provider', toml('fake')],
    ['check_for_update_on_startup', 'false'],
    ['model_providers.fake', `{${table.map(([k, v]) => `${k}=${toml(v)}`).join(',')}}`],
  ];
  return entries.flatMap(([k, v]) => ['-c', `${k}=${v}`]);
}

const project = (servers) => ({ 'project/.codex/config.toml': tomlServers(servers).join('\n') });

export const client = {
  package: '@openai/codex',
  versions: ['0.171.0', '0.169.0'],
  program: ({ native, triple }) => [native(`vendor/${triple}/bin/codex`)],
  variants: [
    { model: 'gpt-5.5', trust: 'bypass', hooksIn: 'toml', title: 'direct tools, config.toml' },
    { model: 'gpt-6.1-sol', trust: 'review', hooksIn: 'json', title: 'code mode, hooks.json' },
  ],
  dialect: openai,
  env: () => ({ FAKE_KEY: 'dummy' }),
  review: trustHooks,
  args: ({ prompt, again, model = 'gpt-5.5', url, trust = 'bypass', trustProject, world }) => [
    'exec',
    ...(again ? ['resume', '--last'] : []),
    '--skip-git-repo-check',
    '--json',
    '--dangerously-bypass-approvals-and-sandbox',
    ...(trust === 'bypass' ? ['--dangerously-bypass-hook-trust'] : []),
    ...settings(url, model),
    ...(trustProject ? trusted(world) : []),
    prompt,
  ],
  terminal: {
    prompt: /^›/m,
    args: ({ again, url, model, trust, world }) => [
      ...(again ? ['resume', '--last'] : []),
      '--dangerously-bypass-approvals-and-sandbox',
      ...(trust === 'bypass' ? ['--dangerously-bypass-hook-trust'] : []),
      ...settings(url, model),
      // Else it offers a newer model.
      ...['-c', 'notice.model_migrations={"gpt-5.5"="gpt-6-sol"}'],
      ...trusted(world),
    ],
    // A session that was cleared ends with the process.
    starts: () => ({ 'MARK-START': [1, 1, 1, 1, 2], 'MARK-END': [0, 0, 0, 0, 1] }),
  },
  files: {
    user: (servers, { hooksIn = 'toml' }) => {
      const config = ['# my settings\nmodel_reasoning_effort = "low" # cheap', ...tomlServers(servers)];
      const hooks = Object.entries(OWN).map(([event, text]) => tomlHook(event, text));
      if (hooksIn === 'toml')
        return { 'home/.codex/config.toml': `${[...config, ...hooks].join('\n')}\n# the end\n` };
      return {
        'home/.codex/hooks.json': {
          hooks: groups(OWN, (e, text) => ({ type: 'command', command: says(e, text) })),
        },
        'home/.codex/config.toml': config.join('\n'),
      };
    },
    servers: (servers) => ({ 'home/.codex/config.toml': tomlServers(servers).join('\n') }),
    project,
    team: (servers, { hooksIn }) => {
      const file = 'project/.codex/config.toml';
      const config = `# ours\n${project(servers)[file]}`;
      return hooksIn === 'json'
        ? { [file]: config, 'project/.codex/hooks.json': teamHook('UserPromptSubmit') }
        : { [file]: config + tomlHook('UserPromptSubmit', 'TEAM-PROMPT') };
    },
    addHook: (world, event, text, { hooksIn }) => {
      const file = join(world.home, '.codex', hooksIn === 'json' ? 'hooks.json' : 'config.toml');
      const before = readFileSync(file, 'utf8');
      if (hooksIn !== 'json') return writeFileSync(file, before + tomlHook(event, text));
      const document = JSON.parse(before);
      document.hooks[event].push({ hooks: [{ type: 'command', command: says(event, text) }] });
      writeFileSync(file, JSON.stringify(document, null, 2));
    },
  },
  untold: ['shell outcome'],
  subAgents: ({ model }) => model === 'gpt-5.5',
  team: {
    trust: (world, folder) =>
      appendFileSync(
        join(world.home, '.codex/config.toml'),
        `\n[projects.${toml(folder)}]\ntrust_level = "trusted"\n`,
      ),
    untrusted: { trust: 'bypass' },
    subfolder: 'fires',
    anyFolder: true,
  },
  plugin: {
    format: 'codex-plugin',
    together: 'claude-plugin,codex-plugin',
    async take(client, world, folder, name) {
      const plugin = { name, source: `./${folder.split('/').at(-1)}`, description: 'x' };
      put(world, {
        'market/.claude-plugin/marketplace.json': { name: 'm', owner: { name: 'x' }, plugins: [plugin] },
      });
      const codex = (...args) => run([...client.command, 'plugin', ...args], world.at);
      const added = await codex('marketplace', 'add', join(world.dir, 'market'), '--json');
      const taken = await codex('add', `${name}@m`, '--json');
      return { ok: added.code === 0 && taken.code === 0, said: added.stderr + taken.stderr, client };
    },
    root: (world) => join(world.home, '.codex/plugins/cache/m/mcphooks-mem/1.0.0'),
  },
  fleet: {
    take: 'codex plugin add',
    drop: 'codex plugin remove',
    settings: [
      ['codex/requirements.toml', 'allow_managed_hooks_only = true', 'allow_managed_hooks_only = true\n'],
      ['codex/requirements.toml', 'hooks = false', '[features]\nhooks = false\n'],
      ['codex/managed_config.toml', 'hooks = false', '[features]\nhooks = false\n'],
    ],
  },
};
