/** OpenCode. */
import { chat } from '../models/chat.mjs';

const MODEL = 'fake-model';
const MINE = 'home/.config/opencode';

/** Without these it waits for npm at its first start with a plugin. */
const installed = (folder) => {
  const dependencies = { '@opencode-ai/plugin': '1' };
  return {
    [`${folder}/node_modules/.keep`]: '',
    [`${folder}/package.json`]: { dependencies },
    [`${folder}/package-lock.json`]: { lockfileVersion: 3, packages: { '': { dependencies } } },
    [`${folder}/.gitignore`]: 'node_modules\npackage.json\npackage-lock.json\n',
  };
};

const entries = (servers) =>
  Object.fromEntries(
    Object.entries(servers).map(([name, { command, args, env }]) => [
      name,
      { type: 'local', command: [command, ...args], ...(env && { environment: env }) },
    ]),
  );

/** A file without this it would write anew. */
const SCHEMA = { $schema: 'https://opencode.ai/config.json' };

const settings = (servers) => ({
  ...SCHEMA,
  autoupdate: false,
  share: 'disabled',
  // A request that no turn makes.
  agent: { title: { disable: true } },
  provider: {
    fake: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Fake',
      options: { baseURL: '{env:FAKE_URL}/v1', apiKey: 'dummy' },
      models: { [MODEL]: { name: MODEL, tool_call: true, limit: { context: 100_000, output: 8_000 } } },
    },
  },
  mcp: entries(servers),
});

/** A plugin of somebody's: texts with each prompt and each tool's result. */
const plugin = (id, { prompt, tool }) => `export default {
  id: '${id}',
  server: async () => ({
    'chat.message': async (_, { message, parts }) => {
      const own = { id: parts.at(-1).id + 'm', sessionID: message.sessionID, messageID: message.id };
      parts.push({ ...own, type: 'text', text: '${prompt}', synthetic: true });
    },
    'tool.execute.after': async (_, output) => {
      if (${Boolean(tool)} && typeof output.output === 'string') output.output += '\\n${tool}';
    },
  }),
};
`;

function callOf(call) {
  if (call.bash) return { name: 'bash', arguments: { command: call.bash, description: 'x' } };
  if (call.write) return { name: 'write', arguments: { filePath: call.write, content: call.text } };
  if (call.read) return { name: 'read', arguments: { filePath: call.read } };
  if (call.mcp) return { name: call.mcp.join('_'), arguments: call.args ?? {} };
  return { name: 'task', arguments: { description: 'x', prompt: call.agent, subagent_type: 'general' } };
}
/** A sub-agent can't start others. */
const kindOf = ({ tools = [] }) =>
  tools.length > 0 && !tools.some((tool) => tool.function.name === 'task') ? 'sub' : undefined;

const START = ['-m', `fake/${MODEL}`];

export const client = {
  package: 'opencode-ai',
  versions: ['1.18.33', '1.18.3'],
  program: ({ native }) => [native('bin/opencode', 'opencode')],
  dialect: chat(callOf, kindOf),
  env: (url) => ({
    FAKE_URL: url,
    // Compiling hot code takes a sixth of a short session.
    BUN_JSC_useFTLJIT: '0',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  // A quarter of the time goes to collecting garbage. At a terminal it would fill 5 GB without.
  headlessEnv: { BUN_JSC_useGC: '0' },
  args: ({ prompt, again }) => ['run', ...START, '--auto', ...(again ? ['--continue'] : []), prompt],
  terminal: {
    prompt: /Ask anything|ctrl\+p commands/,
    args: ({ again }) => [...START, ...(again ? ['--continue'] : [])],
    quit: '/exit',
    clear: '/new',
    compacted: `Compaction · ${MODEL} ·`,
    // Only its end ends a session.
    starts: () => ({ 'MARK-START': [1, 1, 1, 1, 2], 'MARK-END': [0, 0, 0, 0, 1] }),
  },
  files: {
    user: (servers) => ({
      [`${MINE}/opencode.json`]: settings(servers),
      [`${MINE}/plugins/own.js`]: plugin('own', { prompt: 'USER-PROMPT', tool: 'USER-TOOL' }),
      ...installed(MINE),
    }),
    servers: (servers) => ({ [`${MINE}/opencode.json`]: settings(servers) }),
    project: (servers) => ({ 'project/opencode.json': { ...SCHEMA, mcp: entries(servers) } }),
    team: (servers) => ({
      'project/opencode.json': { ...SCHEMA, mcp: entries(servers) },
      'project/.opencode/plugins/team.js': plugin('team', { prompt: 'TEAM-PROMPT' }),
      ...installed('project/.opencode'),
    }),
  },
  subAgents: () => true,
  // It runs a project's plugins without a question.
  team: { trust: () => {}, anyFolder: true, subfolder: 'fires' },
  // What an install writes is a plugin already, and there is no other form to hand on.
  plugin: null,
  fleet: null,
};
