import * as z from 'zod';
import { itemWithWhenShape } from '../../../declarations/schema.ts';
import { client, fault, finding, hook, leftOut, output } from './parts.ts';

export const explainOutput = output('explain', ['explained'], {
  server: z.string().optional(),
  since: z.string().meta({ description: 'ISO 8601; absent where it is not installed.' }).optional(),
  elsewhere: fault
    .meta({
      description:
        "Names the scope at which it is installed, if not at the one that was asked for, or says why the project's lock file can't tell.",
    })
    .optional(),
  preview: z
    .array(client)
    .meta({ description: 'Clients without an install, shown as an install would make it.' })
    .optional(),
  findings: z
    .array(finding)
    .meta({ description: 'What stops its installed hooks or is worth knowing, as `list` finds it.' })
    .optional(),
  leftOut: leftOut.optional(),
  kept: z
    .array(finding)
    .meta({ description: 'Processes of the server that its hooks keep running.' })
    .optional(),
  hooks: z
    .array(
      z.looseObject({
        n: z.int().min(1),
        declaration: itemWithWhenShape(),
        clients: z.array(
          z.looseObject({
            client,
            ...hook.shape,
            moment: z.string().optional().meta({
              description: 'When the model reads it; absent where the client cannot carry the event.',
            }),
            steps: z.array(
              z.looseObject({
                native: z.string(),
                key: z.string().meta({ description: 'Name of the entry, and of its hook script.' }),
                does: z.string(),
                matcher: z.string().optional(),
                command: z.string().optional(),
                timeout: z.number().meta({ description: 'Seconds that the client waits.' }),
                deadline: z
                  .number()
                  .meta({ description: 'Seconds until the hook script gives up.' })
                  .optional(),
                call: z.number().meta({ description: 'Seconds for one tool call.' }).optional(),
              }),
            ),
            texts: z.array(z.string()).meta({ description: 'As the model reads it, naming lines included.' }),
            samples: z
              .record(z.string(), z.string())
              .meta({ description: 'Template variables in it, and their sample values here.' }),
            cooldown: z
              .union([z.number(), z.literal('session')])
              .meta({ description: 'Seconds, or once a session.' })
              .optional(),
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
});
