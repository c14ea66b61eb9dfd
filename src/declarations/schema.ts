import * as z from 'zod';
import { EVENTS, PRIORITIES } from './types.ts';

const matcher = z.strictObject({
  tool_name: z.string().optional(),
  input_contains: z.string().optional(),
  tool_server: z.string().optional(),
});

const declaration = z.strictObject({
  event: z.enum(EVENTS),
  matcher: matcher.optional(),
  context: z.string().optional(),
  context_tool: z.string().optional(),
  context_tool_args: z.record(z.string(), z.unknown()).optional(),
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
