import * as z from 'zod/mini';
import { once } from '../../base/once.ts';
import { PROJECT_FOLDER } from '../../shims/command.ts';
import { ClientRecordSchema, Memory } from '../../store/record-schema.ts';
import { RecordShapes } from '../option-shapes.ts';

/** A path of the project: relative to its root, with `/`, never out of it. */
const path = (begin: string) =>
  z.string().check(z.regex(/^(?!\/)(?!(?:.*\/)?\.\.?(?:\/|$))[^\\]+$/), z.startsWith(begin));

/** What may be removed with an install: not all that somebody may have put beside it. */
const OWN = /^[^/]+\/(?:(?:hooks|runtime)\/|\.gitattributes$)/;

/** What each machine has of its own, and a lock file doesn't hold. */
const OF_A_MACHINE = { slug: true, scope: true, root: true, tag: true, since: true } as const;

const LockedClient = once(() =>
  z.extend(z.omit(ClientRecordSchema(), { since: true }), {
    file: path(''),
    own: z.record(path(`${PROJECT_FOLDER}/`).check(z.regex(OWN)), z.string()),
  }),
);

/** A server of the record, narrowed to what a file from a stranger may say. */
const LockedServer = once(() =>
  z.extend(z.omit(RecordShapes().server, { ...OF_A_MACHINE, defaulted: true, disabled: true }), {
    declarations: z.array(z.unknown()),
    from: z.union([
      z.strictObject({ kind: z.literal('server'), era: z.string(), place: z.string() }),
      z.strictObject({ kind: z.literal('file'), file: path(''), unchecked: z.optional(z.literal(true)) }),
    ]),
    definition: z.optional(
      z.strictObject({
        shown: z.string(),
        hash: z.string(),
        source: z.union([
          z.strictObject({ scope: z.literal('command-line') }),
          z.strictObject({
            scope: z.literal('project'),
            client: z.string(),
            file: path(''),
            pointer: z.array(z.string()),
          }),
        ]),
      }),
    ),
    fromClient: z.optional(z.string()),
    /** A later version may know further clients: what it wrote for them stays. */
    clients: z.record(z.string(), LockedClient()),
  }),
);

/** `mcphooks.lock.json`: what a project has installed, for all who have the project. */
export const LockSchema = once(() =>
  z.looseObject({
    lockfileVersion: z.literal(1),
    /** The version that wrote shims and runtime. */
    mcphooks: z.string(),
    servers: z.array(LockedServer()),
    files: z.record(path(''), Memory()),
  }),
);
