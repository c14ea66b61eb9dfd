/** Droid. It fires UserPromptSubmit at a terminal only. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { says } from '../files.mjs';
import { chat } from '../models/chat.mjs';
import { put, run } from '../world.mjs';

const settingsOf = (world) => join(world.home, '.factory/settings.json');
const hook = (command) => [{ hooks: [{ type: 'command', command }] }];

/**
 * The model reads one hook's text at a prompt and after a tool: the first. So the user's own hooks speak in other ways,
 * at the start and in front of a tool's result.
 */
const OWN = {
  SessionStart: hook(says('SessionStart', 'USER-PROMPT')),
  PreToolUse: hook('printf USER-TOOL >&2; exit 1'),
};

/** 0.117.0 hears the first hook alone at the start of a session, too. */
const hearsOne = (version) => version === '0.117.0';
const ownOf = (version) => (hearsOne(version) ? { PreToolUse: OWN.PreToolUse } : OWN);

const fields = { summary: 'x', riskLevel: 'low', riskLevelReason: 'x' };
function callOf(call) {
  if (call.bash) return { name: 'Execute', arguments: { command: call.bash, ...fields, timeout: 30 } };
  if (call.write) return { name: 'Create', arguments: { file_path: call.write, content: call.text } };
  if (call.read) return { name: 'Read', arguments: { file_path: call.read } };
  if (call.mcp) return { name: `${call.mcp[0]}___${call.mcp[1]}`, arguments: call.args ?? {} };
  return {
    name: 'Task',
    arguments: { subagent_type: 'worker', description: 'x', prompt: call.agent },
  };
}
const isSub = (body) => JSON.stringify(body.messages).includes('# Task Tool Invocation');

const model = chat(callOf, (body) => (body.tools?.length > 0 && isSub(body) ? 'sub' : undefined));

/** It takes its model from a file on the command line, so that the user's settings stay what the test wrote. */
function settings(world, url) {
  const fake = {
    displayName: 'fake',
    model: 'fake-model',
    provider: 'generic-chat-completion-api',
    baseUrl: `${url}/v1`,
    apiKey: 'dummy',
    maxOutputTokens: 4096,
  };
  put(world, {
    'droid.json': {
      customModels: [fake],
      sessionDefaultSettings: { model: 'custom:fake-0', autonomyMode: 'auto-high' },
      enableDroidShield: false,
      logoAnimation: 'off',
    },
  });
  return ['--settings', join(world.dir, 'droid.json')];
}

/** The session that was written to last. */
function lastSession({ home }) {
  const folder = join(home, '.factory/sessions');
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
  const [last] = files.sort((a, b) => b.at - a.at);
  return last.name.split('/').at(-1).replace('.jsonl', '');
}

/** As a person does who answers its question about the folder. */
function trust(world, folder) {
  const file = settingsOf(world);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  const known = JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')).trustedFolders ?? {};
  if (known[folder]) return;
  const all = JSON.stringify({ ...known, [folder]: { trustedAt: '2026-01-01T00:00:00.000Z' } });
  const rest = text.replace(/\s*"trustedFolders": \{[^}]*\}[^}]*\},?/, '');
  const comma = /^\s*\{\s*\}/.test(rest) ? '' : ',';
  put(world, { 'home/.factory/settings.json': rest.replace('{', `{"trustedFolders": ${all}${comma}`) });
}

const servers = (defined) => ({ 'home/.factory/mcp.json': { mcpServers: defined } });
const project = (defined) => ({ 'project/.factory/mcp.json': { mcpServers: defined } });

export const client = {
  // Both npm packages, droid and @factory/cli, take the program from this one.
  package: `@factory/cli-${process.platform}-${process.arch}`,
  versions: ['0.225.2', '0.215.0'],
  program: ({ manifest }) => [join(dirname(manifest), 'bin/droid')],
  atTerminal: ['pre_request', 'post_request'],
  dialect: {
    ...model,
    // At a terminal, 0.117.0 asks whose key it has before it takes a prompt.
    other: (path, json) =>
      path.endsWith('/whoami') ? json({ userId: 'user', orgId: 'org' }) : model.other(path, json),
  },
  env: (url) => ({
    FACTORY_API_KEY: 'fk-dummy',
    FACTORY_API_BASE_URL: url,
    FACTORY_AIRGAP_ENABLED: 'true',
    FACTORY_DISABLE_TELEMETRY: '1',
    FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false',
    // Compiling hot code and collecting garbage take a fifth of a short session.
    BUN_JSC_useFTLJIT: '0',
    BUN_JSC_useGC: '0',
  }),
  // Without network it continues no session in this way: a second prompt is a session of its own.
  args: ({ prompt, url, world }) => [
    ...settings(world, url),
    ...['exec', '-m', 'custom:fake-0', '--auto', 'high'],
    prompt,
  ],
  terminal: {
    // The line stays while it works.
    prompt: /^(?![\s\S]*ESC to stop)[\s\S]*\? for help/i,
    args: ({ again, url, world }) => [
      ...settings(world, url),
      ...(again ? ['--resume', lastSession(world)] : []),
    ],
    settle: (world) => trust(world, world.project),
    forgets: true,
    starts: () => ({ 'MARK-START': [1, 1, 1, 1, 1], 'MARK-END': [0, 0, 1, 1, 1] }),
  },
  files: {
    user: (defined, { client }) => ({
      'home/.factory/settings.json': `{\n  // mine\n  "hooks": ${JSON.stringify(ownOf(client.version))}\n}\n`,
      ...servers(defined),
    }),
    servers,
    project,
    team: (defined) => ({
      ...project(defined),
      'project/.factory/settings.json': {
        hooks: { SessionStart: hook(says('SessionStart', 'TEAM-PROMPT')) },
      },
    }),
  },
  // It looks these up by a tool of its own.
  offeredLater: (body) =>
    (/Deferred tools:((?:\\n\w+)+)/.exec(JSON.stringify(body))?.[1] ?? '').split('\\n').filter(Boolean),
  textFirst: true,
  hearsOne,
  // No hook fires for a tool that failed; each further start is one of a new session.
  untold: ['failures', 'resume', 'clear', 'compact'],
  subAgents: () => true,
  team: { trust, subfolder: 'fires', anyFolder: false },
  // docs/fleet.md names no way of its own for it.
  fleet: null,
  plugin: {
    format: 'droid-plugin',
    async take(client, world, folder, name) {
      const plugin = { name, source: `./${folder.split('/').at(-1)}`, description: 'x', version: '1.0.0' };
      put(world, {
        'market/.factory-plugin/marketplace.json': { name: 'm', owner: { name: 'x' }, plugins: [plugin] },
      });
      const droid = (...args) =>
        run([...client.command, 'plugin', ...args], {
          ...world.at,
          env: { ...world.env, FACTORY_API_KEY: 'fk-dummy', FACTORY_AIRGAP_ENABLED: 'true' },
        });
      const added = await droid('marketplace', 'add', join(world.dir, 'market'));
      const taken = await droid('install', `${name}@market`);
      return { ok: added.code === 0 && taken.code === 0, said: added.stderr + taken.stderr, client };
    },
    // A copy of its own.
    root: ({ home }) => {
      const cache = join(home, '.factory/plugins/cache');
      const manifest = '.factory-plugin/plugin.json';
      const found = readdirSync(cache, { recursive: true }).find((name) => name.endsWith(manifest));
      return join(cache, found.slice(0, -manifest.length));
    },
  },
};
