import * as z from 'zod/mini';
import { PRIORITIES } from '../declarations/types.ts';
import { once } from '../once.ts';
import { isSlug } from './slug.ts';
import { SCOPES, TARGETS } from './types.ts';

/*
 * Loose at every level: fields of later versions pass. What is checked is what the code relies on. Each is built when
 * it is first used: most commands need none, and building them takes longer than reading the record.
 */

const Group = once(() => z.looseObject({ hooks: z.array(z.looseObject({ type: z.string() })) }));

export const ClientRecordSchema = once(() =>
  z.looseObject({
    digest: z.string(),
    since: z.string(),
    basis: z.optional(z.string()),
    fidelity: z.optional(z.array(z.string())),
    file: z.string(),
    entries: z.array(z.looseObject({ event: z.string(), key: z.string(), group: Group() })),
    own: z.record(z.string(), z.string()),
  }),
);

export const OptionsSchema = once(() =>
  z.looseObject({
    only: z.array(z.string()),
    skip: z.array(z.string()),
    sessionEnd: z.enum(['skip', 'defer']),
    postRequest: z.enum(['skip', 'defer']),
    maxPriority: z.enum(PRIORITIES),
    cooldown: z.number(),
    maxText: z.number(),
    maxDeclarations: z.number(),
    hookTimeout: z.optional(z.number()),
    lenient: z.boolean(),
    sendToolData: z.boolean(),
    handler: z.enum(['shim', 'mcp_tool']),
    codexFile: z.optional(z.enum(['toml', 'json'])),
    target: z.optional(z.enum(TARGETS)),
    allowInvisible: z.boolean(),
  }),
);

const ServerRecordSchema = once(() =>
  z.looseObject({
    server: z.string(),
    slug: z.string().check(z.refine(isSlug)),
    scope: z.enum(SCOPES),
    root: z.optional(z.string()),
    tag: z.string(),
    since: z.string(),
    declarations: z.array(z.looseObject({ event: z.string(), priority: z.string() })),
    declarationsHash: z.string(),
    serverName: z.optional(z.string()),
    from: z.looseObject({ kind: z.enum(['server', 'file']) }),
    definition: z.optional(
      z.looseObject({ source: z.looseObject({ scope: z.string() }), hash: z.string(), shown: z.string() }),
    ),
    given: z.optional(z.unknown()),
    fromClient: z.optional(z.string()),
    documentTools: z.optional(z.array(z.string())),
    options: OptionsSchema(),
    defaulted: z.optional(z.array(z.string())),
    clients: z.record(z.string(), ClientRecordSchema()),
    disabled: z.optional(z.boolean()),
  }),
);

export const Memory = once(() =>
  z.looseObject({
    created: z.optional(z.literal(true)),
    blank: z.optional(z.string()),
    containers: z.record(z.string(), z.looseObject({})),
  }),
);

/** The record file. Fields that are missing at top level are taken as empty. */
export const RecordSchema = once(() =>
  z.looseObject({
    schema: z.literal(1),
    servers: z.optional(z.array(ServerRecordSchema())),
    files: z.optional(z.record(z.string(), Memory())),
    starts: z.optional(z.record(z.string(), z.string())),
    folders: z.optional(z.array(z.string())),
    check: z.optional(z.string()),
  }),
);

export { ServerRecordSchema };
