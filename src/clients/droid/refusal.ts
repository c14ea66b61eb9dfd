import { isObject } from '../../base/json-value.ts';
import type { OwnWords } from '../../messages/notes.ts';

const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'Notification',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'SessionStart',
  'SessionEnd',
];
const PREFERENCES = ['hooksDisabled', 'showHookOutput'];

/**
 * Returns why Droid drops all hooks of a file: one malformed entry is enough (0.215.0). Events and keys that it doesn't
 * know don't matter.
 */
export function refusal(hooks: unknown): OwnWords | undefined {
  if (hooks === undefined) return undefined;
  if (!isObject(hooks)) return reason('hooks', 'an object');
  for (const key of PREFERENCES)
    if (hooks[key] !== undefined && typeof hooks[key] !== 'boolean') return reason(key, 'true or false');
  for (const event of EVENTS) {
    const groups = hooks[event];
    if (groups === undefined) continue;
    if (!Array.isArray(groups)) return reason(event, 'a list');
    for (const [i, group] of groups.entries()) {
      const wrong = inGroup(group, `${event}[${i}]`);
      if (wrong) return wrong;
    }
  }
  return undefined;
}

function inGroup(group: unknown, at: string): OwnWords | undefined {
  if (!isObject(group)) return reason(at, 'an object');
  for (const key of ['matcher', 'commandRegex'])
    if (group[key] !== undefined && typeof group[key] !== 'string') return reason(`${at}.${key}`, 'a text');
  if (!Array.isArray(group.hooks)) return reason(`${at}.hooks`, 'a list');
  for (const [i, hook] of group.hooks.entries()) {
    const wrong = inHook(hook, `${at}.hooks[${i}]`);
    if (wrong) return wrong;
  }
  return undefined;
}

function inHook(hook: unknown, at: string): OwnWords | undefined {
  if (!isObject(hook)) return reason(at, 'an object');
  if (hook.type !== 'command') return reason(`${at}.type`, '"command"');
  if (typeof hook.command !== 'string') return reason(`${at}.command`, 'a text');
  if (hook.timeout !== undefined && typeof hook.timeout !== 'number')
    return reason(`${at}.timeout`, 'a number');
  return undefined;
}

const reason = (at: string, wants: string): OwnWords => ({
  code: 'droid.malformed',
  text: `Droid runs no hooks from this file: ${at} must be ${wants}`,
});
