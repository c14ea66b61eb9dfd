import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClientId } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { LONG, sample } from '../effort.ts';
import { nodeHere } from '../node-here/start.ts';
import { type ByClient, everywhere, isAccountedFor, momentsIn, onClients, type Shot } from './moments.ts';
import { named, payloadsIn } from './payloads.ts';
import { installed } from './when-world.ts';
import { captured, world } from './world.ts';

// Each example is installed by the compiler and fired with what the clients sent: where it speaks, and where it must
// not.

const w = world({ node: nodeHere({ servers: true }) });
const { payload } = payloadsIn(w);
const { prompt, call, ran, edited, asTool, startedBy, heard } = momentsIn(w);

const folder = join(import.meta.dirname, '../../examples/patterns');
const examples = readdirSync(folder).map((file) => basename(file, '.json'));
const declarationsOf = (example: string): { context?: string }[] =>
  JSON.parse(readFileSync(join(folder, `${example}.json`), 'utf8')).declarations;

interface Case {
  /** A folder of the project without which it stays silent. */
  needs?: string;
  /** What is printed, where it isn't the example's text. */
  says?: string;
  on: ByClient;
}

/** Gemini CLI fetches nothing without a network: the result of another tool stands in for a page. */
const page: Shot = (client) => {
  const { tool_response } = captured(client, 'AfterTool.glob');
  return payload(client, 'AfterTool.web_fetch.failed', {}, { tool_response });
};
/** Neither does Qwen Code. */
const fetched: Shot = (client) =>
  payload(client, 'PostToolUse.read_file', { tool: 'web_fetch', input: { url: 'http://a.example/' } });
/** A session that starts so, up to the first prompt. */
const promptAfter = (start: string): Shot[] => [start, prompt()];

