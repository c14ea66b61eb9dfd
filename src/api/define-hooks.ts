import { deeperThan, isObject } from '../base/json-value.ts';
import { parseDeclarations } from '../declarations/parse.ts';
import { inDocument, type Path } from '../declarations/path.ts';
import { MAX_ARGS_DEPTH } from '../declarations/rules.ts';
import { type Declaration, EVENTS, type HookEvent, type Priority } from '../declarations/types.ts';
import type { When } from '../declarations/when.ts';
import { withoutWhen } from '../declarations/without-when.ts';
import { Fault, Faults } from '../messages/fault.ts';
import { OWN_EXTENSION } from '../servers/mcp/announce.ts';
import { inWords } from './in-words.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
/** JSON, also as a constant (`as const`). */
type ConstantJson =
  | string
  | number
  | boolean
  | null
  | readonly ConstantJson[]
  | { readonly [key: string]: ConstantJson };
type Always = { priority: Priority; when?: When };
type Content =
  | { context: string; context_tool?: never; context_tool_args?: never }
  | { context?: never; context_tool: string; context_tool_args?: { readonly [key: string]: ConstantJson } };
type EventMatcher =
  | {
      event: Extract<HookEvent, `${string}_tool_use`>;
      matcher?: { tool_name?: string; input_contains?: string; tool_server?: string };
    }
  | { event: Exclude<HookEvent, `${string}_tool_use`>; matcher?: never };

/** One declaration as an author writes it. The type also excludes what SEP-2282 forbids only in prose. */
export type Hook = Always & Content & EventMatcher;

/** A server's validated declarations, including conditions (`when`). */
export interface HooksDocument {
  declarations: Declaration[];
}

/**
 * Validates declarations. Throws one `Faults` whose message lists all errors, each with its path, and a TypeError for
 * anything but a list.
 */
export const defineHooks: (hooks: readonly Hook[]) => HooksDocument = inWords((hooks) => {
  if (!Array.isArray(hooks)) throw new TypeError('defineHooks takes a list of hooks');
  return checked({ declarations: hooks });
});

/** Validates a document of unknown shape. Throws `Faults`. */
export function checked(document: unknown): HooksDocument {
  const faults = deeperThan(document, MAX_ARGS_DEPTH + 4) ? [] : notJson(document, []);
  if (faults.length > 0) throw new Faults(faults);
  const limits = { lenient: false, allowInvisible: 'never', when: true } as const;
  return { declarations: parseDeclarations(document, limits).declarations };
}

/** Returns a Fault for each value that JSON would refuse or change, such as a date or a function. */
function notJson(value: unknown, path: Path): Fault[] {
  if (Array.isArray(value))
    return value.flatMap((one, i) =>
      one === undefined ? [lost(one, [...path, i])] : notJson(one, [...path, i]),
    );
  if (isObject(value) && typeof value.toJSON !== 'function')
    return Object.entries(value).flatMap(([key, one]) => notJson(one, [...path, key]));
  const fits = ['string', 'boolean', 'undefined'].includes(typeof value) || value === null;
  return fits || Number.isFinite(value) ? [] : [lost(value, path)];
}

const lost = (value: unknown, path: Path): Fault => {
  const got = typeof value;
  const shown = got === 'object' || got === 'function' ? '…' : String(value);
  return new Fault('decl.type', { expected: ['json'], got, value: shown }, inDocument(path));
};

/** A list of hooks at one place of a server's `capabilities`, in a type that all SDKs accept as JSON. */
type HooksAtPlace = { declarations: { [key: string]: Json }[] };

/** Hooks for a server's `capabilities`, in the form of each of the three places. */
export interface HooksCapabilities {
  hooks: HooksAtPlace;
  experimental: { hooks: HooksAtPlace };
  extensions: Record<typeof OWN_EXTENSION, HooksAtPlace>;
}

/**
 * Returns the hooks of the given events for a server's capabilities; for servers that `withHooks` doesn't support.
 * `when` is only in our own extension, since SEP-2282 has no such key. Throws a TypeError for another value than
 * `defineHooks` returns.
 */
export function hooksCapabilities(
  document: HooksDocument,
  events: readonly string[] = EVENTS,
): HooksCapabilities {
  if (!Array.isArray(document?.declarations))
    throw new TypeError('hooksCapabilities takes what defineHooks returns');
  const wanted = document.declarations.filter(({ event }) => events.includes(event));
  const own = { declarations: wanted } as unknown as HooksAtPlace;
  const hooks = withoutWhen(own) as HooksAtPlace;
  return { hooks, experimental: { hooks }, extensions: { [OWN_EXTENSION]: own } };
}
