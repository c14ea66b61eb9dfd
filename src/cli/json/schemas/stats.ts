import * as z from 'zod';
import { EVENTS } from '../../../declarations/types.ts';
import { output } from './parts.ts';

const sum = {
  fired: z.int().meta({
    description: 'Times that hooks matched, conditions on command, path, source and outcome included.',
  }),
  texts: z.int().meta({ description: 'Texts that they gave.' }),
  chars: z.int(),
  tokens: z.int().meta({ description: 'Estimate.' }),
  median: z.int().meta({ description: 'Milliseconds, where node ran.' }).optional(),
  p95: z.int().meta({ description: '95th percentile of milliseconds.' }).optional(),
  failures: z.int(),
};

export const statsOutput = output('stats', ['counted'], {
  since: z.string().meta({ description: 'Time of the first line that counts, ISO 8601.' }).optional(),
  all: z.looseObject(sum).optional(),
  hooks: z.array(z.looseObject({ server: z.string(), n: z.int(), event: z.enum(EVENTS), ...sum })).optional(),
  clients: z.array(z.looseObject({ client: z.string(), ...sum })).optional(),
  days: z.array(z.looseObject({ day: z.string(), ...sum })).optional(),
  advice: z
    .array(
      z.looseObject({
        code: z.string(),
        server: z.string(),
        n: z.int(),
        message: z.string(),
        command: z.string(),
      }),
    )
    .optional(),
});
