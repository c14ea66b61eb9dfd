import * as z from 'zod';
import { type DocumentOf, EXIT, fault, output } from './parts.ts';
import { planOutput } from './plan.ts';

export const installOutput = output('install', ['planned', 'unchanged', 'refused', 'installed'], {
  server: z.string().optional(),
  plan: planOutput.optional(),
  firstCall: z
    .looseObject({
      runner: z.string(),
      ms: z.number().optional(),
      nextMs: z
        .number()
        .meta({ description: 'The same for the start after the one that asked for its hooks.' })
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
        plan: planOutput.optional(),
        faults: z.array(fault),
      }),
    )
    .meta({ description: 'With --frozen, instead of server and plan: all servers in the lock file.' })
    .optional(),
});

export const diffOutput = output('diff', ['current', 'changed'], {
  servers: z
    .array(
      z.looseObject({ server: z.string(), exit: EXIT, plan: planOutput.optional(), faults: z.array(fault) }),
    )
    .optional(),
});

const exportPlan = planOutput.extend({
  plugin: z.looseObject({ name: z.string(), version: z.string() }),
  out: z.string().meta({ description: 'The folder, absolute.' }),
});
export type ExportDocument = DocumentOf<typeof exportPlan>;

export const exportOutput = output('export', ['planned', 'unchanged', 'refused', 'exported'], {
  server: z.string().optional(),
  plan: exportPlan.optional(),
});
