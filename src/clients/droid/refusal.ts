import { isObject } from '../../base/json-value.ts';
import type { OwnWords } from '../../messages/notes.ts';
import { type GroupRules, malformed } from '../dialects/malformed.ts';

const RULES: GroupRules = {
  events: [
    'PreToolUse',
    'PostToolUse',
    'Notification',
    'UserPromptSubmit',
    'Stop',
    'SubagentStop',
    'PreCompact',
    'SessionStart',
    'SessionEnd',
  ],
  texts: ['matcher', 'commandRegex'],
  types: ['command'],
  timeout: { is: (value) => typeof value === 'number', wants: 'a number' },
};
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
  const wrong = malformed(hooks, RULES);
  return wrong === undefined ? undefined : { code: 'droid.malformed', text: `${NONE}: ${wrong}` };
}

const NONE = 'Droid runs no hooks from this file';

const reason = (at: string, wants: string): OwnWords => ({
  code: 'droid.malformed',
  text: `${NONE}: ${at} must be ${wants}`,
});
