import { isObject } from '../../base/json-value.ts';
import type { OwnWords } from '../../messages/notes.ts';

/**
 * An event of ours at which Qwen Code would run no hooks, and say nothing: one group there has a matcher that is no text
 * (0.24.4). Other events aren't touched by that.
 */
export function refuses(value: unknown): OwnWords | undefined {
  const events = isObject(value) && isObject(value.hooks) ? Object.entries(value.hooks) : [];
  for (const [event, list] of events) {
    const groups = Array.isArray(list) ? list.filter(isObject) : [];
    if (groups.some(isOurs) && groups.some(({ matcher }) => matcher != null && typeof matcher !== 'string'))
      return {
        code: 'qwen.matcher',
        text: `a matcher at ${event} is not a string, so Qwen Code runs no hooks at ${event}`,
      };
  }
  return undefined;
}

const isOurs = ({ hooks }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(hooks) && hooks.some((hook) => isObject(hook) && String(hook.command).includes('mcphooks/'));
