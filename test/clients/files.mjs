/** The files in which each client finds servers and a user's own hooks. */
import { byClient } from './by-client.mjs';

/** A shell command that gives `text` at a client's event. */
export const says = (event, text) =>
  `printf '%s' '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })}'`;
const CLAUDE_LIKE = { SessionStart: 'USER-START', UserPromptSubmit: 'USER-PROMPT', PostToolUse: 'USER-TOOL' };
const GEMINI = { BeforeAgent: 'USER-PROMPT', AfterTool: 'USER-TOOL' };
const groups = (events, handler) =>
  Object.fromEntries(Object.entries(events).map(([e, text]) => [e, [{ hooks: [handler(e, text)] }]]));

const tomlServers = (servers) =>
  Object.entries(servers).map(
    ([name, s]) =>
      `[mcp_servers.${name}]\ncommand = ${JSON.stringify(s.command)}\nargs = ${JSON.stringify(s.args)}\n`,
  );

export const tomlHook = (event, text) =>
  `\n[[hooks.${event}]]\n[[hooks.${event}.hooks]]\ntype = "command"\ncommand = ${JSON.stringify(says(event, text))}\n`;

/** The user's files of each variant, before mcphooks comes; the first is the one that will hold our hooks. */
export const USER_FILES = byClient('files.mjs', {
  'claude-code': (servers) => ({
    'home/.claude/settings.json': {
      permissions: { allow: ['Read'] },
      hooks: groups(CLAUDE_LIKE, (e, text) => ({ type: 'command', command: says(e, text) })),
    },
    'home/.claude.json': { mcpServers: servers },
  }),
  codex: (servers, { hooksIn = 'toml' }) => {
    const hooks = Object.entries(CLAUDE_LIKE).map(([event, text]) => tomlHook(event, text));
    const config = ['# my settings\nmodel_reasoning_effort = "low" # cheap', ...tomlServers(servers)];
    if (hooksIn === 'toml')
      return { 'home/.codex/config.toml': `${[...config, ...hooks].join('\n')}\n# the end\n` };
    return {
      'home/.codex/hooks.json': {
        hooks: groups(CLAUDE_LIKE, (e, text) => ({ type: 'command', command: says(e, text) })),
      },
      'home/.codex/config.toml': config.join('\n'),
    };
  },
  'gemini-cli': (servers) => {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      mcpServers: servers,
      hooks: groups(GEMINI, (e, text) => ({ type: 'command', name: `own-${e}`, command: says(e, text) })),
    };
    return { 'home/.gemini/settings.json': `// mine\n${JSON.stringify(settings, null, 2)}\n` };
  },
});

/** A project's own file that defines servers. */
export const PROJECT_FILES = byClient('files.mjs', {
  'claude-code': (servers) => ({ 'project/.mcp.json': { mcpServers: servers } }),
  codex: (servers) => ({ 'project/.codex/config.toml': tomlServers(servers).join('\n') }),
  'gemini-cli': (servers) => ({ 'project/.gemini/settings.json': { mcpServers: servers } }),
});

const teamHook = (event, more = {}) => ({
  hooks: { [event]: [{ hooks: [{ type: 'command', command: says(event, 'TEAM-PROMPT'), ...more }] }] },
});

/** A repository's files that define servers and hold a hook of the team's. */
export const TEAM_FILES = byClient('files.mjs', {
  'claude-code': (servers) => ({
    ...PROJECT_FILES['claude-code'](servers),
    'project/.claude/settings.json': teamHook('UserPromptSubmit'),
  }),
  codex: (servers, { hooksIn }) => {
    const file = 'project/.codex/config.toml';
    const config = `# ours\n${PROJECT_FILES.codex(servers)[file]}`;
    return hooksIn === 'json'
      ? { [file]: config, 'project/.codex/hooks.json': teamHook('UserPromptSubmit') }
      : { [file]: config + tomlHook('UserPromptSubmit', 'TEAM-PROMPT') };
  },
  'gemini-cli': (servers) => {
    const settings = { mcpServers: servers, ...teamHook('BeforeAgent', { name: 'team' }) };
    return { 'project/.gemini/settings.json': `// ours\n${JSON.stringify(settings, null, 2)}\n` };
  },
});
