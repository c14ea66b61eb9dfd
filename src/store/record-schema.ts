import * as z from 'zod/mini';
import { once } from '../base/once.ts';
import { isSlug } from '../base/slug.ts';
import { SCOPES } from '../clients/scopes.ts';

/*
 * Schemas are loose at every level, so that fields of later versions pass; only what the code relies on is checked.
 * Each schema is built at its first use: most commands need none, and building takes longer than reading the record.
 */

const Group = once(() => z.looseObject({ hooks: z.array(z.looseObject({ type: z.string() })) }));

const Entry = once(() => z.looseObject({ event: z.string(), key: z.string(), group: Group() }));

export const KeptSchema = once(() => z.extend(Entry(), { file: z.string() }));

export const ClientRecordSchema = once(() =>
  z.looseObject({
    digest: z.string(),
    since: z.string(),
    basis: z.optional(z.string()),
    fidelity: z.optional(z.array(z.string())),
    file: z.string(),
    otherFiles: z.optional(z.array(z.looseObject({ file: z.string(), entries: z.array(Entry()) }))),
    program: z.optional(z.string()),
    entries: z.array(Entry()),
    edited: z.optional(z.array(z.extend(Entry(), anyOf('file')))),
    own: z.record(z.string(), z.string()),
  }),
);

const texts = () => z.record(z.string(), z.string());

/** Optional text fields. The schema names them so that `withUnknown` drops a field that a new record leaves out. */
const anyOf = <K extends string>(...keys: K[]) =>
  Object.fromEntries(keys.map((key) => [key, z.optional(z.string())])) as Record<
    K,
    z.ZodMiniOptional<z.ZodMiniString>
  >;

const SourceSchema = once(() =>
  z.looseObject({
    scope: z.string(),
    ...anyOf('client', 'file', 'root'),
    pointer: z.optional(z.array(z.string())),
  }),
);

/**
 * Schema of a definition recorded from the command line; in a lock file, a stranger may have written the definition.
 */
const GivenSchema = once(() =>
  z.union([
    z.looseObject({
      transport: z.literal('stdio'),
      command: z.string(),
      args: z.array(z.string()),
      env: texts(),
      ...anyOf('cwd'),
      passEnv: z.optional(z.array(z.string())),
    }),
    z.looseObject({
      transport: z.enum(['http', 'sse']),
      url: z.string(),
      headers: texts(),
      envHeaders: z.optional(texts()),
      ...anyOf('bearerEnv'),
      heldBy: z.optional(z.enum(['oauth', 'helper'])),
    }),
  ]),
);

const ApprovedSchema = once(() =>
  z.looseObject({ source: SourceSchema(), hash: z.string(), shown: z.string() }),
);

const serverRecord = (options: z.ZodMiniType) =>
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
    from: z.looseObject({
      kind: z.enum(['server', 'file', 'package', 'catalogue']),
      ...anyOf('era', 'place', 'file', 'package', 'entry', 'title', 'version', 'checked', 'reviewed', 'hash'),
      // A key that is missing here would stay in the record when the hooks come from elsewhere.
      unchecked: z.optional(z.literal(true)),
      overrules: z.optional(z.literal(true)),
      project: z.optional(z.literal(true)),
      options: z.optional(z.record(z.string(), z.number())),
    }),
    definition: z.optional(ApprovedSchema()),
    otherDefinitions: z.optional(z.array(ApprovedSchema())),
    given: z.optional(GivenSchema()),
    fromClient: z.optional(z.string()),
    documentTools: z.optional(z.array(z.string())),
    ownTools: z.optional(z.array(z.string())),
    options,
    defaulted: z.optional(z.array(z.string())),
    clients: z.record(z.string(), ClientRecordSchema()),
    clientsChosen: z.optional(z.literal(true)),
    disabled: z.optional(z.boolean()),
  });

export const Memory = once(() =>
  z.looseObject({
    created: z.optional(z.literal(true)),
    // An uninstall writes this text.
    blank: z.optional(z.string().check(z.regex(/^\s*$/))),
    containers: z.record(
      z.string().check(z.regex(/^(?:\/|$)/)),
      z.union([z.looseObject({ created: z.literal(true) }), z.looseObject({ empty: z.string() })]),
    ),
  }),
);

/** Schema of the record file; missing fields at top level count as empty. */
const recordFileShape = (server: z.ZodMiniType) =>
  z.looseObject({
    schema: z.literal(1),
    servers: z.optional(z.array(server)),
    files: z.optional(z.record(z.string(), Memory())),
    kept: z.optional(z.array(KeptSchema())),
    starts: z.optional(z.record(z.string(), z.string())),
    approvals: z.optional(
      z.record(z.string(), z.record(z.string(), z.looseObject({ server: z.string(), since: z.string() }))),
    ),
    disabledIn: z.optional(z.record(z.string(), z.array(z.string()))),
    folders: z.optional(z.array(z.string())),
    check: z.optional(z.string()),
  });

/** Schemas of the record file and of one server's record. */
export interface RecordShapes {
  server: ReturnType<typeof serverRecord>;
  file: ReturnType<typeof recordFileShape>;
}

/** Builds the schemas of the record around the schema of an install's options. */
export function recordShapes(options: z.ZodMiniType): RecordShapes {
  const server = serverRecord(options);
  return { server, file: recordFileShape(server) };
}
