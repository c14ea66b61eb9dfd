import * as z from 'zod/mini';
import { once } from '../../base/once.ts';
import { PROJECT_FOLDER } from '../../base/paths.ts';
import { ClientRecordSchema, KeptSchema, Memory } from '../../store/record-schema.ts';
import { fullRecordShapes } from '../option-shapes.ts';

/** Schema of a path below a folder of the project: relative to the root, with `/`, never leading out of the folder. */
const path = (begin: string) =>
  z
    .string()
    .check(z.regex(new RegExp(`^${begin.replaceAll('.', '\\.')}(?!/)(?!(?:[^]*/)?\\.\\.?(?:/|$))[^\\\\]+$`)));

/** Own files that an uninstall may remove. Other files in the folder may be somebody else's. */
const OWN = /^[^/]+\/(?:(?:hooks|joint|runtime)\/|\.gitattributes$)/;

/** Name of one folder, which leads nowhere else. */
const FOLDER_NAME = /^(?!\.{1,2}$)[^/\\]+$/;

/** Fields that each machine has of its own; a lock file doesn't hold them. */
const OF_A_MACHINE = { slug: true, scope: true, root: true, tag: true, since: true } as const;

const LockedClient = once(() =>
  z.extend(z.omit(ClientRecordSchema(), { since: true }), {
    file: path(''),
    // A project has one folder for each client.
    otherFiles: z.optional(z.never()),
    own: z.record(path(`${PROJECT_FOLDER}/`).check(z.regex(OWN)), z.string()),
  }),
);

/** Fields of hooks that the server didn't declare itself. */
const Pinned = { hash: z.string(), unchecked: z.optional(z.literal(true)) };

/** Schema of a server's record, restricted to what a stranger's file may contain. */
const LockedServer = once(() =>
  z.extend(z.omit(fullRecordShapes().server, { ...OF_A_MACHINE, defaulted: true, disabled: true }), {
    /** Version of mcphooks that wrote its scripts, where it is another one. */
    mcphooks: z.optional(z.string()),
    declarations: z.array(z.unknown()),
    from: z.union([
      z.strictObject({ kind: z.literal('server'), era: z.string(), place: z.string() }),
      z.strictObject({
        kind: z.literal('file'),
        file: path(''),
        unchecked: z.optional(z.literal(true)),
        overrules: z.optional(z.literal(true)),
      }),
      z.strictObject({
        kind: z.literal('package'),
        package: z.string(),
        version: z.optional(z.string()),
        ...Pinned,
      }),
      z.strictObject({
        kind: z.literal('catalogue'),
        entry: z.string().check(z.regex(FOLDER_NAME)),
        title: z.string(),
        project: z.optional(z.literal(true)),
        version: z.string(),
        checked: z.enum(['server', 'docs']),
        reviewed: z.string(),
        options: z.optional(z.record(z.string(), z.number())),
        ...Pinned,
      }),
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
    /** May contain clients of later versions: their records stay. */
    clients: z.record(z.string(), LockedClient()),
  }),
);

/** Schema of `mcphooks.lock.json`: the installs of a project, for everybody who has the project. */
export const LockSchema = once(() =>
  z.looseObject({
    lockfileVersion: z.literal(1),
    /** Version of mcphooks that wrote the runtime, and the scripts of servers that name no other. */
    mcphooks: z.string(),
    servers: z.array(LockedServer()),
    files: z.record(path(''), Memory()),
    kept: z.optional(z.array(z.extend(KeptSchema(), { file: path('') }))),
  }),
);
