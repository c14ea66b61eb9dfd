import type { Outcome, SessionSource, ToolKind } from '../declarations/when.ts';
import type { Paths } from './protocol.ts';

/** How a client's payloads show what conditions (`when`) test. Tools are named by the client's own names. */
export interface Conditions {
  /** Native event of post_tool_use -> how its payloads show whether the tool failed. */
  outcome: Readonly<Record<string, OutcomeRule>>;
  /** Tools that run a shell command -> the input field with the command. */
  shell: Readonly<Record<string, string>>;
  /** Tools that touch files -> the input fields that name the files. */
  files: Readonly<Record<string, FileFields>>;
  /** Tools that search or edit, without tools that run a shell command. */
  kinds: Readonly<Record<ToolKind, readonly string[]>>;
  source: SourceField | AlwaysFrom;
}

/** How an event tells a tool's outcome. A word: the event fires for this outcome only. */
export type OutcomeRule = 'success' | 'failure' | OutcomeSigns | OutcomeUnless;

/** The event's payloads show the outcome. */
interface OutcomeSigns {
  signs: readonly OutcomeSign[];
  /** The event fires for succeeded tools only, except tools with a sign without `path`. */
  onlySuccess?: true;
}

/** The event fires for the outcome `is` only, except for payloads that show none. */
interface OutcomeUnless {
  is: Outcome;
  /** Path with a value other than false in payloads that show no outcome: of a command in the background. */
  unless: Paths;
  /** Text in each of these payloads; the shell searches for it. */
  holds: string;
}

/** Returns the outcome for which an event fires alone; undefined: its payloads show which. */
export const outcomeOfEvent = (rule: OutcomeRule | undefined): Outcome | undefined =>
  typeof rule === 'object' ? ('is' in rule ? rule.is : undefined) : rule;

/** One sign of a tool's outcome. The first sign that applies to the tool decides; without any, the tool succeeded. */
interface OutcomeSign {
  /** Names of the tools to which the sign applies; absent: every tool whose payload has a value at `path`. */
  tools?: readonly string[];
  /** Payload path of the sign; absent when nothing in the payload shows the outcome. */
  path?: Paths;
  /**
   * Regular expression (source) for the text at `path` of a failed tool, or for a flag or a number there as JSON has it;
   * absent: any value except false means failure.
   */
  failed?: string;
  /** Regular expression (source) for texts that show the outcome at all; absent: all texts do. */
  known?: string;
  /** Texts, of which every payload with this sign of failure contains at least one; the shell searches for them. */
  holds?: readonly string[];
}

/**
 * Input fields with one path each, or the field (of several, the first with a text) with a patch in the form of Codex's
 * apply_patch; `''`: the input itself is the patch.
 */
export type FileFields = { paths: readonly string[] } | { patch: Paths };

/** No payload tells how a session began, and hooks of session_start fire only when it began in this way (Cursor). */
interface AlwaysFrom {
  always: SessionSource;
}

/** Returns the ways to begin a session that conditions can ask for. */
export const sourcesTold = ({ source }: Conditions): SessionSource[] =>
  'always' in source
    ? [source.always]
    : [...new Set([...Object.values(source.words), ...Object.values(source.by ?? {})])];

/** Returns the ways to begin a session that a native event can stand for; undefined when it begins none. */
export function sourcesAt({ source }: Conditions, native: string): SessionSource[] | undefined {
  if ('always' in source) return undefined;
  if (native === source.native) return Object.values(source.words);
  const way = source.by?.[native];
  return way && [way];
}

/** Payload field of the native event `native` that tells how a session began. */
interface SourceField {
  native: string;
  path: string;
  /** The client's own word -> the word of SEP-2282 conditions. */
  words: Readonly<Record<string, SessionSource>>;
  /** Further native events that stand for one way to begin (Copilot: compaction starts no session). */
  by?: Readonly<Record<string, SessionSource>>;
}
