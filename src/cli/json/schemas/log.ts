import * as z from 'zod';
import { EVENTS } from '../../../declarations/types.ts';
import { output } from './parts.ts';

const logLine = z
  .looseObject({
    version: z.literal(1),
    command: z.literal('log'),
    at: z.string().meta({ description: 'ISO 8601, in UTC.' }),
    server: z.string().optional(),
    client: z.string().optional(),
    native: z.string().meta({ description: "The client's own event." }).optional(),
    n: z.int().meta({ description: 'Number of the declaration, from 1.' }).optional(),
    event: z.enum(EVENTS).optional(),
    fidelity: z.enum(['native', 'late', 'deferred', 'unsupported']).optional(),
    session: z.string().optional(),
    project: z
      .string()
      .meta({
        description:
          "Absolute path of the project's root; where node didn't run, of the folder in which the client was started.",
      })
      .optional(),
    chars: z.int().meta({ description: 'Of a text that was given, naming lines included.' }).optional(),
    tokens: z.int().meta({ description: "Estimate: a quarter of the text's bytes." }).optional(),
    ms: z.int().meta({ description: 'Milliseconds, where node ran.' }).optional(),
    silence: z.string().meta({ description: 'Why a hook that matched gave no text.' }).optional(),
    incident: z.string().meta({ description: 'What went wrong.' }).optional(),
    detail: z.string().optional(),
    text: z.string().meta({ description: 'From the log, or from the declaration.' }).optional(),
    try: z.literal(true).meta({ description: 'Run by mcphooks fire.' }).optional(),
  })
  .meta({ title: 'A line of the log' });

/** One line of `mcphooks log --json`. A command that fails prints no other. */
export const logDocument = z
  .union([logLine, output('log', [], {}).meta({ title: 'A failure' })])
  .meta({ title: 'A line of mcphooks log --json' });
