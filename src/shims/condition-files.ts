import type { FireData, FireHook } from '../fire/format.ts';
import { sessionsFolder } from '../fire/own-folders.ts';
import { type Marker, markOf } from '../fire/session/markers.ts';
import { SEARCH_COMMANDS } from '../fire/shell/command-words.ts';
import { longestStableSubstring } from './prefilter.ts';

/**
 * Runs (see prefilter.ts), of which every payload that fulfils a condition contains at least one; undefined when the
 * condition has none.
 */
type Runs = readonly string[] | undefined;

/** Returns the runs of each condition of a hook that has any. The conditions most often unmet come first. */
export function runsOf(hook: FireHook, { payload }: FireData): readonly (readonly string[])[] {
  const { does, match, when } = hook;
  if (does === 'note-call') return [stable(match?.tools)].flatMap((runs) => (runs ? [runs] : []));
  if (does !== 'emit' && does !== 'defer') return [];
  const words = when?.command?.filter((word) => !word.startsWith('-')) ?? [];
  const all: Runs[] = [
    contained(match?.contains),
    rarest(words),
    match?.search ? searching(match.tools) : undefined,
    sources(when?.source, payload.source),
    when?.outcome === 'failure' ? failures(payload.outcome, when.ifUnknown) : undefined,
  ];
  return all.flatMap((runs) => (runs ? [runs] : []));
}

/**
 * Returns the part of a whole word that every spelling of a payload contains unchanged. No JSON escape can end before
 * the word.
 */
const runOf = (word: string): string | null => longestStableSubstring(`"${word}`);

/** Returns such parts of several texts; undefined when a text has none. */
function stable(texts: readonly string[] | undefined): Runs {
  const runs = texts?.map((text) => runOf(text.replace(/\*$/, '')));
  return runs?.every((run) => run !== null) ? runs : undefined;
}

/** Characters that may follow a program's name in the JSON of a shell command. Every escape begins with a backslash. */
const AFTER_PROGRAM = [...' \\".\';|&<>()`'];

/** A shorter name is part of many words: `rg` of `args` and `target`, `ack` of `package`. */
const LONG_NAME = 4;

/** Returns the runs of tools that search, and of shell commands that do. */
function searching(tools: readonly string[] | undefined): Runs {
  const runs = stable(tools);
  const programs = SEARCH_COMMANDS.map((command) => command.at(-1) ?? '');
  return (
    runs && [
      ...runs,
      ...programs.flatMap((name) =>
        name.length < LONG_NAME ? AFTER_PROGRAM.map((character) => name + character) : name,
      ),
    ]
  );
}

/** Returns the run of a text anywhere in the input's JSON. */
function contained(needle: string | undefined): Runs {
  const run = needle === undefined ? null : longestStableSubstring(needle);
  return run === null ? undefined : [run];
}

/** Returns the run of the longest of several required words, which is the rarest. */
function rarest(words: readonly string[]): Runs {
  const runs = words.flatMap((word) => runOf(word) ?? []);
  const [longest] = runs.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : [longest];
}

function sources(wanted: readonly string[] | undefined, field: FireData['payload']['source']): Runs {
  if (!wanted || !field) return undefined;
  return stable(Object.keys(field.words).filter((word) => wanted.includes(field.words[word] ?? '')));
}

function failures(rule: FireData['payload']['outcome'], ifUnknown = false): Runs {
  if (typeof rule !== 'object') return undefined;
  if ('is' in rule) return stable([rule.holds]);
  // A payload without an outcome has no sign of a failure either.
  if (ifUnknown) return undefined;
  const signs = rule.signs.filter(({ path }) => path !== undefined);
  return signs.some(({ holds }) => !holds) ? undefined : stable(signs.flatMap(({ holds }) => holds ?? []));
}

/**
 * Returns the side files with conditions that the shell tests without node (templates/shim.sh), when every hook of the
 * script has such a condition.
 */
export function conditionFiles(
  hooks: readonly FireHook[],
  data: FireData,
): { files?: string; marks?: string; called?: string } {
  const notes = hooks.filter(({ does }) => does === 'note-call');
  const printing = hooks.filter((hook) => !notes.includes(hook));
  const folder = data.state && sessionsFolder(data.state, data.client, data.server, data.owner);
  const called = folder && calledFile(notes, printing, data);
  // When node has to record calls, it is started for every payload.
  if (printing.length === 0 || !printing.every(isPlain))
    return called ? { called: `${folder}\n${called}` } : {};
  const alone = notes.length === 0 || called !== undefined;
  const patterns = printing.map(({ when }) => when?.files);
  const marks = printing.map(marksOf);
  return {
    ...(called && { called: `${folder}\n${called}` }),
    ...(alone &&
      patterns.every((some) => some?.every(isForShells)) && {
        files: [
          data.payload.startFolderEnv ?? '-',
          ...new Set(patterns.flatMap((some) => some ?? [])),
          '',
          '',
        ].join('\n'),
      }),
    ...(alone && folder && marks.every(Boolean) && { marks: [folder, ...new Set(marks), '', ''].join('\n') }),
  };
}

/**
 * True for a pattern that dash matches as node does, and fast. For dash `?` is one byte. More stars take seconds on a few
 * names of 255 characters, but not in node.
 */
const isForShells = (pattern: string): boolean =>
  !pattern.includes('?') && (pattern.match(/\*+/g)?.length ?? 0) <= 2;

/**
 * True for a hook that, when silent, leaves no state behind. A hook with `at` records that the session's start is over.
 */
const isPlain = ({ does, at }: FireHook): boolean => (does === 'emit' || does === 'defer') && !at;

/** Names of the markers that each keep a hook silent while set; '' when there are none. */
function marksOf(hook: FireHook): string {
  const { cooldownMs, when } = hook;
  const cooldown: Marker = `cooldown.${markOf(hook)}`;
  const called: Marker = `called.${markOf(hook)}`;
  return [cooldownMs !== undefined && cooldown, when?.unlessCalled && called].filter(Boolean).join(' ');
}

/** Most lines that the shell reads in less time than node starts. */
const MOST_CALL_LINES = 400;

/**
 * Returns the file by which the shell records calls; undefined when there are none to record, or when node recognises
 * them sooner, or alone.
 */
function calledFile(
  notes: readonly FireHook[],
  printing: readonly FireHook[],
  { payload }: FireData,
): string | undefined {
  if (notes.length === 0 || notes.some(({ match }) => !match?.tools) || printing.some(takesMcpTools))
    return undefined;
  const keys = [payload.toolName].flat().map((path) => JSON.stringify(path.split('.').at(-1)));
  const lines = notes.flatMap((note) => {
    const { muteMs, match } = note;
    return (match?.tools ?? []).flatMap((tool) => {
      const mark: Marker = `called.${markOf(note)}`;
      const name = JSON.stringify(tool.replace(/\*$/, ''));
      const seconds = muteMs === null || muteMs === undefined ? '-' : Math.ceil(muteMs / 1000);
      const text = tool.endsWith('*') ? name.slice(0, -1) : name;
      return keys.map((key) => `${mark} ${seconds} ${key}:${text}`);
    });
  });
  return lines.length > MOST_CALL_LINES ? undefined : `${lines.join('\n')}\n\n`;
}

/** True when a hook may print for a tool of an MCP server. */
const takesMcpTools = ({ match }: FireHook): boolean =>
  match?.name === undefined || /mcp__|\.\*|^\^\(?\.|\|\./.test(match.name);
