import { deeperThan, isObject } from '../base/json-value.ts';
import { excerpt, invisibles } from '../base/visible.ts';
import { Fault } from '../messages/fault.ts';
import type { Locate, Path } from './path.ts';
import { type DeclarationRule, has, type JsonObject, objectAt, starFaults, type TextLimits } from './rule.ts';
import { EVENTS, isToolEvent } from './types.ts';
import { WHEN_RULES } from './when-rules.ts';

/** Most characters (code points) of one text, and most declarations of one server. */
export const MAX_TEXT = 8_000;
export const MAX_DECLARATIONS = 64;
/** Most characters of a pattern: what a server declares must not take long to match. */
const MAX_GLOB_LENGTH = 256;
export const MAX_ARGS_DEPTH = 16;
/** Most characters of `context_tool_args` as compact JSON. */
const MAX_ARGS_LENGTH = 16_000;
/** Most characters of a tool's or server's name. */
const MAX_NAME_LENGTH = 256;

const matcherOf = (item: JsonObject): JsonObject => objectAt(item, 'matcher');
const lengthBeyond = (text: unknown, max: number): number | undefined => {
  const length = typeof text === 'string' ? [...text].length : 0;
  return length > max ? length : undefined;
};

/** SEP-2282, "Hook declaration schema": exactly one of `context` and `context_tool` is required. */
const oneContent: DeclarationRule = (item, _, at) => {
  if (has(item, 'context') && has(item, 'context_tool')) return [new Fault('decl.both', {}, at())];
  if (!has(item, 'context') && !has(item, 'context_tool')) return [new Fault('decl.neither', {}, at())];
  return [];
};

/** SEP-2282: `context_tool_args` "requires `context_tool` to be set". */
const argsNeedTool: DeclarationRule = (item, _, at) =>
  has(item, 'context_tool_args') && !has(item, 'context_tool')
    ? [new Fault('decl.args-alone', {}, at('context_tool_args'))]
    : [];

/**
 * SEP-2282: a matcher is "only applicable to pre_tool_use and post_tool_use events". If the matcher were ignored, the
 * hook would always fire.
 */
const matcherOnToolEvents: DeclarationRule = (item, _, at) =>
  EVENTS.filter((event) => event === item.event && !isToolEvent(event) && has(item, 'matcher')).map(
    (event) => new Fault('decl.matcher-event', { event }, at('matcher')),
  );

/** No tool has an empty name. Empty texts and patterns are valid: `mcphooks lint` warns of them. */
const toolNamed: DeclarationRule = ({ context_tool: tool }, _, at) =>
  typeof tool === 'string' && tool.trim() === ''
    ? [new Fault('decl.empty', { key: 'context_tool' }, at('context_tool'))]
    : [];

const textLength: DeclarationRule = (item, { anyLength }, at) => {
  const maxText = anyLength ? Number.POSITIVE_INFINITY : MAX_TEXT;
  const limits: [Path, unknown, number][] = [
    [['context'], item.context, maxText],
    [['context_tool'], item.context_tool, MAX_NAME_LENGTH],
    [['matcher', 'input_contains'], matcherOf(item).input_contains, maxText],
    [['matcher', 'tool_server'], matcherOf(item).tool_server, MAX_NAME_LENGTH],
    [['matcher', 'tool_name'], matcherOf(item).tool_name, MAX_GLOB_LENGTH],
  ];
  return limits.flatMap(([path, text, max]) => {
    const length = lengthBeyond(text, max);
    const ofText = path[0] === 'context' ? { text: 1 as const } : {};
    return length ? [new Fault('decl.too-long', { length, max, ...ofText }, at(...path))] : [];
  });
};

const globStars: DeclarationRule = (item, _, at) =>
  starFaults(matcherOf(item).tool_name, () => at('matcher', 'tool_name'));

const argsSize: DeclarationRule = (item, _, at) => {
  const length = isObject(item.context_tool_args)
    ? lengthBeyond(JSON.stringify(item.context_tool_args), MAX_ARGS_LENGTH)
    : 0;
  return length
    ? [new Fault('decl.too-long', { length, max: MAX_ARGS_LENGTH }, at('context_tool_args'))]
    : [];
};

const nothingHidden: DeclarationRule = (item, { allowInvisible }, at) => {
  if (allowInvisible === true) return [];
  const fault = (characters: readonly string[], text: string, path: Path): Fault => {
    const never = allowInvisible === 'never' ? ({ never: 1 } as const) : {};
    return new Fault('decl.invisible', { characters, value: excerpt(text), ...never }, at(...path));
  };
  const search = (value: unknown, path: Path): Fault[] => {
    if (typeof value === 'string') {
      const found = invisibles(value);
      return found.length > 0 ? [fault(found, value, path)] : [];
    }
    if (value === null || typeof value !== 'object') return [];
    return Object.entries(value).flatMap(([key, inner]) => {
      const step = Array.isArray(value) ? Number(key) : key;
      const hidden = invisibles(key);
      return [
        ...(hidden.length > 0 ? [fault(hidden, key, [...path, step])] : []),
        ...search(inner, [...path, step]),
      ];
    });
  };
  return search(item, []);
};

const RULES: readonly DeclarationRule[] = [
  oneContent,
  argsNeedTool,
  matcherOnToolEvents,
  toolNamed,
  textLength,
  globStars,
  argsSize,
  nothingHidden,
  ...WHEN_RULES,
];

/** Returns Faults for what the prose of SEP-2282 and our limits forbid, whatever else is wrong with the item. */
export function ruleFaults(item: unknown, limits: TextLimits, path: Path, locate: Locate): Fault[] {
  if (!isObject(item)) return [];
  return RULES.flatMap((rule) => rule(item, limits, (...rest) => locate([...path, ...rest])));
}

/** Returns a Fault for an item nested too deep to check. */
export function depthFault(item: unknown, path: Path, locate: Locate): Fault | undefined {
  return deeperThan(item, MAX_ARGS_DEPTH)
    ? new Fault('decl.depth', { max: MAX_ARGS_DEPTH }, locate(path))
    : undefined;
}
