import * as z from 'zod';
import { type DocumentOf, EXIT, fault, output } from './parts.ts';
import { plan } from './plan.ts';

export const install = output('install', ['planned', 'unchanged', 'refused', 'installed'], {
  server: z.string().optional(),
  plan: plan.optional(),
  firstCall: z
    .looseObject({
      runner: z.string(),
      ms: z.number().optional(),
      nextMs: z
        .number()
        .meta({ description: 'The same for a second start, if the first one asked for its hooks.' })
        .optional(),
      waitMs: z.number(),
      direct: z
        .looseObject({
          command: z.string(),
          args: z.array(z.string()),
          ms: z.number(),
          cached: z.boolean().meta({ description: 'The file is in the cache of npm, which may be cleared.' }),
        })
        .meta({
          description:
            'The program that the runner starts, where the runner takes more than half of the second start. Secrets are masked.',
        })
        .optional(),
    })
    .meta({
      description:
        'A package runner started the server once as its hooks will: milliseconds to its first answer, and that hooks wait. Without `ms` it is still being installed, in the background.',
    })
    .optional(),
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
    .meta({ description: 'With --frozen, instead of server and plan: all servers in the lock file.' })
    .optional(),
});

export const diff = output('diff', ['current', 'changed'], {
  servers: z
    .array(z.looseObject({ server: z.string(), exit: EXIT, plan: plan.optional(), faults: z.array(fault) }))
    .optional(),
});

const exportPlan = plan.extend({
  plugin: z.looseObject({ name: z.string(), version: z.string() }),
  out: z.string().meta({ description: 'The folder, absolute.' }),
});
export type ExportDocument = DocumentOf<typeof exportPlan>;

export const exported = output('export', ['planned', 'unchanged', 'refused', 'exported'], {
  server: z.string().optional(),
  plan: exportPlan.optional(),
});
