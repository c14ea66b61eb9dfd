import * as z from 'zod';
import { PRIORITIES } from '../declarations/types.ts';
import { isSlug } from './slug.ts';
import { SCOPES } from './types.ts';

/*
 * Loose at every level: fields of later versions pass. What is checked is what the code relies on.
 */

const Group = z.looseObject({ hooks: z.array(z.looseObject({ type: z.string() })) });

const ClientRecordSchema = z.looseObject({
  digest: z.string(),
  since: z.string(),
  file: z.string(),
  entries: z.array(z.looseObject({ event: z.string(), key: z.string(), group: Group })),
  own: z.record(z.string(), z.string()),
});

const Options = z.looseObject({
  only: z.array(z.string()),
  skip: z.array(z.string()),
  sessionEnd: z.enum(['skip', 'defer']),
  postRequest: z.enum(['skip', 'defer']),
  maxPriority: z.enum(PRIORITIES),
  cooldown: z.number(),
  maxText: z.number(),
  maxDeclarations: z.number(),
  hookTimeout: z.number().optional(),
  lenient: z.boolean(),
  sendToolData: z.boolean(),
  handler: z.enum(['shim', 'mcp_tool']),
  codexFile: z.enum(['toml', 'json']).optional(),
  allowInvisible: z.boolean(),
});

const ServerRecordSchema = z.looseObject({
  server: z.string(),
  slug: z.string().refine(isSlug),
  scope: z.enum(SCOPES),
  root: z.string().optional(),
  tag: z.string(),
  since: z.string(),
  declarations: z.array(z.looseObject({ event: z.string(), priority: z.string() })),
  declarationsHash: z.string(),
  serverName: z.string().optional(),
  from: z.looseObject({ kind: z.enum(['server', 'file']) }),
  definition: z
    .looseObject({ source: z.looseObject({ scope: z.string() }), hash: z.string(), shown: z.string() })
    .optional(),
  given: z.unknown().optional(),
  documentTools: z.array(z.string()).optional(),
  options: Options,
  defaulted: z.array(z.string()).optional(),
  clients: z.record(z.string(), ClientRecordSchema),
  disabled: z.boolean().optional(),
});

const Memory = z.looseObject({
  created: z.literal(true).optional(),
  blank: z.string().optional(),
  containers: z.record(z.string(), z.looseObject({})),
});

/** The record file. Fields that are missing at top level are taken as empty. */
export const RecordSchema = z.looseObject({
  schema: z.literal(1),
  servers: z.array(ServerRecordSchema).optional(),
  files: z.record(z.string(), Memory).optional(),
  starts: z.record(z.string(), z.string()).optional(),
  folders: z.array(z.string()).optional(),
});

export { ServerRecordSchema };
