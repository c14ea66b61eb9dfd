import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lint } from '../../src/api/authoring.ts';
import { matrixLines } from '../../src/cli/text/matrix.ts';
import { remarkLines } from '../../src/cli/text/plan.ts';
import { CLIENT_IDS, type ClientId } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { WHEN_KEYS } from '../../src/declarations/when.ts';
import { noteText } from '../../src/messages/notes.ts';
import { LONG, sample } from '../effort.ts';
import { nodeHere } from '../node-here/start.ts';
import { type ByClient, everywhere, isAccountedFor, momentsIn, onClients } from './moments.ts';
import { installed } from './when-world.ts';
import { world } from './world.ts';

// Every condition on every client, by what the clients sent: it lets the hook speak, keeps it silent, or makes it
// unsupported with a reason. None is ignored.

const w = world({ node: nodeHere({ servers: true }) });
const { prompt, call, ran, edited, asTool, startedBy, heard } = momentsIn(w);

interface Row {
  item: object;
  /** A file of the project without which it stays silent. */
  needs?: string;
  /** What is printed, where it isn't 'Now.'. */
  says?: string;
  on: ByClient;
}

const post = (when: object, more: object = {}) => ({
  event: 'post_tool_use',
  context: 'Now.',
  when,
  ...more,
});
const atPrompt = (when: object, more: object = { context: 'Now.' }) => ({
  event: 'pre_request',
  when,
  ...more,
});
const atStart = (source: string | string[]) => ({
  event: 'session_start',
  context: 'Now.',
  when: { source },
});
const drop = { otherwise: 'drop' };
const onBash = { matcher: { tool_name: 'Bash' } };
const onEdits = { tools: ['any:edit'], ...drop };
const onOwn = { matcher: { tool_name: 'mcp__mem__*' } };
const search = { context_tool: 'search_memories', context_tool_args: { query: '{prompt}', limit: 3 } };

