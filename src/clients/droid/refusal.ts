import { isObject } from '../../base/json-value.ts';
import type { Path } from '../../declarations/path.ts';
import { type GroupRules, malformed } from '../dialects/malformed.ts';
import type { FileRefusal } from '../hook-config.ts';

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
  group: { matcher: 'text', commandRegex: 'text' },
  handlers: { command: { needs: { command: 'text' }, may: { timeout: 'number' } } },
};
const PREFERENCES = ['hooksDisabled', 'showHookOutput'];

/**
 * Returns why Droid drops all hooks of a file: one malformed entry is enough (0.215.0). Events and keys that it doesn't
 * know don't matter.
 */
export function refusal(hooks: unknown): FileRefusal | undefined {
  const wrong = malformed(hooks, RULES) ?? wrongPreference(hooks);
  return (
    wrong && {
      code: 'droid.malformed',
      text: `Droid runs no hooks from this file: ${wrong.text}`,
      at: wrong.at,
    }
  );
}

function wrongPreference(hooks: unknown): { at: Path; text: string } | undefined {
  const wrong = PREFERENCES.find(
    (key) => isObject(hooks) && hooks[key] !== undefined && typeof hooks[key] !== 'boolean',
  );
  return wrong === undefined ? undefined : { at: [wrong], text: `${wrong} must be true or false` };
}
