import * as z from 'zod';
import { SCOPES } from '../apply/types.ts';
import { CLIENT_IDS } from '../clients/types.ts';
import { itemShape } from '../declarations/schema.ts';
import { STATES } from '../plan/states.ts';

/*
 * The --json documents. Loose: later versions of format 1 may add fields, and never change or remove one.
 */

const client = z.enum(CLIENT_IDS);
const fault = z.looseObject({
  code: z.string().meta({ description: 'Stable; the message is not.' }),
  where: z.string().meta({ description: 'file:line:column, a path in a JSON document, or both.' }).optional(),
  message: z.string(),
});
const remark = z.looseObject({ code: z.string(), message: z.string() });

/** How one declaration comes out on one client. */
const hook = z.looseObject({
  n: z.int().min(1).meta({ description: 'Number of the declaration, from 1.' }),
  fidelity: z.enum(['native', 'late', 'deferred', 'unsupported', 'skipped']),
  natives: z.array(z.string()).meta({ description: "The client's own events that carry it." }),
  matcher: z
    .string()
    .meta({ description: "The client's own matcher; absent: every tool, or no tool event." })
    .optional(),
  notes: z.array(remark).meta({ description: 'Why it is less than native, and what else to know.' }),
});

/** Why a hook gave no text. */
const answer = z.looseObject({
  code: z.string().meta({ description: 'Stable; the message is not.' }),
  n: z
    .int()
    .min(1)
    .meta({ description: 'Number of the declaration; absent: it holds for all hooks.' })
    .optional(),
  message: z.string(),
});

const entry = z.looseObject({
  event: z.string(),
  key: z.string(),
  kind: z.enum(['added', 'replaced', 'removed', 'unchanged', 'kept-edited']),
});
const file = z.looseObject({ path: z.string(), change: z.enum(['create', 'update', 'remove']) });

const plan = z.looseObject({
  server: z.string(),
  scope: z.enum(SCOPES).optional(),
  root: z.string().meta({ description: "The project's folder; absent: the user's own install." }).optional(),
  declarations: z.array(itemShape()),
  changed: z
    .array(z.enum(['declarations', 'definition', 'options']))
    .meta({ description: 'What differs from what was approved.' }),
  disabled: z.literal(true).meta({ description: 'It was silenced, and stays so.' }).optional(),
  approved: z
    .looseObject({
      declarations: z.array(z.unknown()),
      options: z.looseObject({}),
      server: z.string().optional(),
    })
    .optional(),
  clients: z.array(
    z.looseObject({
      client,
      covered: z
        .looseObject({ by: z.enum([...SCOPES, 'plugin', 'extension']), where: z.string() })
        .meta({
          description: 'What gives the same hooks already; nothing is installed for this client then.',
        })
        .optional(),
      hooks: z.array(hook),
      file: z.string().optional(),
      plugin: z
        .string()
        .meta({ description: 'Folder of a plugin that the client loads by itself and that holds all of it.' })
        .optional(),
      entries: z.array(entry),
      left: z
        .array(z.looseObject({ file: z.string(), entries: z.array(entry) }))
        .meta({ description: 'Files that the entries leave.' })
        .optional(),
      drift: z
        .array(z.string())
        .meta({ description: 'Own files that are missing or were altered since they were written.' }),
      diff: z.array(z.string()).meta({ description: 'Lines, each with its sign.' }).optional(),
      notes: z.array(remark).meta({ description: 'What else to know of this client or its file.' }),
      nextSteps: z.array(remark),
      fault: fault.optional(),
    }),
  ),
  leftovers: z
    .array(z.string())
    .meta({ description: "Files in a project's folder of ours that belong to nothing any more." })
    .optional(),
  files: z.array(file),
});

const EXIT = z
  .union([0, 1, 2, 3, 4].map((code) => z.literal(code)))
  .meta({ description: 'The exit code of the command.' });

const finding = z.looseObject({
  code: z.string().meta({ description: 'Stable; the message is not.' }),
  server: z.string().optional(),
  scope: z.enum(SCOPES).meta({ description: "Absent: the user's own, or no install's." }).optional(),
  client: client.optional(),
  where: z.string().optional(),
  message: z.string(),
  fix: z.string().meta({ description: 'The one command or step that mends it.' }).optional(),
});