const ROWS: Record<string, Row> = {
  'outcome: success of a command': {
    item: post({ outcome: 'success' }, onBash),
    on: {
      copilot: {
        fires: ['postToolUse'],
        silent: ['postToolUse.bash.commit-failed', 'postToolUse.bash.background'],
      },
      'claude-code': {
        fires: ['PostToolUse.Bash.commit'],
        silent: ['PostToolUseFailure.Bash.commit', 'PostToolUse.Bash.background'],
      },
      codex: { unsupported: 'when.outcome-untold' },
      'gemini-cli': { fires: ['AfterTool'], silent: ['AfterTool.failed-commit'] },
      'qwen-code': {
        fires: ['PostToolUse'],
        silent: ['PostToolUseFailure.commit', 'PostToolUse.background'],
      },
      cursor: { fires: ['postToolUse'], silent: ['postToolUse.failed-commit', 'postToolUseFailure'] },
      droid: { fires: ['PostToolUse'], silent: ['PostToolUse.Edit'] },
      opencode: { fires: ['PostToolUse.bash'], silent: ['PostToolUse.bash.failed'] },
    },
  },
  'outcome: failure of a command': {
    item: post({ outcome: 'failure' }, onBash),
    on: {
      copilot: {
        fires: ['postToolUse.bash.commit-failed'],
        silent: ['postToolUse', 'postToolUse.bash.background'],
      },
      'claude-code': { fires: ['PostToolUseFailure.Bash.commit'], silent: ['PostToolUse.Bash.commit'] },
      codex: { unsupported: 'when.outcome-untold' },
      'gemini-cli': { fires: ['AfterTool.failed-commit'], silent: ['AfterTool'] },
      'qwen-code': { fires: ['PostToolUseFailure.commit'], silent: ['PostToolUse'] },
      cursor: {
        fires: ['postToolUse.failed-commit', 'postToolUseFailure'],
        silent: ['postToolUse', 'postToolUse.search'],
      },
      droid: { unsupported: 'when.no-failure' },
      opencode: { fires: ['PostToolUse.bash.failed'], silent: ['PostToolUse.bash'] },
    },
  },
  'outcome: success of an edit': {
    item: post({ outcome: 'success', ...onEdits }),
    on: {
      copilot: {
        fires: ['postToolUse.edit.ts', 'postToolUse.apply_patch.ts'],
        silent: ['postToolUseFailure.edit.ts'],
      },
      'claude-code': { fires: ['PostToolUse.Edit.ts'], silent: ['PostToolUseFailure.Bash.commit'] },
      codex: { fires: ['PostToolUse.apply_patch.ts'], silent: ['PostToolUse'] },
      'gemini-cli': {
        fires: ['AfterTool.replace.ts'],
        silent: ['AfterTool.replace.failed', ['AfterTool.replace.failed', prompt()]],
      },
      'qwen-code': { fires: ['PostToolUse.edit.ts'], silent: ['PostToolUseFailure.edit', 'PostToolUse'] },
      cursor: { fires: ['postToolUse.Write.ts'], silent: ['postToolUseFailure.Write', 'postToolUse'] },
      droid: { fires: ['PostToolUse.Edit', 'PostToolUse.Create'], silent: ['PostToolUse'] },
      opencode: {
        fires: ['PostToolUse.edit', 'PostToolUse.apply_patch'],
        silent: [asTool('PostToolUseFailure.read', 'edit'), 'PostToolUse.bash'],
      },
    },
  },
  "outcome: failure of the server's own tool": {
    item: post({ outcome: 'failure' }, onOwn),
    on: {
      copilot: {
        fires: ['postToolUseFailure.mcp-fail'],
        silent: ['postToolUse.mcp-search_memories', 'postToolUseFailure.edit.ts'],
      },
      'claude-code': {
        fires: ['PostToolUseFailure.mcp-fail'],
        silent: ['PostToolUse.mcp-search_memories', 'PostToolUseFailure.Bash.commit'],
      },
      // A tool that failed fires no hook there.
      codex: { unsupported: 'when.no-failure' },
      'gemini-cli': {
        fires: [['AfterTool.mcp.failed', prompt()]],
        silent: [['AfterTool.mcp.store', prompt()], 'AfterTool.failed-commit'],
      },
      'qwen-code': {
        fires: ['PostToolUseFailure.mcp'],
        silent: ['PostToolUse.mcp', 'PostToolUseFailure.commit'],
      },
      cursor: {
        fires: ['postToolUse.mcp.failed', 'postToolUseFailure.mcp'],
        silent: ['postToolUse.mcp', 'postToolUseFailure.Write'],
      },
      droid: { unsupported: 'when.no-failure' },
      opencode: { fires: ['PostToolUseFailure.mcp'], silent: ['PostToolUse.mcp', 'PostToolUseFailure.read'] },
    },
  },
  'outcome: failure of an edit': {
    item: post({ outcome: 'failure', ...onEdits }),
    on: {
      copilot: {
        fires: ['postToolUseFailure.edit.ts', 'postToolUseFailure.apply_patch.ts'],
        silent: ['postToolUse.edit.ts'],
      },
      'claude-code': { fires: [], silent: ['PostToolUse.Edit.ts', 'PostToolUseFailure.Bash.commit'] },
      codex: { unsupported: 'when.no-failure' },
      'gemini-cli': { fires: [['AfterTool.replace.failed', prompt()]], silent: ['AfterTool.replace.ts'] },
      'qwen-code': {
        fires: ['PostToolUseFailure.edit'],
        silent: ['PostToolUse.edit.ts', 'PostToolUseFailure.commit'],
      },
      cursor: { fires: ['postToolUseFailure.Write'], silent: ['postToolUse.Write.ts', 'postToolUseFailure'] },
      droid: { unsupported: 'when.no-failure' },
      opencode: {
        fires: [asTool('PostToolUseFailure.read', 'edit')],
        silent: ['PostToolUse.edit', 'PostToolUseFailure.read'],
      },
    },
  },
  'if_unknown: fire': {
    item: post({ outcome: 'success', if_unknown: 'fire' }, onBash),
    on: {
      copilot: {
        fires: ['postToolUse', 'postToolUse.bash.background'],
        silent: ['postToolUse.bash.commit-failed'],
      },
      'claude-code': {
        fires: ['PostToolUse.Bash.commit', 'PostToolUse.Bash.background'],
        silent: ['PostToolUseFailure.Bash.commit'],
      },
      codex: { fires: ['PostToolUse', 'PostToolUse.failed-commit'], silent: ['PostToolUse.apply_patch'] },
      'gemini-cli': { fires: ['AfterTool'], silent: ['AfterTool.failed-commit'] },
      'qwen-code': {
        fires: ['PostToolUse', 'PostToolUse.background'],
        silent: ['PostToolUseFailure.commit'],
      },
      cursor: { fires: ['postToolUse'], silent: ['postToolUse.failed-commit'] },
      droid: { fires: ['PostToolUse'], silent: ['PostToolUse.Edit'] },
      opencode: { fires: ['PostToolUse.bash'], silent: ['PostToolUse.bash.failed'] },
    },
  },
  'if_unknown: fire, of a failure': {
    item: post({ outcome: 'failure', if_unknown: 'fire' }, onBash),
    on: {
      copilot: {
        fires: ['postToolUse.bash.commit-failed', 'postToolUse.bash.background'],
        silent: ['postToolUse'],
      },
      'claude-code': {
        fires: ['PostToolUseFailure.Bash.commit', 'PostToolUse.Bash.background'],
        silent: ['PostToolUse.Bash.commit'],
      },
      codex: { fires: ['PostToolUse', 'PostToolUse.failed-commit'], silent: ['PostToolUse.apply_patch'] },
      'gemini-cli': { fires: ['AfterTool.failed-commit'], silent: ['AfterTool'] },
      'qwen-code': {
        fires: ['PostToolUseFailure.commit', 'PostToolUse.background'],
        silent: ['PostToolUse'],
      },
      cursor: { fires: ['postToolUse.failed-commit'], silent: ['postToolUse'] },
      droid: { unsupported: 'when.no-failure' },
      opencode: { fires: ['PostToolUse.bash.failed'], silent: ['PostToolUse.bash'] },
    },
  },
  'cooldown: session': {
    item: atPrompt({ cooldown: 'session' }),
    on: everywhere({ fires: [prompt()], silent: [[prompt(), prompt()]] }),
  },
  'cooldown: seconds': {
    item: atPrompt({ cooldown: 600 }),
    on: everywhere({ fires: [prompt()], silent: [[prompt(), prompt()]] }),
  },
  files: {
    item: atPrompt({ files: ['package.json', '*.sln'] }),
    needs: 'shop.sln',
    on: everywhere({ fires: [prompt()], silent: [] }),
  },
  tools: {
    item: post({ tools: ['Edit', 'mcp__mem__*'], ...drop }),
    on: {
      copilot: {
        fires: [
          'postToolUse.edit',
          'postToolUse.apply_patch.ts',
          'postToolUse.mcp-search_memories',
          'postToolUseFailure.mcp-fail',
        ],
        silent: ['postToolUse', 'postToolUse.view', 'postToolUse.mcp'],
      },
      'claude-code': {
        fires: ['PostToolUse.Edit', 'PostToolUse.mcp-search_memories', 'PostToolUseFailure.mcp-fail'],
        silent: ['PostToolUse.Bash', 'PostToolUse.Read', 'PostToolUse.Write'],
      },
      codex: {
        fires: ['PostToolUse.apply_patch', 'PostToolUse.mcp'],
        silent: ['PostToolUse', 'PostToolUse.search'],
      },
      'gemini-cli': {
        fires: ['AfterTool.replace.ts', 'AfterTool.mcp.store'],
        silent: ['AfterTool', 'AfterTool.write_file.md', 'AfterTool.mcp'],
      },
      'qwen-code': {
        fires: ['PostToolUse.edit', 'PostToolUseFailure.edit', 'PostToolUse.mcp'],
        silent: ['PostToolUse', 'PostToolUse.write_file'],
      },
      cursor: {
        fires: ['postToolUse.Write.ts', 'postToolUse.mcp', 'postToolUseFailure.mcp'],
        silent: ['postToolUse', 'postToolUse.Read'],
      },
      droid: {
        fires: ['PostToolUse.Edit', call('search_memories')],
        silent: ['PostToolUse', 'PostToolUse.Create', 'PostToolUse.mcp'],
      },
      opencode: {
        fires: ['PostToolUse.edit', 'PostToolUse.apply_patch', 'PostToolUse.mcp', 'PostToolUseFailure.mcp'],
        silent: ['PostToolUse.bash', 'PostToolUse.write', 'PostToolUse.read'],
      },
    },
  },
  'tools: one that not every client has': {
    item: post({ tools: ['WebFetch'], ...drop }),
    on: {
      'claude-code': { fires: ['PostToolUse.WebFetch'], silent: ['PostToolUse.Read'] },
      codex: { unsupported: 'never.no-such-tool' },
      'gemini-cli': {
        fires: [['AfterTool.web_fetch.failed', prompt()]],
        silent: ['AfterTool.glob', 'AfterTool'],
      },
      'qwen-code': { fires: ['PostToolUseFailure.web_fetch'], silent: ['PostToolUse.glob', 'PostToolUse'] },
      // Its model was offered no such tool, so there is no payload.
      copilot: { fires: [], silent: ['postToolUse.view', 'postToolUse'] },
      cursor: { fires: ['postToolUse.Fetch'], silent: ['postToolUse.Read', 'postToolUse'] },
      droid: { fires: [asTool('PostToolUse.Read', 'FetchUrl')], silent: ['PostToolUse.Read', 'PostToolUse'] },
      opencode: {
        fires: [asTool('PostToolUse.read', 'webfetch')],
        silent: ['PostToolUse.read', 'PostToolUse.bash'],
      },
    },
  },
  'tools: any:search': {
    item: post({ tools: ['any:search'], ...drop }),
    on: {
      copilot: {
        fires: ['postToolUse.bash.search', 'postToolUse.grep', 'postToolUse.rg', 'postToolUse.glob'],
        silent: ['postToolUse', 'postToolUse.edit'],
      },
      'claude-code': {
        fires: ['PostToolUse.Bash.search'],
        silent: ['PostToolUse.Bash.commit', 'PostToolUse.Read', 'PostToolUse.Edit'],
      },
      codex: { fires: ['PostToolUse.search'], silent: ['PostToolUse', 'PostToolUse.apply_patch'] },
      'gemini-cli': {
        fires: ['AfterTool.search', 'AfterTool.grep_search', 'AfterTool.glob'],
        silent: ['AfterTool', 'AfterTool.replace.ts'],
      },
      'qwen-code': {
        fires: ['PostToolUse.search', 'PostToolUse.grep_search', 'PostToolUse.glob'],
        silent: ['PostToolUse', 'PostToolUse.edit.ts'],
      },
      cursor: {
        fires: ['postToolUse.search', 'postToolUse.Grep'],
        silent: ['postToolUse', 'postToolUse.Write.ts'],
      },
      droid: {
        fires: ['PostToolUse.Grep', 'PostToolUse.Glob', ran('grep -rn x src')],
        silent: ['PostToolUse', 'PostToolUse.Edit'],
      },
      opencode: {
        fires: ['PostToolUseFailure.grep', 'PostToolUseFailure.glob', ran('rg x')],
        silent: ['PostToolUse.bash', 'PostToolUse.edit'],
      },
    },
  },
  'tools: any:edit': {
    item: post(onEdits),
    on: {
      copilot: {
        fires: ['postToolUse.edit', 'postToolUse.create', 'postToolUse.apply_patch.ts'],
        silent: ['postToolUse', 'postToolUse.view', 'postToolUse.grep'],
      },
      'claude-code': {
        fires: ['PostToolUse.Edit', 'PostToolUse.Write'],
        silent: ['PostToolUse.Bash', 'PostToolUse.Read', 'PostToolUse.Bash.search'],
      },
      codex: { fires: ['PostToolUse.apply_patch'], silent: ['PostToolUse', 'PostToolUse.search'] },
      'gemini-cli': {
        fires: ['AfterTool.replace.ts', 'AfterTool.write_file.md'],
        silent: ['AfterTool', 'AfterTool.grep_search'],
      },
      'qwen-code': {
        fires: ['PostToolUse.edit.ts', 'PostToolUse.write_file.md'],
        silent: ['PostToolUse', 'PostToolUse.grep_search'],
      },
      cursor: {
        fires: ['postToolUse.Write.ts', 'postToolUse.Write.md'],
        silent: ['postToolUse', 'postToolUse.Grep', 'postToolUse.Read'],
      },
      droid: {
        fires: ['PostToolUse.Edit', 'PostToolUse.Create'],
        silent: ['PostToolUse', 'PostToolUse.Grep', 'PostToolUse.Read'],
      },
      opencode: {
        fires: ['PostToolUse.edit', 'PostToolUse.write', 'PostToolUse.apply_patch'],
        silent: ['PostToolUse.bash', 'PostToolUse.read'],
      },
    },
  },
  command: {
    item: post({ command: ['git', 'commit'] }),
    on: {
      copilot: {
        fires: ['postToolUse', 'postToolUse.bash.commit-failed'],
        silent: ['postToolUse.bash.echo', 'postToolUse.bash.push', 'postToolUse.edit'],
      },
      'claude-code': {
        fires: ['PostToolUse.Bash.commit', 'PostToolUseFailure.Bash.commit', 'PostToolUse.Bash.in-subagent'],
        silent: ['PostToolUse.Bash.echo', 'PostToolUse.Bash.push', 'PostToolUse.Edit'],
      },
      codex: {
        fires: ['PostToolUse', 'PostToolUse.failed-commit'],
        silent: ['PostToolUse.echo', 'PostToolUse.push', 'PostToolUse.apply_patch'],
      },
      'gemini-cli': {
        fires: ['AfterTool', 'AfterTool.failed-commit'],
        silent: ['AfterTool.echo', 'AfterTool.push', 'AfterTool.replace.ts'],
      },
      'qwen-code': {
        fires: ['PostToolUse', 'PostToolUseFailure.commit'],
        silent: ['PostToolUse.echo', 'PostToolUse.in-subagent', 'PostToolUse.edit.ts'],
      },
      cursor: {
        fires: ['postToolUse', 'postToolUse.failed-commit'],
        silent: ['postToolUse.echo', 'postToolUse.push', 'postToolUse.Write.ts'],
      },
      droid: {
        fires: ['PostToolUse'],
        silent: [ran('echo git commit'), ran('git push'), 'PostToolUse.Edit'],
      },
      opencode: {
        fires: ['PostToolUse.bash', ran('git -C x commit')],
        silent: [ran('echo git commit'), ran('git push'), 'PostToolUse.edit'],
      },
    },
  },
  path: {
    item: post({ path: ['src/*.ts'] }),
    on: {
      copilot: {
        fires: ['postToolUse.edit.ts', 'postToolUse.apply_patch.ts'],
        silent: ['postToolUse.edit', 'postToolUse.create.md', 'postToolUse.bash.search'],
      },
      'claude-code': {
        fires: ['PostToolUse.Edit.ts'],
        silent: ['PostToolUse.Edit', 'PostToolUse.Write.md', 'PostToolUse.Bash.search'],
      },
      codex: {
        fires: ['PostToolUse.apply_patch.ts'],
        silent: ['PostToolUse.apply_patch', 'PostToolUse.apply_patch.md', 'PostToolUse.search'],
      },
      'gemini-cli': {
        fires: ['AfterTool.replace.ts'],
        silent: ['AfterTool.write_file.md', 'AfterTool.search', 'AfterTool.grep_search'],
      },
      'qwen-code': {
        fires: ['PostToolUse.edit.ts'],
        silent: ['PostToolUse.edit', 'PostToolUse.write_file.md', 'PostToolUse.search'],
      },
      cursor: {
        fires: [edited('src/a.ts')],
        silent: ['postToolUse.Write.ts', 'postToolUse.Write.md', 'postToolUse.search'],
      },
      droid: {
        fires: [edited('src/a.ts')],
        silent: [edited('src/a.md'), 'PostToolUse.Edit', 'PostToolUse.Grep'],
      },
      opencode: {
        fires: [edited('src/a.ts')],
        silent: [edited('src/a.md'), 'PostToolUse.edit', 'PostToolUse.apply_patch', 'PostToolUse.bash'],
      },
    },
  },
  'source: startup': {
    item: atStart('startup'),
    on: {
      copilot: { fires: ['sessionStart'], silent: ['sessionStart.resume', ['preCompact', prompt()]] },
      'claude-code': {
        fires: ['SessionStart.startup'],
        silent: ['SessionStart.resume', 'SessionStart.clear', 'SessionStart.compact'],
      },
      codex: { fires: ['SessionStart'], silent: ['SessionStart.resume', 'SessionStart.compact'] },
      'gemini-cli': {
        fires: [['SessionStart', prompt()]],
        silent: [
          ['SessionStart.resume', prompt()],
          ['SessionStart.clear', prompt()],
        ],
      },
      'qwen-code': { fires: ['SessionStart'], silent: ['SessionStart.resume', 'SessionStart.clear'] },
      cursor: { fires: [prompt()], silent: [[prompt(), prompt()]] },
      droid: {
        fires: ['SessionStart'],
        silent: ['SessionStart.after-clear', 'SessionStart.after-compress', 'SessionStart.in-subagent'],
      },
      opencode: {
        fires: ['SessionStart'],
        silent: ['SessionStart.resume', startedBy('clear'), startedBy('compact')],
      },
    },
  },
  'source: resume or clear': {
    item: atStart(['resume', 'clear']),
    on: {
      copilot: { fires: ['sessionStart.resume'], silent: ['sessionStart', ['preCompact', prompt()]] },
      'claude-code': {
        fires: ['SessionStart.resume', 'SessionStart.fork', 'SessionStart.clear'],
        silent: ['SessionStart.startup', 'SessionStart.compact'],
      },
      codex: {
        fires: ['SessionStart.resume', 'SessionStart.fork'],
        silent: ['SessionStart', 'SessionStart.compact'],
      },
      'gemini-cli': {
        fires: [
          ['SessionStart.resume', prompt()],
          ['SessionStart.clear', prompt()],
        ],
        silent: [['SessionStart', prompt()]],
      },
      'qwen-code': { fires: ['SessionStart.resume', 'SessionStart.clear'], silent: ['SessionStart'] },
      cursor: { unsupported: 'when.no-source' },
      droid: { unsupported: 'when.no-source' },
      opencode: {
        fires: ['SessionStart.resume', startedBy('clear')],
        silent: ['SessionStart', startedBy('compact')],
      },
    },
  },
  'source: compact': {
    item: atStart('compact'),
    on: {
      copilot: {
        fires: [['preCompact', prompt()]],
        silent: ['sessionStart', 'sessionStart.resume', [prompt(), prompt()]],
      },
      'claude-code': { fires: ['SessionStart.compact'], silent: ['SessionStart.startup'] },
      codex: { fires: ['SessionStart.compact'], silent: ['SessionStart', 'SessionStart.resume'] },
      'gemini-cli': { unsupported: 'when.no-source' },
      'qwen-code': { fires: [], silent: ['SessionStart', 'SessionStart.resume'] },
      cursor: { unsupported: 'when.no-source' },
      droid: { unsupported: 'when.no-source' },
      opencode: { fires: [startedBy('compact')], silent: ['SessionStart', 'SessionStart.resume'] },
    },
  },
  unless_called: {
    item: atPrompt({ unless_called: { tools: ['s*'] } }),
    on: {
      copilot: {
        fires: [prompt(), ['postToolUse', prompt()], [call('forget'), prompt()]],
        silent: [['postToolUse.mcp-search_memories', prompt()]],
      },
      'claude-code': {
        fires: [prompt(), ['PostToolUse.Bash.commit', prompt()], [call('forget'), prompt()]],
        silent: [['PostToolUse.mcp-search_memories', prompt()]],
      },
      codex: {
        fires: [prompt(), ['PostToolUse', prompt()], [call('forget'), prompt()]],
        silent: [['PostToolUse.mcp', prompt()]],
      },
      'gemini-cli': {
        fires: [prompt(), ['AfterTool', prompt()], [call('forget'), prompt()]],
        silent: [['AfterTool.mcp.store', prompt()]],
      },
      'qwen-code': {
        fires: [prompt(), ['PostToolUse', prompt()], [call('forget'), prompt()]],
        silent: [[call('store'), prompt()]],
      },
      cursor: {
        fires: [prompt(), ['postToolUse', prompt()], [call('forget'), prompt()]],
        silent: [['postToolUse.mcp', prompt()]],
      },
      droid: {
        fires: [prompt(), ['PostToolUse', prompt()], [call('forget'), prompt()]],
        silent: [[call('search_memories'), prompt()]],
      },
      opencode: {
        fires: [prompt(), ['PostToolUse.bash', prompt()], [call('forget'), prompt()]],
        silent: [['PostToolUse.mcp', prompt()]],
      },
    },
  },
  'unless_called: lately': {
    item: atPrompt({ unless_called: { tools: ['store'], within: 600 } }),
    on: everywhere({
      fires: [prompt(), [call('forget'), prompt()]],
      silent: [[call('store'), prompt()]],
    }),
  },
  'answer: select': {
    item: atPrompt({ answer: { select: '/memories/0' } }, search),
    says: 'about How are dates kept?',
    on: everywhere({ fires: [prompt('How are dates kept?')], silent: [prompt('Nothing known.')] }),
  },
  'answer: max': {
    item: atPrompt({ answer: { select: '/memories/0', max: 50 } }, search),
    says: 'about How are dates kept in this project, and sinc\n[cut by mcphooks: 50 of 57 characters]',
    on: everywhere({ fires: [prompt('How are dates kept in this project, and since when?')], silent: [] }),
  },
  // It is for readers that know no `when`; here it holds nothing back.
  'otherwise: drop': {
    item: post({ command: ['git', 'push'], ...drop }),
    on: {
      copilot: { fires: ['postToolUse.bash.push'], silent: ['postToolUse'] },
      'claude-code': { fires: ['PostToolUse.Bash.push'], silent: ['PostToolUse.Bash.commit'] },
      codex: { fires: ['PostToolUse.push'], silent: ['PostToolUse'] },
      'gemini-cli': { fires: ['AfterTool.push'], silent: ['AfterTool'] },
      'qwen-code': { fires: ['PostToolUse.push'], silent: ['PostToolUse'] },
      cursor: { fires: ['postToolUse.push'], silent: ['postToolUse'] },
      droid: { fires: [ran('git push')], silent: ['PostToolUse'] },
      opencode: { fires: [ran('git push')], silent: ['PostToolUse.bash'] },
    },
  },
};

