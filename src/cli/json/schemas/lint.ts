import * as z from 'zod';
import { itemWithWhenShape } from '../../../declarations/schema.ts';
import { client, hook, output } from './parts.ts';

export const lintOutput = output('lint', ['clean', 'warned'], {
  target: z.string().optional(),
  declarations: z.array(itemWithWhenShape()).optional(),
  warnings: z
    .array(
      z.looseObject({
        code: z.string(),
        n: z
          .int()
          .min(1)
          .meta({ description: 'Number of the declaration, from 1; absent: it applies to the whole list.' })
          .optional(),
        where: z.string(),
        message: z.string(),
      }),
    )
    .optional(),
  clients: z.array(z.looseObject({ client, hooks: z.array(hook) })).optional(),
});
