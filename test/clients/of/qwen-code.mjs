/** Qwen Code. */
import { dirname, join } from 'node:path';
import { groups, OWN, says, teamHook } from '../files.mjs';
import { chat } from '../models/chat.mjs';
import { put, run } from '../world.mjs';

const callOf = (call) => {
  if (call.bash)
    return {
      name: 'run_shell_command',
      arguments: { command: call.bash, description: 'run', is_background: false },
    };
  if (call.write) return { name: 'write_file', arguments: { file_path: call.write, content: call.text } };
  if (call.read) return { name: 'read_file', arguments: { file_path: call.read } };
  if (call.mcp) return { name: `mcp__${call.mcp.join('__')}`, arguments: call.args ?? {} };
  if (call.agent)
    return {
      name: 'agent',
      arguments: {
        description: 'a task',
        prompt: `SUB-AGENT ${call.agent}`,
        subagent_type: 'general-purpose',
      },
    };
  return call.native;
};

/** Requests at a terminal that offer tools, and aren't of a turn. */
const HOUSEKEEPING = /Reply with ONLY the suggestion|## Existing memory files \(across/;

function kindOf({ messages = [], tools = [] }) {
  if (tools.length === 0 || HOUSEKEEPING.test(JSON.stringify(messages.at(-1) ?? ''))) return 'side';
  const [first] = messages.filter(({ role }) => role === 'user');
  return /SUB-AGENT/.test(JSON.stringify(first ?? '')) ? 'sub' : 'main';
}

export const settings = (servers) => ({
  security: { auth: { selectedType: 'openai' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
  // Requests that no turn makes.
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
  ui: { enableFollowupSuggestions: false },
  mcpServers: servers,
  // Else it adds this at its first start; qwen-code.own.mjs has it do so.
  $version: 4,
});
const MODE = ['-m', 'fake-model', '--approval-mode', 'yolo'];

export const client = {
  flaw: 'its shell tool can lose output, without any hook (0.24.4)',
  package: '@qwen-code/qwen-code',
  versions: ['0.24.4', '0.21.10'],
  node: 22,
  program: ({ manifest, node }) => [node, join(dirname(manifest), 'cli-entry.js')],
  dialect: chat(callOf, kindOf),
  env: (url) => ({
    OPENAI_API_KEY: 'dummy',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: 'fake-model',
    // It sets this itself for the process in which it starts anew with more memory.
    QWEN_CODE_NO_RELAUNCH: 'true',
    QWEN_TELEMETRY_ENABLED: 'false',
    QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
    NO_BROWSER: '1',
    // Compiling its code takes a seventh of a short session.
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../installed/qwen-code-cache'),
  }),
  args: ({ prompt, again }) => [...MODE, ...(again ? ['--continue'] : []), '-p', prompt],
  endsAtTerminal: true,
  terminal: {
    // Only while nothing is typed and no turn runs.
    prompt: /Type your message(?![\s\S]*Enter to steer)/,
    args: ({ again }) => [...MODE, ...(again ? ['--continue'] : [])],
    compact: '/compress',
    compacted: 'compressed from',
    starts: () => ({ 'MARK-START': [1, 1, 1, 1, 1], 'MARK-END': [0, 0, 1, 1, 1] }),
  },
  files: {
    user: (servers) => {
      const hooks = groups(OWN, (e, text) => ({ type: 'command', name: `own-${e}`, command: says(e, text) }));
      const text = JSON.stringify({ ...settings(servers), hooks }, null, 2);
      return { 'home/.qwen/settings.json': `// mine\n${text}\n` };
    },
    servers: (servers) => ({ 'home/.qwen/settings.json': settings(servers) }),
    project: (servers) => ({ 'project/.qwen/settings.json': { mcpServers: servers, $version: 4 } }),
    team: (servers) => {
      const text = JSON.stringify(
        { mcpServers: servers, ...teamHook('UserPromptSubmit', { name: 'team' }), $version: 4 },
        null,
        2,
      );
      return { 'project/.qwen/settings.json': `// ours\n${text}\n` };
    },
  },
  team: {
    trust: (world, folder) => put(world, { 'home/.qwen/trustedFolders.json': { [folder]: 'TRUST_FOLDER' } }),
    anyFolder: true,
  },
  // docs/fleet.md names no way of its own for it.
  fleet: null,
  plugin: {
    format: 'qwen-extension',
    async take(client, world, folder) {
      const installed = await run([...client.command, 'extensions', 'install', folder, '--consent'], {
        ...world.at,
        env: world.env,
      });
      return { ok: installed.code === 0, said: installed.stdout + installed.stderr, client };
    },
    root: (world) => join(world.home, '.qwen/extensions/mcphooks-mem'),
  },
};
