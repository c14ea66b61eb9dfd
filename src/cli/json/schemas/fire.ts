import * as z from 'zod';
import { client, output } from './parts.ts';

/** Reason why a hook gave no text, or a shorter one. */
const answer = z.looseObject({
  code: z.string().meta({ description: 'Stable; the message is not.' }),
  n: z
    .int()
    .min(1)
    .meta({ description: 'Number of the declaration; absent: it applies to all hooks.' })
    .optional(),
  message: z.string(),
});

export const fireOutput = output('fire', ['fired'], {
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
            text: z.string().meta({ description: 'What the model would read; absent: nothing.' }).optional(),
            why: z
              .array(answer)
              .meta({ description: 'Why each hook that gave no text, or a shorter one, did so.' }),
          }),
        ),
        why: z.array(answer).meta({ description: 'The same for hooks for which nothing is installed.' }),
        stops: z
          .array(z.string())
          .meta({ description: 'Why the client itself does not run the hooks now, though they ran here.' })
          .optional(),
      }),
    )
    .optional(),
});
