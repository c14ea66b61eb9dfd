import * as z from 'zod';
import { SCOPES } from '../../../clients/scopes.ts';
import { STATES } from '../../../inspect/states.ts';
import { client, finding, output } from './parts.ts';

export const listOutput = output('list', ['listed'], {
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
        findings: z.array(finding).meta({ description: 'What applies to all its clients.' }),
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
});

export const doctorOutput = output('doctor', ['well', 'ill'], {
  servers: z.array(z.string()).optional(),
  clients: z
    .array(z.looseObject({ client, path: z.string().optional(), version: z.string().optional() }))
    .meta({ description: 'Clients with installed hooks, as found on PATH.' })
    .optional(),
  findings: z.array(finding).meta({ description: 'What stops hooks from firing.' }).optional(),
  remarks: z.array(finding).meta({ description: 'Worth knowing; does not stop hooks.' }).optional(),
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
  texts: z
    .array(
      z.looseObject({
        server: z.string(),
        scope: z.enum(SCOPES),
        client,
        since: z.string().meta({ description: 'When it was installed there, ISO 8601.' }),
        last: z.string().meta({ description: 'Time of the last text; absent: none since then.' }).optional(),
      }),
    )
    .meta({ description: 'When hooks last gave a text, by the log.' })
    .optional(),
});