const CASES: Record<string, Case> = {
  commit: {
    on: {
      'claude-code': {
        fires: ['PostToolUse.Bash.commit', 'PostToolUseFailure.Bash.commit'],
        silent: ['PostToolUse.Bash.push'],
      },
      codex: { fires: ['PostToolUse', 'PostToolUse.failed-commit'], silent: ['PostToolUse.push'] },
      'gemini-cli': { fires: ['AfterTool', 'AfterTool.failed-commit'], silent: ['AfterTool.push'] },
      'qwen-code': { fires: ['PostToolUse', 'PostToolUseFailure.commit'], silent: ['PostToolUse.edit'] },
      cursor: { fires: ['postToolUse', 'postToolUse.failed-commit'], silent: ['postToolUse.push'] },
      droid: { fires: ['PostToolUse'], silent: [ran('git push')] },
      opencode: { fires: ['PostToolUse.bash'], silent: [ran('git push')] },
    },
  },
  'commit-ticket': {
    on: {
      'claude-code': {
        fires: ['PostToolUse.Bash.commit'],
        silent: ['PostToolUseFailure.Bash.commit', 'PostToolUse.Bash.echo', 'PostToolUse.Bash.push'],
      },
      codex: {
        fires: ['PostToolUse', 'PostToolUse.failed-commit'],
        silent: ['PostToolUse.echo', 'PostToolUse.push'],
      },
      'gemini-cli': {
        fires: ['AfterTool'],
        silent: ['AfterTool.failed-commit', 'AfterTool.echo', 'AfterTool.push'],
      },
      'qwen-code': { fires: ['PostToolUse'], silent: ['PostToolUseFailure.commit', 'PostToolUse.echo'] },
      cursor: {
        fires: ['postToolUse'],
        silent: ['postToolUse.failed-commit', 'postToolUse.echo', 'postToolUse.push'],
      },
      droid: { fires: ['PostToolUse'], silent: [ran('echo git commit'), ran('git push')] },
      opencode: { fires: ['PostToolUse.bash'], silent: [ran('echo git commit'), 'PostToolUse.bash.failed'] },
    },
  },
  'push-release': {
    on: {
      'claude-code': {
        fires: ['PostToolUse.Bash.push'],
        silent: ['PostToolUseFailure.Bash.push', 'PostToolUse.Bash.commit'],
      },
      codex: { fires: ['PostToolUse.push', 'PostToolUse.failed-push'], silent: ['PostToolUse'] },
      'gemini-cli': { fires: ['AfterTool.push'], silent: ['AfterTool.failed-push', 'AfterTool'] },
      'qwen-code': { fires: ['PostToolUse.push'], silent: ['PostToolUseFailure.push', 'PostToolUse'] },
      cursor: { fires: ['postToolUse.push'], silent: ['postToolUse.failed-push', 'postToolUse'] },
      droid: { fires: [ran('git push')], silent: ['PostToolUse'] },
      opencode: { fires: [ran('git push')], silent: ['PostToolUse.bash'] },
    },
  },
  'start-recall': {
    on: {
      'claude-code': {
        fires: ['SessionStart.startup', 'SessionStart.clear'],
        silent: ['SessionStart.resume', 'SessionStart.compact'],
      },
      codex: { fires: ['SessionStart'], silent: ['SessionStart.compact'] },
      'gemini-cli': {
        fires: [promptAfter('SessionStart'), promptAfter('SessionStart.clear')],
        silent: [promptAfter('SessionStart.resume')],
      },
      'qwen-code': { fires: ['SessionStart', 'SessionStart.clear'], silent: ['SessionStart.resume'] },
      cursor: { fires: [prompt()], silent: [[prompt(), prompt()]] },
      droid: { fires: ['SessionStart'], silent: ['SessionStart.after-clear'] },
      opencode: { fires: ['SessionStart', startedBy('clear')], silent: ['SessionStart.resume'] },
    },
  },
  'start-vault': {
    needs: 'wiki/hot.md',
    on: {
      'claude-code': { fires: ['SessionStart.startup'], silent: ['UserPromptSubmit'] },
      codex: { fires: ['SessionStart'], silent: ['UserPromptSubmit'] },
      'gemini-cli': { fires: [promptAfter('SessionStart')], silent: ['SessionStart'] },
      'qwen-code': { fires: ['SessionStart'], silent: ['UserPromptSubmit'] },
      cursor: { fires: [prompt()], silent: [[prompt(), prompt()]] },
      droid: { fires: ['SessionStart'], silent: ['UserPromptSubmit'] },
      opencode: { fires: ['SessionStart'], silent: ['UserPromptSubmit'] },
    },
  },
  compaction: {
    on: {
      'claude-code': { fires: ['SessionStart.compact'], silent: ['SessionStart.startup'] },
      codex: { fires: ['SessionStart.compact'], silent: ['SessionStart'] },
      'gemini-cli': { unsupported: 'when.no-source' },
      'qwen-code': { fires: [], silent: ['SessionStart'] },
      cursor: { unsupported: 'when.no-source' },
      droid: { unsupported: 'when.no-source' },
      opencode: { fires: [startedBy('compact')], silent: ['SessionStart'] },
    },
  },
  'prompt-recall': {
    says: '["about How are dates kept?"]',
    on: everywhere({
      fires: [prompt('How are dates kept?')],
      silent: [prompt('Nothing known.'), [prompt('How are dates kept?'), prompt('How are dates kept?')]],
    }),
  },
  'prompt-rubric': {
    on: everywhere({
      fires: [prompt(), [call('forget'), prompt()]],
      silent: [
        [call('search_memories'), prompt()],
        [call('add_memory'), prompt()],
        [prompt(), prompt()],
      ],
    }),
  },
  'search-index': {
    needs: '.codegraph',
    on: {
      'claude-code': {
        fires: ['PreToolUse.Bash.search'],
        silent: ['PreToolUse.Bash', [call('codegraph_search'), 'PreToolUse.Bash.search']],
      },
      codex: {
        fires: ['PreToolUse.search'],
        silent: ['PreToolUse', [call('codegraph_search'), 'PreToolUse.search']],
      },
      'gemini-cli': {
        fires: ['AfterTool.search', 'AfterTool.grep_search', 'AfterTool.glob'],
        silent: ['AfterTool.push', [call('codegraph_search'), 'AfterTool.grep_search']],
      },
      'qwen-code': {
        fires: ['PostToolUse.search', 'PostToolUse.grep_search', 'PostToolUse.glob'],
        silent: ['PostToolUse', [call('codegraph_search'), 'PostToolUse.grep_search']],
      },
      cursor: {
        fires: ['preToolUse.search'],
        silent: ['preToolUse', [call('codegraph_search'), 'preToolUse.search']],
      },
      droid: {
        fires: ['PostToolUse.Grep', 'PostToolUse.Glob'],
        silent: ['PostToolUse', [call('codegraph_search'), 'PostToolUse.Grep']],
      },
      opencode: {
        fires: ['PreToolUse.grep', 'PreToolUse.glob'],
        silent: ['PreToolUse.bash', [call('codegraph_search'), 'PreToolUse.grep']],
      },
    },
  },
  'web-page': {
    on: {
      'claude-code': { fires: ['PostToolUse.WebFetch'], silent: ['PostToolUseFailure.WebFetch'] },
      codex: { unsupported: 'never.no-such-tool' },
      'gemini-cli': { fires: [page], silent: ['AfterTool.web_fetch.failed', 'AfterTool.glob'] },
      'qwen-code': { fires: [fetched], silent: ['PostToolUseFailure.web_fetch', 'PostToolUse.glob'] },
      cursor: { fires: ['postToolUse.Fetch'], silent: ['postToolUse.Read'] },
      droid: { fires: [asTool('PostToolUse.Read', 'FetchUrl')], silent: ['PostToolUse.Read'] },
      opencode: {
        fires: [asTool('PostToolUse.read', 'webfetch')],
        silent: [asTool('PostToolUseFailure.read', 'webfetch'), 'PostToolUse.read'],
      },
    },
  },
  'web-failed': {
    on: {
      'claude-code': {
        fires: ['PostToolUseFailure.WebFetch'],
        silent: ['PostToolUse.WebFetch', 'PostToolUseFailure.Bash.commit'],
      },
      codex: { unsupported: 'never.no-such-tool' },
      // It drops what a hook adds to an error, so the text waits for the next prompt.
      'gemini-cli': {
        fires: [['AfterTool.web_fetch.failed', prompt()]],
        silent: ['AfterTool.web_fetch.failed', page, ['AfterTool.failed-commit', prompt()]],
      },
      'qwen-code': {
        fires: ['PostToolUseFailure.web_fetch'],
        silent: [fetched, 'PostToolUseFailure.commit'],
      },
      cursor: {
        fires: [asTool('postToolUseFailure.mcp', 'Fetch')],
        silent: ['postToolUse.Fetch', 'postToolUseFailure'],
      },
      droid: { unsupported: 'when.no-failure' },
      opencode: {
        fires: [asTool('PostToolUseFailure.read', 'webfetch')],
        silent: [asTool('PostToolUse.read', 'webfetch'), 'PostToolUseFailure.read'],
      },
    },
  },
  'edit-check': {
    on: {
      'claude-code': {
        fires: ['PostToolUse.Edit.ts'],
        silent: ['PostToolUse.Edit', 'PostToolUse.Write.md', 'PostToolUse.Read'],
      },
      codex: {
        fires: ['PostToolUse.apply_patch.ts'],
        silent: ['PostToolUse.apply_patch', 'PostToolUse.apply_patch.md', 'PostToolUse'],
      },
      'gemini-cli': {
        fires: ['AfterTool.replace.ts'],
        silent: ['AfterTool.replace.failed', 'AfterTool.write_file.md', 'AfterTool'],
      },
      'qwen-code': {
        fires: ['PostToolUse.edit.ts'],
        silent: ['PostToolUse.edit', 'PostToolUseFailure.edit', 'PostToolUse.write_file.md'],
      },
      cursor: {
        fires: ['postToolUse.Write.ts'],
        silent: ['postToolUse.Write.md', 'postToolUseFailure.Write', 'postToolUse'],
      },
      droid: { fires: [edited('src/a.ts')], silent: ['PostToolUse.Edit', 'PostToolUse'] },
      opencode: {
        fires: [edited('src/a.ts')],
        silent: ['PostToolUse.edit', 'PostToolUse.apply_patch', 'PostToolUse.bash'],
      },
    },
  },
};

