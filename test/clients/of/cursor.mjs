/**
 * Cursor, as far as it can be run without its servers: its own hook runtime, out of its SDK, is driven by
 * cursor.drive.mjs. What stands for a request is what that runtime hands on for the model; what the model reads is not
 * shown.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { put, run } from '../world.mjs';

const DRIVER = join(import.meta.dirname, 'cursor.drive.mjs');

const says = (text) => `printf '%s' '${JSON.stringify({ additional_context: text })}'`;
const file = (hooks) =>
  `// mine\n${JSON.stringify({ version: 1, hooks: Object.fromEntries(Object.entries(hooks).map(([step, text]) => [step, [{ command: says(text) }]])) }, null, 2)}\n`;
const OWN = { sessionStart: 'USER-START', beforeSubmitPrompt: 'USER-PROMPT', postToolUse: 'USER-TOOL' };
const servers = (mcpServers) => ({ 'home/.cursor/mcp.json': { mcpServers } });

export const client = {
  package: '@cursor/sdk',
  versions: ['1.0.32', '1.0.18'],
  program: ({ manifest, node }) => [node, DRIVER, dirname(manifest)],
  // A hook gets its payload on stdin, or in a here-document behind its command. Commands are run in one of two ways, too.
  variants: [{ model: 'stdin' }, { model: 'here-document' }],
  async drive(client, { world, prompts, model, cwd = world.project, env = {}, timeoutMs }) {
    const result = join(world.dir, 'tmp', 'talk.json');
    const ended = await run(client.command, {
      cwd,
      env: { ...world.env, ...env },
      input: JSON.stringify({ prompts, transport: model, result }),
      timeoutMs,
    });
    const talked = ended.code === 0 ? JSON.parse(readFileSync(result, 'utf8')) : { requests: [], unused: 0 };
    return { ...ended, ...talked };
  },
  files: {
    user: (defined) => ({ 'home/.cursor/hooks.json': file(OWN), ...servers(defined) }),
    servers,
    project: (defined) => ({ 'project/.cursor/mcp.json': { mcpServers: defined } }),
    team: (defined) => ({
      'project/.cursor/mcp.json': { mcpServers: defined },
      'project/.cursor/hooks.json': file({ beforeSubmitPrompt: 'TEAM-PROMPT' }),
    }),
    addHook: (world, event, text) => {
      const path = 'home/.cursor/hooks.json';
      const now = JSON.parse(readFileSync(join(world.dir, path), 'utf8').replace(/^\/\/.*$/m, ''));
      now.hooks[event] = [...(now.hooks[event] ?? []), { command: says(text) }];
      put(world, { [path]: now });
    },
  },
  // Every conversation starts as a new one.
  untold: ['resume', 'compact'],
  promptHook: (world) => {
    const { hooks } = JSON.parse(
      readFileSync(join(world.home, '.cursor/hooks.json'), 'utf8').replace(/^\/\/.*$/m, ''),
    );
    return {
      command: hooks.beforeSubmitPrompt
        .map(({ command }) => command)
        .find((one) => one.includes('mcphooks/')),
      payload: { hook_event_name: 'beforeSubmitPrompt', conversation_id: 'one', prompt: 'x' },
      env: { CURSOR_PROJECT_DIR: world.project },
    };
  },
  // The SDK asks for no trust of folders.
  team: { trust: () => {} },
  // Its model is Cursor's own, its plugins come from a marketplace of Cursor's servers, and the SDK has no screen.
  dialect: null,
  plugin: null,
  fleet: null,
  terminal: null,
};
