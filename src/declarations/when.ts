import * as z from 'zod/mini';
import { once } from '../base/once.ts';
import { wholeNumber } from '../base/whole-number.ts';

/** Ways in which a session can begin, for `when.source`. */
const SOURCES = ['startup', 'resume', 'clear', 'compact'] as const;
export type SessionSource = (typeof SOURCES)[number];

const OUTCOMES = ['success', 'failure'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Kinds of tools; each client's folder lists its tools of a kind. */
export const TOOL_KINDS = ['search', 'edit'] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** Conditions beyond SEP-2282; all of them must hold. */
export interface When {
  /** Outcome of the tool; post_tool_use only. */
  outcome?: Outcome;
  /** Set when the text is true for either outcome, for clients that don't show the outcome. */
  if_unknown?: 'fire';
  /** Seconds between two texts, or once per session. */
  cooldown?: number | 'session';
  /** At least one of these exists in the project's root; `*` and `?` in the last segment only. */
  files?: readonly string[];
  /** Canonical names, globs, or `any:<kind>`, of which one matches the tool. */
  tools?: readonly string[];
  /** Words of a shell command, in this order. */
  command?: readonly string[];
  /** Globs on the file that the tool touches. */
  path?: readonly string[];
  /** Ways in which the session began; session_start only. */
  source?: SessionSource | readonly SessionSource[];
  /** Silent when one of these tools of the server was called in this session, or within so many seconds. */
  unless_called?: { tools: readonly string[]; within?: number };
  /** For a `context_tool`: a JSON pointer into its answer, and the most characters taken from there. */
  answer?: { select?: string; max?: number };
  /** Leaves the item out, instead of firing unconditionally, where `when` isn't supported. */
  otherwise?: 'drop';
}

const texts = () => z.array(z.string()).check(z.minLength(1));
const count = () => wholeNumber(1);

/** @internal Its type names zod, which users of the library need not have. */
export const whenShape = once(() =>
  z.strictObject({
    outcome: z.optional(z.enum(OUTCOMES)),
    if_unknown: z.optional(z.enum(['fire'])),
    cooldown: z.optional(z.union([count(), z.enum(['session'])])),
    files: z.optional(texts()),
    tools: z.optional(texts()),
    command: z.optional(texts()),
    path: z.optional(texts()),
    source: z.optional(z.union([z.enum(SOURCES), z.array(z.enum(SOURCES)).check(z.minLength(1))])),
    unless_called: z.optional(z.strictObject({ tools: texts(), within: z.optional(count()) })),
    answer: z.optional(z.strictObject({ select: z.optional(z.string()), max: z.optional(count()) })),
    otherwise: z.optional(z.enum(['drop'])),
  }),
);

/** Allowed keys in `when` and its objects, for suggestions. */
export const WHEN_KEYS = once(() => ({
  when: Object.keys(whenShape().shape),
  unless_called: ['tools', 'within'],
  answer: ['select', 'max'],
}));

/** Returns the kind in an item of `tools`; undefined for a name or glob. */
export function kindOf(tool: string): string | undefined {
  return /^any:(.*)$/s.exec(tool)?.[1];
}

/** Returns the conditions that decide whether a hook fires on a tool call, as `when.files`. */
export function conditionsOf({ if_unknown, answer, otherwise, ...conditions }: When): string[] {
  return Object.keys(conditions).map((key) => `when.${key}`);
}
