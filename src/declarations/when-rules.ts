import { isObject } from '../base/json-value.ts';
import { near } from '../base/near.ts';
import { excerpt } from '../base/visible.ts';
import { Fault } from '../messages/fault.ts';
import { MOST_GLOBS, withoutBraces } from './braces.ts';
import type { Path } from './path.ts';
import { type DeclarationRule, has, type JsonObject, objectAt, starFaults } from './rule.ts';
import { EVENTS, isToolEvent } from './types.ts';
import { kindOf, TOOL_KINDS } from './when.ts';

/** Most items of one list, and most characters of a pattern (as for `tool_name`: docs/security.md). */
const MOST = 32;
const LONGEST = 256;

const TOOL_EVENTS = EVENTS.filter(isToolEvent);

/** Events at which a condition is allowed; conditions not listed here are allowed at every event. */
const EVENTS_OF: Readonly<Record<string, readonly string[]>> = {
  outcome: ['post_tool_use'],
  tools: TOOL_EVENTS,
  command: TOOL_EVENTS,
  path: TOOL_EVENTS,
  source: ['session_start'],
};

const whenOf = (item: JsonObject): JsonObject => objectAt(item, 'when');
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];

const atItsEvent: DeclarationRule = (item, _, at) =>
  Object.keys(EVENTS_OF)
    .filter((key) => has(whenOf(item), key) && typeof item.event === 'string')
    .filter((key) => !EVENTS_OF[key]?.includes(String(item.event)))
    .map((key) => {
      const args = { key, event: excerpt(String(item.event)), events: EVENTS_OF[key] ?? [] };
      return new Fault('when.event', args, at('when', key));
    });

/** Checks which keys require or exclude each other. */
const together: DeclarationRule = (item, _, at) => {
  const when = whenOf(item);
  const { tool_name, tool_server } = objectAt(item, 'matcher');
  const faults: Fault[] = [];
  const fault = (code: 'when.needs' | 'when.beside', key: string, other: string): void => {
    faults.push(new Fault(code, { key, other }, at('when', key)));
  };
  if (has(when, 'if_unknown') && !has(when, 'outcome')) fault('when.needs', 'if_unknown', 'when.outcome');
  if (has(when, 'answer') && !has(item, 'context_tool')) fault('when.needs', 'answer', 'context_tool');
  if (has(when, 'tools')) {
    if (tool_name !== undefined) fault('when.beside', 'tools', 'matcher.tool_name');
    const kinds = textsOf(when.tools).some((tool) => kindOf(tool) !== undefined);
    if (tool_server !== undefined && kinds) fault('when.beside', 'tools', 'matcher.tool_server');
    // A reader that ignores `when` would fire the item on every tool call.
    if (!has(item, 'matcher') && !has(when, 'otherwise'))
      faults.push(new Fault('when.needs-drop', {}, at('when', 'tools')));
  }
  return faults;
};

/** Returns every list of texts in `when`, with its path. */
function lists(item: JsonObject): [Path, unknown[]][] {
  const when = whenOf(item);
  const all: [Path, unknown][] = [
    ...['files', 'tools', 'command', 'path'].map((key): [Path, unknown] => [['when', key], when[key]]),
    [['when', 'unless_called', 'tools'], objectAt(when, 'unless_called').tools],
  ];
  return all.flatMap(([path, value]) => (Array.isArray(value) ? [[path, value]] : []));
}

const listSizes: DeclarationRule = (item, _, at) =>
  lists(item).flatMap(([path, list]) => [
    ...(list.length > MOST
      ? [new Fault('when.too-many', { count: list.length, max: MOST }, at(...path))]
      : []),
    ...list.flatMap((text, i) => {
      if (typeof text !== 'string') return [];
      const where = () => at(...path, i);
      if (text.trim() === '') return [new Fault('decl.empty', { key: String(path.at(-1)) }, where())];
      const length = [...text].length;
      return length > LONGEST ? [new Fault('decl.too-long', { length, max: LONGEST }, where())] : [];
    }),
  ]);

const globStars: DeclarationRule = (item, _, at) =>
  lists(item).flatMap(([path, list]) =>
    path.includes('command') ? [] : list.flatMap((text, i) => starFaults(text, () => at(...path, i))),
  );

