import * as z from 'zod';
import { CLIENT_IDS } from '../../../clients/client.ts';
import { SCOPES } from '../../../clients/scopes.ts';

/*
 * Parts of the --json documents. Schemas are loose: later versions of format 1 may add fields, but never change or
 * remove a field.
 */

/** Type for making a value of a schema, without the fields that may be added later. */
export type DocumentOf<S extends z.ZodType> = Known<z.infer<S>>;
type Known<T> = T extends readonly (infer Item)[]
  ? readonly Known<Item>[]
  : T extends object
    ? { [K in keyof T as string extends K ? never : K]: Known<T[K]> }
    : T;

export const client = z.enum(CLIENT_IDS);
export const fault = z.looseObject({
  code: z.string().meta({ description: 'Stable; the message is not.' }),
  where: z.string().meta({ description: 'file:line:column, a path in a JSON document, or both.' }).optional(),
  message: z.string(),
});
export type FaultDocument = DocumentOf<typeof fault>;
export const remark = z.looseObject({ code: z.string(), message: z.string() });

/** Outcome of one declaration on one client. */
export const hook = z.looseObject({
  n: z.int().min(1).meta({ description: 'Number of the declaration, from 1.' }),
  fidelity: z.enum(['native', 'late', 'deferred', 'unsupported', 'skipped']),
  natives: z.array(z.string()).meta({ description: "The client's own events that carry it." }),
  matcher: z
    .string()
    .meta({ description: "The client's own matcher; absent: every tool, or no tool event." })
    .optional(),
  notes: z.array(remark).meta({ description: 'Why it is less than native, and other remarks.' }),
});
export type HookOutcomeDocument = DocumentOf<typeof hook>;
export type RemarkDocument = DocumentOf<typeof remark>;

export const entry = z.looseObject({
  event: z.string(),
  key: z.string(),
  kind: z.enum(['added', 'replaced', 'removed', 'unchanged', 'kept-edited']),
  stays: z
    .array(z.string())
    .meta({ description: 'Of a replaced entry: its members that were edited by hand, and stay as they are.' })
    .optional(),
});
export const file = z.looseObject({ path: z.string(), change: z.enum(['create', 'update', 'remove']) });

export const EXIT = z
  .union([0, 1, 2, 3, 4].map((code) => z.literal(code)))
  .meta({ description: 'The exit code of the command.' });

export const finding = z.looseObject({
  code: z.string().meta({ description: 'Stable; the message is not.' }),
  server: z.string().optional(),
  scope: z.enum(SCOPES).meta({ description: "Absent: the user's own, or no install's." }).optional(),
  client: client.optional(),
  where: z.string().optional(),
  message: z.string(),
  fix: z.string().meta({ description: 'The one command or step that fixes it.' }).optional(),
});
export type FindingDocument = DocumentOf<typeof finding>;

export const leftOut = z
  .array(fault)
  .meta({ description: 'Why declarations are left out: beyond a limit, or by --lenient.' });

/** Fields at the start of every document. `failed` documents may lack the others. */
export function output<S extends string, F extends z.ZodRawShape>(
  command: string,
  statuses: readonly S[],
  fields: F,
) {
  return z
    .looseObject({
      version: z.literal(1),
      command: z.literal(command),
      status: z.enum(['failed', ...statuses]),
      exit: EXIT,
      faults: z.array(fault),
      ...fields,
    })
    .meta({ title: `mcphooks ${command} --json` });
}
