import { isObject } from '../../base/json-value.ts';
import type { FileRefusal } from '../hook-config.ts';

/**
 * Returns the event of ours at which Qwen Code would run no hooks, and say nothing: one group there has a matcher that
 * is no text (0.24.4). Other events aren't touched by that.
 */
export function refusal(value: unknown): FileRefusal | undefined {
  const events = isObject(value) && isObject(value.hooks) ? Object.entries(value.hooks) : [];
  for (const [event, list] of events) {
    const groups: unknown[] = Array.isArray(list) ? list : [];
    const wrong = groups.findIndex(
      (group) => isObject(group) && group.matcher != null && typeof group.matcher !== 'string',
    );
    if (wrong >= 0 && groups.some(isOurs))
      return {
        code: 'qwen.matcher',
        text: `a matcher at ${event} is not a string, so Qwen Code runs no hooks at ${event}`,
        at: ['hooks', event, wrong, 'matcher'],
      };
  }
  return undefined;
}

const isOurs = (group: unknown): boolean =>
  isObject(group) &&
  Array.isArray(group.hooks) &&
  group.hooks.some((hook) => isObject(hook) && String(hook.command).includes('mcphooks/'));
