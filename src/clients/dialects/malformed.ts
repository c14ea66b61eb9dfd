import { isObject } from '../../base/json-value.ts';
import { type Path, pathText } from '../../declarations/path.ts';

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Kinds of values, with the words for what a value must be. */
const KINDS = {
  text: { is: isText, wants: 'a text' },
  texts: { is: (value: unknown) => Array.isArray(value) && value.every(isText), wants: 'a list of texts' },
  'table of texts': {
    is: (value: unknown) => isObject(value) && Object.values(value).every(isText),
    wants: 'an object whose values are texts',
  },
  table: { is: isObject, wants: 'an object' },
  url: { is: (value: unknown) => isText(value) && URL.canParse(String(value)), wants: 'a URL' },
  flag: { is: (value: unknown) => typeof value === 'boolean', wants: 'true or false' },
  number: { is: isNumber, wants: 'a number' },
  'above 0': { is: (value: unknown) => isNumber(value) && value > 0, wants: 'a number above 0' },
  count: {
    is: (value: unknown) => Number.isInteger(value) && Number(value) >= 0,
    wants: 'a whole number from 0',
  },
} as const;

type MemberKinds = Readonly<Record<string, keyof typeof KINDS>>;

/** What a client demands of hooks in groups, beyond what it ignores. */
export interface GroupRules {
  /** Events that it checks; others don't matter. */
  events: readonly string[];
  /** Members of a group. */
  group: MemberKinds;
  /** By type of a handler, the members that it needs, and those that it may have. */
  handlers: Readonly<Record<string, { needs?: MemberKinds; may?: MemberKinds }>>;
  /** Accepts handlers of other types, too: later versions may have more. */
  otherTypes?: true;
  /** Ignores an event that is null, not the file. */
  nullEvent?: true;
  /** Accepts a group without `hooks`, and null in place of a member that isn't needed. */
  optional?: true;
}

/** What is wrong with the hooks of a file. */
interface Malformed {
  /** Path of the value, from the object of the events. */
  at: Path;
  /** In words, with the path. */
  text: string;
}

/** Returns the first value that is not as demanded; undefined: there is none. */
export function malformed(hooks: unknown, rules: GroupRules): Malformed | undefined {
  if (hooks === undefined) return undefined;
  if (!isObject(hooks)) return { at: [], text: 'hooks must be an object' };
  for (const event of rules.events) {
    const groups = hooks[event];
    if (groups === undefined || (rules.nullEvent && groups === null)) continue;
    if (!Array.isArray(groups)) return must([event], 'a list');
    for (const [i, group] of groups.entries()) {
      const wrong = inGroup(group, [event, i], rules);
      if (wrong) return wrong;
    }
  }
  return undefined;
}

function inGroup(group: unknown, at: Path, rules: GroupRules): Malformed | undefined {
  if (!isObject(group)) return must(at, 'an object');
  const wrong = inMembers(group, at, {}, rules.group, rules);
  if (wrong || (rules.optional && group.hooks === undefined)) return wrong;
  if (!Array.isArray(group.hooks)) return must([...at, 'hooks'], 'a list');
  for (const [i, hook] of group.hooks.entries()) {
    const place = [...at, 'hooks', i];
    const wrong = isObject(hook) ? inHook(hook, place, rules) : must(place, 'an object');
    if (wrong) return wrong;
  }
  return undefined;
}

function inHook(hook: Readonly<Record<string, unknown>>, at: Path, rules: GroupRules): Malformed | undefined {
  const { handlers, otherTypes } = rules;
  const { type } = hook;
  if (typeof type === 'string' && Object.hasOwn(handlers, type)) {
    const { needs = {}, may = {} } = handlers[type] ?? {};
    return inMembers(hook, at, needs, may, rules);
  }
  if (typeof type === 'string' && otherTypes) return undefined;
  const types = Object.keys(handlers).map((one) => `"${one}"`);
  return must([...at, 'type'], otherTypes ? 'a text' : types.join(' or '));
}

/** Returns the first member that is not as demanded. */
function inMembers(
  value: Readonly<Record<string, unknown>>,
  at: Path,
  needs: MemberKinds,
  may: MemberKinds,
  { optional }: GroupRules,
): Malformed | undefined {
  const isGiven = (key: string): boolean => value[key] !== undefined && !(optional && value[key] === null);
  for (const [key, kind] of [
    ...Object.entries(needs),
    ...Object.entries(may).filter(([key]) => isGiven(key)),
  ])
    if (!KINDS[kind].is(value[key])) return must([...at, key], KINDS[kind].wants);
  return undefined;
}

const must = (at: Path, wants: string): Malformed => ({ at, text: `${pathText(at)} must be ${wants}` });
