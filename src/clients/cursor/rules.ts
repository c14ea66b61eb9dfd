import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/json-value.ts';
import { quietly } from '../../base/quietly.ts';
import type { Path } from '../../declarations/path.ts';
import type { FileRules } from '../hook-config.ts';

/** The steps of 1.0.32. An unknown one drops the whole file, the hooks of everybody else too. */
const STEPS = [
  'sessionStart',
  'sessionEnd',
  'beforeSubmitPrompt',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'stop',
  'subagentStart',
  'subagentStop',
  'preCompact',
  'beforeShellExecution',
  'afterShellExecution',
  'beforeMCPExecution',
  'afterMCPExecution',
  'beforeReadFile',
  'afterFileEdit',
  'afterAgentResponse',
  'afterAgentThought',
  'beforeTabFileRead',
  'afterTabFileEdit',
  'workspaceOpen',
];

/** Finds why Cursor would drop the whole file, by the rules that its loader follows (1.0.18 to 1.0.32). */
export const refuses: NonNullable<FileRules['refuses']> = (value, text) => {
  const found = misread(value, text) ?? badFile(value);
  if (!found) return undefined;
  const { at, why } = found;
  return { code: 'cursor.file', text: `${why}; Cursor ignores all hooks in such a file`, at };
};

/** What is wrong, and where. */
interface Wrong {
  at: Path;
  why: string;
}

/** Cursor takes out comments without regard for strings. */
function misread(value: unknown, text: string): Wrong | undefined {
  const bare = text.replace(/\/\/.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '');
  try {
    if (isDeepStrictEqual(plain(JSON.parse(bare)), plain(value))) return undefined;
  } catch {}
  const at = pathTo(value) ?? [];
  return { at, why: "'//' or '/*' in a string or in another comment is read as the start of a comment" };
}

/** Returns the path of the first string that holds the start of a comment. */
function pathTo(value: unknown): Path | undefined {
  if (typeof value === 'string') return /\/[/*]/.test(value) ? [] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const at = pathTo(inner);
    if (at) return [Array.isArray(value) ? Number(key) : key, ...at];
  }
  return undefined;
}

/** A value without the prototypes by which a parser's tables differ. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function badFile(value: unknown): Wrong | undefined {
  if (!isObject(value)) return { at: [], why: 'the file is not an object' };
  const { version, hooks } = value;
  if (version === undefined) return { at: [], why: `it has no 'version' (add "version": 1)` };
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return { at: ['version'], why: "'version' is not a whole number of at least 1" };
  if (hooks === undefined) return { at: [], why: `it has no 'hooks' (add "hooks": {})` };
  if (!isObject(hooks)) return { at: ['hooks'], why: "'hooks' is not an object" };
  for (const [step, list] of Object.entries(hooks)) {
    const at = ['hooks', step];
    if (!STEPS.includes(step)) return { at, why: `hooks.${step}: Cursor 1.0.32 has no such step` };
    if (!Array.isArray(list)) return { at, why: `hooks.${step} is not a list` };
    for (const [index, entry] of list.entries()) {
      const { key, why } = badEntry(entry) ?? {};
      if (why !== undefined)
        return { at: [...at, index, ...(key ? [key] : [])], why: `hooks.${step}[${index}]: ${why}` };
    }
  }
  return undefined;
}

/** Returns the member of an entry that is wrong, and why; without a member: the entry itself. */
function badEntry(entry: unknown): { key?: string; why: string } | undefined {
  if (!isObject(entry)) return { why: 'it is not an object' };
  const { type, matcher, timeout, loop_limit: limit, failClosed } = entry;
  const wrong = (key: string, what: string) => ({ key, why: `'${key}' is ${what}` });
  if (type === 'prompt') {
    if (!isText(entry.prompt)) return wrong('prompt', 'not a string');
    if (entry.model !== undefined && !isText(entry.model)) return wrong('model', 'not a string');
  } else if (type !== undefined && type !== 'command') return wrong('type', "neither 'command' nor 'prompt'");
  else if (typeof entry.command !== 'string') return wrong('command', 'not a string');
  if (matcher !== undefined && !isPattern(matcher)) return wrong('matcher', 'not a regular expression');
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
    return wrong('timeout', 'not a number of seconds above 0');
  if (limit !== undefined && limit !== null && !(Number.isInteger(limit) && Number(limit) > 0))
    return wrong('loop_limit', 'neither a whole number of at least 1 nor null');
  if (failClosed !== undefined && typeof failClosed !== 'boolean')
    return wrong('failClosed', 'neither true nor false');
  return undefined;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const isPattern = (value: unknown): boolean =>
  value === '*' || (typeof value === 'string' && quietly(() => new RegExp(value)) !== undefined);