it('has moments for every example', () => expect(Object.keys(CASES).sort()).toEqual(examples.sort()));

// Without MCPHOOKS_TEST=all each is tried on one client, in a short run every third one.
const cases = Object.entries(CASES).map(([example, one], turn) => ({ example, ...one, turn }));

describe.each(LONG ? cases : sample(cases, 3))(
  'examples/patterns: $example',
  ({ example, needs, says, on, turn }) => {
    const [{ context = '' } = {}, ...others] = declarationsOf(example);
    const said = (client: ClientId): string =>
      says ??
      context
        .replace(/\{tool:(.*?)\}/g, (_, tool) => named(client, 'mem', tool))
        .replaceAll('{project_name}', basename(w.project));

    it.each(sample(onClients(on), CLIENTS.length, turn))('on %s', async (client, its) => {
      expect(others).toEqual([]);
      const there = needs === undefined ? undefined : join(w.project, needs);
      const hook = installed(w, client, declarationsOf(example));
      isAccountedFor(hook);
      if (!its) return;
      if ('unsupported' in its) {
        expect(hook.cells[0]).toMatchObject({ fidelity: 'unsupported', notes: [{ code: its.unsupported }] });
        expect(hook.shims).toEqual([]);
        return;
      }
      if (there) {
        for (const moment of its.fires) expect(await heard(hook, client, moment)).toBeUndefined();
        mkdirSync(there, { recursive: true });
      }
      try {
        for (const moment of its.fires)
          expect(await heard(hook, client, moment), String(moment)).toBe(said(client));
        for (const moment of its.silent)
          expect(await heard(hook, client, moment), String(moment)).toBeUndefined();
      } finally {
        if (there) rmSync(there, { recursive: true });
      }
    });
  },
);

it('the first example of README.md makes no claim that a failed commit makes untrue', () => {
  expect(declarationsOf('commit')[0]?.context).toMatch(/^If this commit went through:/);
});