/** What every document begins with. `failed` may come without the rest. */
function output<S extends string, F extends z.ZodRawShape>(
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

const switched = {
  server: z.string().optional(),
  unreached: z
    .array(client)
    .meta({ description: 'Clients that call tools of the server themselves, where nothing can be silenced.' })
    .optional(),
};

/** By the name of the command. A command with --json adds its line here. */
export const OUTPUTS = {
  install: output('install', ['planned', 'unchanged', 'refused', 'installed'], {
    server: z.string().optional(),
    plan: plan.optional(),
    servers: z
      .array(
        z.looseObject({
          server: z.string(),
          status: z.string(),
          exit: EXIT,
          plan: plan.optional(),
          faults: z.array(fault),
        }),
      )
      .meta({ description: 'With --frozen, instead of server and plan: all of the lock file.' })
      .optional(),
  }),
  export: output('export', ['planned', 'unchanged', 'refused', 'exported'], {
    server: z.string().optional(),
    plan: plan
      .extend({
        plugin: z.looseObject({ name: z.string(), version: z.string() }),
        out: z.string().meta({ description: 'The folder, absolute.' }),
      })
      .optional(),
  }),
  diff: output('diff', ['current', 'changed'], {
    servers: z
      .array(z.looseObject({ server: z.string(), exit: EXIT, plan: plan.optional(), faults: z.array(fault) }))
      .optional(),
  }),
  list: output('list', ['listed'], {
    servers: z
      .array(
        z.looseObject({
          server: z.string(),
          scope: z.enum(SCOPES),
          root: z
            .string()
            .meta({ description: "The project's folder; absent: the user's own install." })
            .optional(),
          since: z.string().meta({ description: 'ISO 8601; absent where no record tells.' }).optional(),
          findings: z.array(finding).meta({ description: 'What holds on all its clients.' }),
          clients: z.array(
            z.looseObject({
              client,
              state: z.enum(STATES),
              since: z.string().optional(),
              file: z.string(),
              findings: z.array(finding),
            }),
          ),
        }),
      )
      .optional(),
  }),
  explain: output('explain', ['explained'], {
    server: z.string().optional(),
    since: z.string().meta({ description: 'ISO 8601; absent where it is not installed.' }).optional(),
    hooks: z
      .array(
        z.looseObject({
          n: z.int().min(1),
          declaration: itemShape(),
          samples: z
            .record(z.string(), z.string())
            .meta({ description: 'Template variables in it, and the values that stand for them here.' }),
          clients: z.array(
            z.looseObject({
              client,
              ...hook.shape,
              moment: z.string().meta({ description: 'When the model reads it.' }),
              steps: z.array(
                z.looseObject({
                  native: z.string(),
                  key: z.string().meta({ description: 'Name of the entry, and of its shim.' }),
                  does: z.string(),
                  matcher: z.string().optional(),
                  command: z.string().optional(),
                  timeout: z.number().meta({ description: 'Seconds that the client grants.' }),
                  deadline: z.number().meta({ description: 'Seconds until the shim gives up.' }).optional(),
                  call: z.number().meta({ description: 'Seconds for one call of a tool.' }).optional(),
                }),
              ),
              texts: z
                .array(z.string())
                .meta({ description: 'As the model reads it, naming lines included.' }),
              cooldown: z.number().meta({ description: 'Seconds.' }).optional(),
            }),
          ),
        }),
      )
      .optional(),
    limits: z
      .array(
        z.looseObject({
          client,
          unit: z.string(),
          handler: z.number().optional(),
          event: z.number(),
          session: z.number(),
        }),
      )
      .optional(),
  }),
  doctor: output('doctor', ['well', 'ill'], {
    servers: z.array(z.string()).optional(),
    clients: z
      .array(z.looseObject({ client, path: z.string().optional(), version: z.string().optional() }))
      .meta({ description: 'Those for which anything is installed, as PATH has them.' })
      .optional(),
    findings: z.array(finding).meta({ description: 'What stops hooks from firing.' }).optional(),
    remarks: z.array(finding).meta({ description: 'Worth knowing, and stops nothing.' }).optional(),
    log: z
      .array(
        z.looseObject({
          at: z.string().meta({ description: 'ISO 8601.' }),
          incident: z.string(),
          server: z.string().optional(),
          client: z.string().optional(),
          native: z.string().optional(),
          n: z.int().optional(),
          detail: z.string().optional(),
        }),
      )
      .meta({ description: 'The last lines of the log of fires, oldest first.' })
      .optional(),
  }),
  disable: output('disable', ['disabled', 'unchanged'], switched),
  enable: output('enable', ['enabled', 'unchanged'], switched),
  uninstall: output('uninstall', ['unchanged', 'planned', 'uninstalled'], {
    removals: z
      .array(
        z.looseObject({
          slug: z.string(),
          clients: z.array(
            z.looseObject({
              client,
              file: z.string(),
              entries: z.array(entry),
              kept: z
                .array(z.looseObject({ event: z.string(), line: z.int().optional() }))
                .meta({ description: 'Entries that were edited by hand, and stay; they run nothing.' }),
              fault: fault.optional(),
            }),
          ),
          files: z.array(file),
        }),
      )
      .optional(),
  }),
  fire: output('fire', ['fired'], {
    server: z.string().optional(),
    event: z.string().optional(),
    clients: z
      .array(
        z.looseObject({
          client,
          firings: z.array(
            z.looseObject({
              native: z.string(),
              shim: z.string(),
              ms: z.number(),
              code: z.int().nullable(),
              text: z
                .string()
                .meta({ description: 'What the model would read; absent: nothing.' })
                .optional(),
              why: z.array(answer).meta({ description: 'Of each hook that gave no text.' }),
            }),
          ),
          why: z.array(answer).meta({ description: 'Of hooks for which nothing is installed.' }),
        }),
      )
      .optional(),
  }),
  lint: output('lint', ['clean', 'warned'], {
    target: z.string().optional(),
    declarations: z.array(itemShape()).optional(),
    warnings: z
      .array(z.looseObject({ code: z.string(), n: z.int().min(1), where: z.string(), message: z.string() }))
      .optional(),
    clients: z.array(z.looseObject({ client, hooks: z.array(hook) })).optional(),
  }),
} as const;
