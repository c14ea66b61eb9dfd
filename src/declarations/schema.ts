import * as z from 'zod/mini';
import { once } from '../base/once.ts';
import { EVENTS, PRIORITIES } from './types.ts';
import { WHEN_KEYS, whenShape } from './when.ts';

const matcher = once(() =>
  z.strictObject({
    tool_name: z.optional(z.string()),
    input_contains: z.optional(z.string()),
    tool_server: z.optional(z.string()),
  }),
);

const fields = () => ({
  event: z.enum(EVENTS),
  matcher: z.optional(matcher()),
  context: z.optional(z.string()),
  context_tool: z.optional(z.string()),
  context_tool_args: z.optional(z.record(z.string(), z.unknown())),
  priority: z.enum(PRIORITIES),
});

/** Shape of an item in SEP-2282. */
export const itemShape = once(() => z.strictObject(fields()));

/** Shape of an item with conditions, for files, catalogue entries and our own extension. */
export const itemWithWhenShape = once(() => z.strictObject({ ...fields(), when: z.optional(whenShape()) }));

/**
 * SEP-2282, "JSON Schema". `itemShape` checks each item separately, so that one invalid item doesn't hide the errors of
 * others.
 */
export const documentShape = once(() => z.strictObject({ declarations: z.array(z.unknown()) }));

/** Allowed keys at each level, for suggestions. */
export const KEYS = once(() => ({
  document: Object.keys(documentShape().shape),
  declaration: Object.keys(itemShape().shape),
  withWhen: Object.keys(itemWithWhenShape().shape),
  matcher: Object.keys(matcher().shape),
  ...WHEN_KEYS(),
}));
