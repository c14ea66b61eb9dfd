import { describe, expect, it } from 'vitest';
import { lint } from '../../src/api/authoring.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { noteText } from '../../src/messages/notes.ts';

const item = { context: 'Now.', priority: 'suggestion' };
const tool = { ...item, event: 'post_tool_use' };

/** Whether lint warns of a hook that fires on every tool call, and on how many clients the plan flags it. */
function nags(declaration: object): [boolean, number] {
  const { warnings, clients } = lint({ declarations: [declaration] });
  const flagged = clients.filter(({ hooks }) =>
    hooks[0]?.notes.some(({ code }) => code === 'flag.every-tool'),
  );
  return [warnings.some(({ code }) => code === 'lint.every-tool'), flagged.length];
}

describe('a hook on every tool call', () => {
  it.each<[string, object]>([
    ['has neither matcher nor condition', tool],
    ['comes before the tool', { ...tool, event: 'pre_tool_use' }],
    ['has a matcher for every tool', { ...tool, matcher: { tool_name: '*', input_contains: '' } }],
    ['names every tool in its condition', { ...tool, when: { tools: ['Bash', '*'], otherwise: 'drop' } }],
    ['asks only for a file of the project', { ...tool, when: { files: ['.git'] } }],
    ['asks only how the tool came out', { ...tool, when: { outcome: 'success', if_unknown: 'fire' } }],
  ])('is warned of by lint, and flagged in every plan: it %s', (_, declaration) =>
    expect(nags(declaration)).toEqual([true, CLIENTS.length]),
  );

  it.each<[string, object]>([
    ['a matcher', { ...tool, matcher: { tool_name: 'Bash' } }],
    ['a needle', { ...tool, matcher: { input_contains: 'git commit' } }],
    ['tools', { ...tool, when: { tools: ['any:edit'], otherwise: 'drop' } }],
    ['a command', { ...tool, when: { command: ['git', 'commit'] } }],
    ['a path', { ...tool, when: { path: ['*.ts'] } }],
    ['a cooldown', { ...tool, when: { cooldown: 60 } }],
    ['a call of an own tool', { ...tool, when: { unless_called: { tools: ['*'] } } }],
    ['its event', { ...item, event: 'pre_request' }],
  ])('is none where it is held back by %s', (_, declaration) =>
    expect(nags(declaration)).toEqual([false, 0]),
  );

  it.each<[object | undefined, string, string]>([
    [
      undefined,
      'call: post_tool_use without',
      'call: neither a matcher, a condition (`when`) nor --cooldown narrows it',
    ],
    [
      { files: ['.git'] },
      'call that meets when.files: post_tool_use without',
      'call that meets when.files: neither a matcher nor --cooldown narrows it',
    ],
    [
      { files: ['.git'], outcome: 'success', if_unknown: 'fire', otherwise: 'drop' },
      'call that meets when.files, when.outcome: post_tool_use without',
      'call that meets when.files, when.outcome: neither a matcher nor --cooldown narrows it',
    ],
  ])('is said to fire on the calls that meet its conditions: %j', (when, warned, flagged) => {
    const { warnings, clients } = lint({ declarations: [{ ...tool, ...(when && { when }) }] });
    expect(warnings.find(({ code }) => code === 'lint.every-tool')?.message).toContain(
      `fires on every tool ${warned}`,
    );
    for (const { hooks } of clients)
      expect(hooks[0]?.notes.map(noteText)).toContain(`fires on every tool ${flagged}`);
  });

  it('is told that `when` mends it', () => {
    const [warning] = lint({ declarations: [tool] }).warnings;
    expect(warning?.message).toContain('or a `when` condition');
  });
});

it('conditions that not every client can tell are named with the clients, and with what would mend it', () => {
  const message = (when: object, more: object = {}): string | undefined =>
    lint({ declarations: [{ ...tool, ...more, when }] }).warnings.find(
      ({ code }) => code === 'lint.when-some',
    )?.message;
  const bash = { matcher: { tool_name: 'Bash' } };
  expect(message({ outcome: 'success' }, bash)).toMatch(
    /only Claude Code,.* Gemini CLI.* can check these conditions: unsupported on Codex[\s\S]*"if_unknown": "fire"/,
  );
  expect(message({ source: 'compact' }, { event: 'session_start' })).toMatch(
    /only Claude Code, Codex.* can check these conditions: unsupported on .*Gemini CLI(?![\s\S]*if_unknown)/,
  );
  expect(message({ tools: ['WebFetch'], otherwise: 'drop' })).toMatch(
    /unsupported on Codex(?![\s\S]*if_unknown)/,
  );
});

it('conditions that no client can tell are named, and the hook is said to fire nowhere', () => {
  const message = (when: object, more: object = {}): string | undefined =>
    lint({ declarations: [{ ...tool, matcher: { tool_name: 'Bash' }, ...more, when }] }).warnings.find(
      ({ code }) => code === 'lint.when-some',
    )?.message;
  expect(message({ path: ['*.ts'] })).toMatch(/fires on none of these clients[\s\S]*when\.path[\s\S]*file/);
  expect(message({ command: ['git'] }, { matcher: { tool_name: 'Edit' } })).toMatch(
    /fires on none of these clients[\s\S]*when\.command[\s\S]*shell/,
  );
  expect(message({ path: ['*.ts'] })).not.toContain('Nothing to do');
});

it('a client that starts no hook after a failed call says so, where the hook asks for either outcome', () => {
  const noted = (more: object): string[] =>
    lint({ declarations: [{ ...tool, ...more }] }).clients.flatMap(({ client, hooks }) =>
      client === 'codex' && hooks[0]?.notes.some(({ code }) => code === 'never.after-failure')
        ? [client]
        : [],
    );
  expect(noted({ matcher: { tool_name: 'mcp__server__*' } })).toEqual(['codex']);
  expect(noted({ matcher: { tool_name: 'Edit' } })).toEqual(['codex']);
  expect(noted({ when: { path: ['*.ts'] } })).toEqual(['codex']);
  expect(noted({ matcher: { tool_name: 'Bash' } })).toEqual([]);
  expect(noted({ matcher: { tool_name: '*' } })).toEqual([]);
  expect(noted({ matcher: { tool_name: 'Edit' }, when: { outcome: 'success' } })).toEqual([]);
  expect(noted({ event: 'pre_tool_use', matcher: { tool_name: 'Edit' } })).toEqual([]);
});