const toolKinds: DeclarationRule = (item, _, at) =>
  textsOf(whenOf(item).tools).flatMap((tool, i) => {
    const kind = kindOf(tool);
    if (kind === undefined || (TOOL_KINDS as readonly string[]).includes(kind)) return [];
    const allowed = TOOL_KINDS.map((known) => `any:${known}`);
    const meant = near(kind, TOOL_KINDS);
    const args = {
      value: excerpt(JSON.stringify(tool)),
      allowed,
      ...(meant ? { near: `any:${meant}` } : {}),
    };
    return [new Fault('decl.choice', args, at('when', 'tools', i))];
  });

/** The server's own tools must be named as in its tool list. */
const ownTools: DeclarationRule = (item, _, at) =>
  textsOf(objectAt(whenOf(item), 'unless_called').tools).flatMap((tool, i) =>
    /^(mcp__|any:)/.test(tool)
      ? [new Fault('when.own-tool', { value: excerpt(tool) }, at('when', 'unless_called', 'tools', i))]
      : [],
  );

/**
 * Returns why the shell can't test a pattern without node (templates/shim.sh): only plain names below the root are
 * allowed, wildcards only in the last segment.
 */
function filesTrouble(pattern: string): 'absolute' | 'parent' | 'wildcard' | 'characters' | undefined {
  const segments = pattern.replace(/\/$/, '').split('/');
  if (/^(\/|~|[A-Za-z]:)/.test(pattern)) return 'absolute';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\\[\]\x00-\x1f]/.test(pattern)) return 'characters';
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) return 'parent';
  return segments.slice(0, -1).some((segment) => /[*?]/.test(segment)) ? 'wildcard' : undefined;
}

const files: DeclarationRule = (item, _, at) =>
  textsOf(whenOf(item).files).flatMap((pattern, i) => {
    const trouble = pattern.trim() === '' ? undefined : filesTrouble(pattern);
    return trouble
      ? [new Fault('when.files', { value: excerpt(pattern), trouble }, at('when', 'files', i))]
      : [];
  });

const paths: DeclarationRule = (item, _, at) =>
  textsOf(whenOf(item).path).flatMap((glob, i) =>
    /^!|^~|\\/.test(glob) || glob.split('/').includes('..')
      ? [new Fault('when.path', { value: excerpt(glob) }, at('when', 'path', i))]
      : [],
  );

/** An install expands braces into several globs; checks how many these are. */
const braces: DeclarationRule = (item, _, at) => {
  const globs = textsOf(whenOf(item).path);
  const all = globs.map((glob) => (glob.length > 2 * LONGEST ? [] : withoutBraces(glob)));
  const faults = all.flatMap((some, i) => {
    const args = { value: excerpt(globs[i] ?? ''), max: MOST_GLOBS };
    return some ? [] : [new Fault('when.braces', args, at('when', 'path', i))];
  });
  const count = all.flatMap((some) => some ?? []).length;
  return globs.length <= MOST && count > MOST
    ? [...faults, new Fault('when.too-many', { count, max: MOST }, at('when', 'path'))]
    : faults;
};

/** A word with a space was meant as two words. */
const words: DeclarationRule = (item, _, at) =>
  textsOf(whenOf(item).command).flatMap((word, i) =>
    word.trim() !== '' && /[\s;|&<>()`$"'\\]/.test(word)
      ? [new Fault('when.word', { value: excerpt(word) }, at('when', 'command', i))]
      : [],
  );

const pointer: DeclarationRule = (item, _, at) => {
  const { answer } = whenOf(item);
  const select = isObject(answer) ? answer.select : undefined;
  return typeof select === 'string' && !/^(\/([^~]|~[01])*)?$/.test(select)
    ? [new Fault('when.pointer', { value: excerpt(select) }, at('when', 'answer', 'select'))]
    : [];
};

/** Rules on `when` beyond its shape. */
export const WHEN_RULES: readonly DeclarationRule[] = [
  atItsEvent,
  together,
  listSizes,
  globStars,
  toolKinds,
  ownTools,
  files,
  paths,
  braces,
  words,
  pointer,
];
