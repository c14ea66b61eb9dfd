import { isObject } from '../../base/json-value.ts';

/** What a client demands of hooks in groups, beyond what it ignores. */
export interface GroupRules {
  /** Events that it checks; others don't matter. */
  events: readonly string[];
  /** Members of a group that must be texts. */
  texts: readonly string[];
  /** Types of handlers; absent: any text. */
  types?: readonly string[];
  timeout: { is: (value: unknown) => boolean; wants: string };
  /** Ignores an event that is null, not the file. */
  nullEvent?: true;
  /** Accepts a group without `hooks`, and null as matcher or timeout. */
  optional?: true;
}

/** Returns what is wrong with the hooks of a file: the place, and what must be there; undefined: nothing. */
export function malformed(hooks: unknown, rules: GroupRules): string | undefined {
  if (hooks === undefined) return undefined;
  if (!isObject(hooks)) return must('hooks', 'an object');
  for (const event of rules.events) {
    const groups = hooks[event];
    if (groups === undefined || (rules.nullEvent && groups === null)) continue;
    if (!Array.isArray(groups)) return must(event, 'a list');
    for (const [i, group] of groups.entries()) {
      const wrong = inGroup(group, `${event}[${i}]`, rules);
      if (wrong) return wrong;
    }
  }
  return undefined;
}

function inGroup(group: unknown, at: string, rules: GroupRules): string | undefined {
  if (!isObject(group)) return must(at, 'an object');
  for (const key of rules.texts)
    if (isGiven(group[key], rules) && typeof group[key] !== 'string') return must(`${at}.${key}`, 'a text');
  if (rules.optional && group.hooks === undefined) return undefined;
  if (!Array.isArray(group.hooks)) return must(`${at}.hooks`, 'a list');
  for (const [i, hook] of group.hooks.entries()) {
    const wrong = isObject(hook)
      ? inHook(hook, `${at}.hooks[${i}]`, rules)
      : must(`${at}.hooks[${i}]`, 'an object');
    if (wrong) return wrong;
  }
  return undefined;
}

function inHook(
  { type, command, timeout }: Readonly<Record<string, unknown>>,
  at: string,
  rules: GroupRules,
): string | undefined {
  if (typeof type !== 'string' || rules.types?.includes(type) === false)
    return must(`${at}.type`, rules.types?.map((one) => `"${one}"`).join(' or ') ?? 'a text');
  if (type === 'command' && typeof command !== 'string') return must(`${at}.command`, 'a text');
  if (isGiven(timeout, rules) && !rules.timeout.is(timeout))
    return must(`${at}.timeout`, rules.timeout.wants);
  return undefined;
}

const isGiven = (value: unknown, { optional }: GroupRules): boolean =>
  value !== undefined && !(optional && value === null);

const must = (at: string, wants: string): string => `${at} must be ${wants}`;