it('every key has a row, and every row all clients', () => {
  const keys = Object.keys(ROWS).map((name) => name.split(':')[0]);
  expect(WHEN_KEYS().when.filter((key) => !keys.includes(key))).toEqual([]);
  const missing = Object.entries(ROWS).flatMap(([name, { on }]) =>
    CLIENT_IDS.filter((client) => !Object.hasOwn(on, client)).map((client) => `${name}: ${client}`),
  );
  expect(missing, 'add these clients to these rows').toEqual([]);
});

it('every key is tried in real sessions, too', () => {
  const scenarios = readFileSync(join(import.meta.dirname, '../clients/scenarios/when.mjs'), 'utf8');
  expect(WHEN_KEYS().when.filter((key) => !new RegExp(`\\b${key}: `).test(scenarios))).toEqual([]);
});

// Without MCPHOOKS_TEST=all each is tried on one client, in a short run every third one.
const rows = Object.entries(ROWS).map(([name, row], turn) => ({ name, ...row, turn }));

describe.each(LONG ? rows : sample(rows, 3))('$name', ({ item, needs, says = 'Now.', on, turn }) => {
  it.each(sample(onClients(on), CLIENTS.length, turn))('on %s', async (client, its) => {
    const hook = installed(w, client, [item]);
    isAccountedFor(hook);
    // The first test names the client and this row.
    if (!its) return;
    if ('unsupported' in its) return isUnsupported(client, item, its.unsupported, hook);
    expect(hook.cells[0]?.fidelity).toBe('native');
    const there = needs === undefined ? undefined : join(w.project, needs);
    if (there) {
      for (const moment of its.fires) expect(await heard(hook, client, moment)).toBeUndefined();
      mkdirSync(there);
    }
    for (const moment of its.fires) expect(await heard(hook, client, moment), String(moment)).toBe(says);
    for (const moment of its.silent)
      expect(await heard(hook, client, moment), String(moment)).toBeUndefined();
    if (there) rmSync(there, { recursive: true });
  });
});

/** Nothing is installed, and plan, lint and matrix say why. */
function isUnsupported(
  client: ClientId,
  item: object,
  code: string,
  hook: ReturnType<typeof installed>,
): void {
  const { declarations, clients, warnings } = lint({ declarations: [{ priority: 'suggestion', ...item }] });
  const linted = clients.find((one) => one.client === client)?.hooks ?? [];
  for (const cells of [hook.cells, linted]) {
    expect(cells).toMatchObject([{ fidelity: 'unsupported', notes: [{ code }] }]);
    const outcome = { declarations, clients: [{ client, cells: [...cells] }] };
    const shown = [...matrixLines(outcome, (_, text) => text), ...remarkLines(outcome)].join('\n');
    expect(shown).toContain('unsupported');
    for (const note of cells[0]?.notes ?? []) expect(shown).toContain(noteText(note));
  }
  expect(hook.shims).toEqual([]);
  if (code.startsWith('when.'))
    expect(warnings).toMatchObject([{ code: 'lint.when-some', where: { path: 'declarations[0].when' } }]);
}
