import * as z from 'zod/mini';
import { EVENTS, PRIORITIES } from './types.ts';

const matcher = z.strictObject({
  tool_name: z.optional(z.string()),
  input_contains: z.optional(z.string()),
  tool_server: z.optional(z.string()),
});

const declaration = z.strictObject({
  event: z.enum(EVENTS),
  matcher: z.optional(matcher),
  context: z.optional(z.string()),
  context_tool: z.optional(z.string()),
  context_tool_args: z.optional(z.record(z.string(), z.unknown())),
  priority: z.enum(PRIORITIES),
});

/** SEP-2282, "JSON Schema". Each item is checked by `itemShape`, so that one bad item doesn't hide the others. */
export const documentShape = z.strictObject({ declarations: z.array(z.unknown()) });
export const itemShape = declaration;

/** Keys that are allowed at each level, for suggestions. */
export const KEYS = {
  document: Object.keys(documentShape.shape),
  declaration: Object.keys(declaration.shape),
  matcher: Object.keys(matcher.shape),
} as const;
