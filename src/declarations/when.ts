import * as z from 'zod/mini';
import { once } from '../base/once.ts';

/** How a session can begin, for `when.source`. */
export const SOURCES = ['startup', 'resume', 'clear', 'compact'] as const;
export type Source = (typeof SOURCES)[number];

const OUTCOMES = ['success', 'failure'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Names for all ways in which a client searches or edits; each client's folder says which tools those are. */
export const TOOL_KINDS = ['search', 'edit'] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** Conditions beyond SEP-2282 (contract, "Conditions beyond the SEP"): every one of them must hold. */
export interface When {
  /** Of the tool; post_tool_use. */
  outcome?: Outcome;
  /** Where a client can't tell the outcome, the text is true either way. */
  if_unknown?: 'fire';
  /** Seconds, or once a session. */
  cooldown?: number | 'session';
  /** Any of these exists in the project's root; `*` and `?` in the last segment only. */
  files?: string[];
  /** Canonical names, globs, or `any:<kind>`: any of them is the tool. */
  tools?: string[];
  /** Words of a shell command, in this order. */
  command?: string[];
  /** Globs on the file that the tool touches. */
  path?: string[];
  /** Of session_start. */
  source?: Source | Source[];
  /** Silent when one of the server's own tools was called in this session, or within so many seconds. */
  unless_called?: { tools: string[]; within?: number };
  /** Of a `context_tool`: a JSON pointer into its answer, and most characters of it. */
  answer?: { select?: string; max?: number };
  /** In a client or place that knows no `when`, the item is left out instead of firing without its conditions. */
  otherwise?: 'drop';
}

const texts = () => z.array(z.string()).check(z.minLength(1));
const count = () => z.int().check(z.minimum(1));

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

/** Keys that are allowed in `when` and in its objects, for suggestions. */
export const WHEN_KEYS = once(() => ({
  when: Object.keys(whenShape().shape),
  unless_called: ['tools', 'within'],
  answer: ['select', 'max'],
}));

/** The kind that an item of `tools` stands for; undefined: it is a name or glob. */
export function kindOf(tool: string): string | undefined {
  return /^any:(.*)$/s.exec(tool)?.[1];
}

/** The sources of a condition as a list. */
export function sourcesOf({ source }: When): readonly Source[] | undefined {
  return typeof source === 'string' ? [source] : source;
}
