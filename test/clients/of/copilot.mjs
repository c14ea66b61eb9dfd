/** GitHub Copilot CLI. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chat } from '../models/chat.mjs';
import { put } from '../world.mjs';

/**
 * Of several hooks on a prompt Copilot CLI hears the last one alone, so the user's own hook speaks at the start. It reads
 * text at the top of a document.
 */
const says = (text) => `printf '%s' '${JSON.stringify({ additionalContext: text })}'`;
const hooks = (events) => ({
  version: 1,
  hooks: Object.fromEntries(
    Object.entries(events).map(([event, text]) => [event, [{ type: 'command', command: says(text) }]]),
  ),
});

const servers = (defined) => ({ 'home/.copilot/mcp-config.json': { mcpServers: defined } });
const project = (defined) => ({ 'project/.mcp.json': { mcpServers: defined } });

function callOf(call) {
  if (call.bash) return { name: 'bash', arguments: { command: call.bash, description: 'run' } };
  if (call.write) return { name: 'create', arguments: { path: call.write, file_text: call.text } };
  if (call.read) return { name: 'view', arguments: { path: call.read } };
  if (call.mcp) return { name: call.mcp.join('-'), arguments: call.args ?? {} };
  const agent = { agent_type: 'task', name: 'helper', description: 'help', mode: 'sync' };
  return { name: 'task', arguments: { ...agent, prompt: call.agent } };
}

/** Sub-agents have a system prompt of their own. */
function kindOf({ tools = [], messages: [system] }) {
  const isOwn = system.content.startsWith('You are the GitHub Copilot CLI');
  return isOwn || tools.length === 0 ? undefined : 'sub';
}

/** Tools are then run in any folder, without a question. */
const ALLOWED = ['--allow-all-tools', '--allow-all-paths'];

/** Folders that a person trusts, as the client writes them down. */
function trust(world, folder) {
  const file = join(world.home, '.copilot/config.json');
  const text = existsSync(file) ? readFileSync(file, 'utf8').replace(/^\/\/.*$/gm, '') : '{}';
  const { trustedFolders = [], ...rest } = JSON.parse(text);
  put(world, { 'home/.copilot/config.json': { ...rest, trustedFolders: [...trustedFolders, folder] } });
}

export const client = {
  package: '@github/copilot',
  versions: ['1.0.102', '1.0.83'],
  program: ({ native }) => [native('copilot')],
  dialect: chat(callOf, kindOf),
  env: (url) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_MODEL: 'fake-model',
    COPILOT_AUTO_UPDATE: 'false',
    // It unpacks 240 MB there at its first start.
    XDG_CACHE_HOME: join(import.meta.dirname, '../installed/copilot-cache'),
  }),
  args: ({ prompt, again }) => [...(again ? ['--continue'] : []), '-p', prompt, ...ALLOWED],
  terminal: {
    prompt: /^ ?❯\s*$/m,
    args: ({ again }) => [...ALLOWED, ...(again ? ['--continue'] : [])],
    settle: (world) => trust(world, world.project),
    quit: '/exit',
    compacted: 'Compaction completed',
    // What a session began with is replaced when it is resumed.
    starts: () => ({ 'MARK-START': [1, 1, 1, 1, 1], 'MARK-END': [0, 0, 1, 1, 1] }),
  },
  files: {
    user: (defined) => ({
      'home/.copilot/hooks/own.json': hooks({ sessionStart: 'USER-PROMPT', postToolUse: 'USER-TOOL' }),
      ...servers(defined),
    }),
    servers,
    project,
    team: (defined) => ({
      ...project(defined),
      'project/.github/hooks/team.json': hooks({ sessionStart: 'TEAM-PROMPT' }),
    }),
  },
  hearsOne: (version) => version === '1.0.83',
  // After /clear a session begins as any other.
  untold: ['clear'],
  subAgents: () => true,
  team: { trust, untrusted: {}, subfolder: 'fires' },
  // docs/fleet.md names no way of its own for it.
  fleet: null,
  plugin: {
    format: 'copilot-plugin',
    take: (client, _world, folder) => ({
      ok: true,
      said: '',
      client: { ...client, command: [...client.command, '--plugin-dir', folder] },
    }),
    root: (_world, folder) => folder,
  },
};
