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

/** An item as SEP-2282 has it. */
export const itemShape = once(() => z.strictObject(fields()));

/** The same with conditions, as files, catalogue entries and our own extension may have them. */
export const itemWithWhenShape = once(() => z.strictObject({ ...fields(), when: z.optional(whenShape()) }));

/** SEP-2282, "JSON Schema". Each item is checked by `itemShape`, so that one bad item doesn't hide the others. */
export const documentShape = once(() => z.strictObject({ declarations: z.array(z.unknown()) }));

/** Keys that are allowed at each level, for suggestions. */
export const KEYS = once(() => ({
  document: Object.keys(documentShape().shape),
  declaration: Object.keys(itemShape().shape),
  withWhen: Object.keys(itemWithWhenShape().shape),
  matcher: Object.keys(matcher().shape),
  ...WHEN_KEYS(),
}));
