/** Gemini CLI. */
import { dirname, join } from 'node:path';
import { groups, says, teamHook } from '../files.mjs';
import { gemini } from '../models/gemini.mjs';
import { put, run } from '../world.mjs';

const OWN = { BeforeAgent: 'USER-PROMPT', AfterTool: 'USER-TOOL' };
const MODEL = 'gemini-2.5-flash';
const settings = (servers) => ({
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  mcpServers: servers,
});

export const client = {
  package: '@google/gemini-cli',
  versions: ['0.61.0'],
  program: ({ manifest, node }) => [node, join(dirname(manifest), 'bundle/gemini.js')],
  dialect: gemini,
  env: (url) => ({
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
    NO_BROWSER: '1',
  }),
  // Naming the model avoids a side request to a router.
  args: ({ prompt, again, model = MODEL }) => [
    ...['-m', model, '--approval-mode', 'yolo'],
    ...(again ? ['--resume', 'latest'] : []),
    ...['-p', prompt],
  ],
  terminal: {
    // Only while nothing is typed.
    prompt: /Type your message/,
    args: ({ again, model = MODEL }) => [
      ...['-m', model, '--approval-mode', 'yolo'],
      ...(again ? ['--resume', 'latest'] : []),
    ],
    starts: () => ({ 'MARK-START': [1, 1, 1, 1, 2], 'MARK-END': [0, 0, 1, 1, 2] }),
  },
  files: {
    user: (servers) => {
      const hooks = groups(OWN, (e, text) => ({ type: 'command', name: `own-${e}`, command: says(e, text) }));
      const text = JSON.stringify({ ...settings(servers), hooks }, null, 2);
      return { 'home/.gemini/settings.json': `// mine\n${text}\n` };
    },
    servers: (servers) => ({ 'home/.gemini/settings.json': settings(servers) }),
    project: (servers) => ({ 'project/.gemini/settings.json': { mcpServers: servers } }),
    team: (servers) => {
      const text = JSON.stringify(
        { mcpServers: servers, ...teamHook('BeforeAgent', { name: 'team' }) },
        null,
        2,
      );
      return { 'project/.gemini/settings.json': `// ours\n${text}\n` };
    },
  },
  // Compression starts no session.
  untold: ['compact'],
  team: {
    trust: (world, folder) =>
      put(world, { 'home/.gemini/trustedFolders.json': { [folder]: 'TRUST_FOLDER' } }),
    // Trust is what a person gave, not what the environment says.
    env: { GEMINI_CLI_TRUST_WORKSPACE: undefined },
    untrusted: { more: ['--skip-trust'] },
    subfolder: 'trusted',
  },
  plugin: {
    format: 'gemini-extension',
    async take(client, world, folder) {
      const gemini = (input, ...args) =>
        run([...client.command, 'extensions', ...args], {
          ...world.at,
          env: { ...world.env, GEMINI_CLI_NO_RELAUNCH: 'true' },
          input,
        });
      const validated = await gemini('', 'validate', folder);
      // It asks whether the folder is trusted, whatever --consent says.
      const installed = await gemini('y\n', 'install', folder, '--consent');
      return {
        ok: validated.code === 0 && installed.code === 0,
        said: validated.stderr + installed.stderr,
        client,
      };
    },
    root: (world) => join(world.home, '.gemini/extensions/mcphooks-mem'),
  },
  fleet: {
    take: 'gemini extensions install',
    drop: 'gemini extensions uninstall',
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    settings: [['gemini-cli/settings.json', '"hooksConfig": { "enabled": false }']],
  },
};
