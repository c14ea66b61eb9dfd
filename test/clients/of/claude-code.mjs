/** Claude Code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups, OWN, says, teamHook } from '../files.mjs';
import { anthropic } from '../models/anthropic.mjs';
import { put, run } from '../world.mjs';

const project = (servers) => ({ 'project/.mcp.json': { mcpServers: servers } });
const servers = (defined) => ({ 'home/.claude.json': { mcpServers: defined } });
const SETTINGS = 'claude-code/managed-settings.json';
const EACH_START = { 'MARK-START': [1, 1, 1, 1, 2], 'MARK-END': [0, 0, 1, 1, 2] };

/** The default mode of some versions asks the model for permission, which a script can't answer. */
const permitted = (allow) => [
  '--permission-mode',
  'acceptEdits',
  '--allowedTools',
  ['Bash', 'Write', 'Read', 'Agent', ...allow].join(','),
];

export const client = {
  package: '@anthropic-ai/claude-code',
  versions: ['2.1.332', '2.1.329', '2.1.250', '2.1.118'],
  program: ({ native }) => [native('claude')],
  dialect: anthropic,
  env: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    IS_SANDBOX: '1', // else it refuses to run as root
  }),
  args: ({ prompt, again, model, allow }) => [
    '-p',
    prompt,
    ...(again ? ['--continue'] : []),
    ...(model ? ['--model', model] : []),
    ...permitted(allow),
  ],
  terminal: {
    prompt: /^[>❯]/m,
    args: ({ again }) => [...(again ? ['--continue'] : []), ...permitted([])],
    settle: (world, { ANTHROPIC_API_KEY: key }) => {
      const known = JSON.parse(readFileSync(join(world.home, '.claude.json'), 'utf8'));
      const answered = {
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: [key], rejected: [] },
        projects: { ...known.projects, [world.project]: { hasTrustDialogAccepted: true } },
      };
      put(world, { 'home/.claude.json': { ...known, ...answered } });
    },
    // It mostly doesn't inject a SessionStart text again that a resumed session holds already (since 2.1.250).
    starts: (version) =>
      version === '2.1.118'
        ? EACH_START
        : { 'MARK-START': [1, 1, 1, 1, undefined], 'MARK-END': [0, 0, 1, 1, undefined] },
  },
  files: {
    user: (defined) => ({
      'home/.claude/settings.json': {
        permissions: { allow: ['Read'] },
        hooks: groups(OWN, (e, text) => ({ type: 'command', command: says(e, text) })),
      },
      ...servers(defined),
    }),
    servers,
    project,
    team: (defined) => ({
      ...project(defined),
      'project/.claude/settings.json': teamHook('UserPromptSubmit'),
    }),
  },
  // It looks these up by a tool of its own.
  offeredLater: (body) =>
    (/before calling them:((?:\\n\w+)+)/.exec(JSON.stringify(body))?.[1] ?? '').split('\\n').filter(Boolean),
  promptHook: (world) => {
    const { hooks } = JSON.parse(readFileSync(join(world.home, '.claude/settings.json'), 'utf8'));
    const commands = hooks.UserPromptSubmit.flatMap((group) => group.hooks.map((hook) => hook.command));
    return {
      command: commands.find((one) => one.includes('mcphooks/hooks/mem/')),
      payload: { hook_event_name: 'UserPromptSubmit', prompt: 'x', cwd: world.project },
      env: { CLAUDE_PROJECT_DIR: world.project },
    };
  },
  // It asks for no trust in headless runs.
  team: { trust: () => {}, anyFolder: true },
  plugin: {
    format: 'claude-plugin',
    together: 'claude-plugin,codex-plugin',
    async take(client, world, folder) {
      const validate = (...more) => run([...client.command, 'plugin', 'validate', folder, ...more], world.at);
      const strict = await validate('--strict');
      const validated = strict.stderr.includes('unknown option') ? await validate() : strict; // 2.1.118
      return {
        ok: validated.code === 0,
        said: validated.stdout + validated.stderr,
        client: { ...client, command: [...client.command, '--plugin-dir', folder] },
      };
    },
    root: (_world, folder) => folder,
    server: (name) => `plugin_mcphooks-${name}_${name}`,
  },
  fleet: {
    take: 'claude plugin install',
    drop: 'claude plugin uninstall',
    // It reads the marketplace's folder; others copy it.
    atOnce: true,
    settings: [
      [SETTINGS, '"disableAllHooks": true'],
      ['claude-code/managed-settings.d/10.json', '"disableAllHooks": true'],
      [SETTINGS, '"allowManagedHooksOnly": true'],
    ],
  },
};
