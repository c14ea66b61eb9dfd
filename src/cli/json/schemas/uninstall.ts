import * as z from 'zod';
import { client, entry, fault, file, output } from './parts.ts';

const switched = {
  server: z.string().optional(),
  unreached: z
    .array(client)
    .meta({ description: 'Clients that call tools of the server themselves, which cannot be disabled.' })
    .optional(),
};

const places = z.array(z.looseObject({ event: z.string(), line: z.int().optional() }));

export const uninstallOutput = output('uninstall', ['unchanged', 'planned', 'uninstalled'], {
  removals: z
    .array(
      z.looseObject({
        server: z
          .string()
          .optional()
          .meta({ description: 'Missing where hooks are found that no record lists.' }),
        slug: z.string(),
        forgets: z
          .array(z.enum(['approvals']))
          .optional()
          .meta({ description: 'What alone is left of the server in a project, and forgotten.' }),
        clients: z.array(
          z.looseObject({
            client,
            file: z.string(),
            entries: z.array(entry),
            kept: places.meta({
              description: 'Entries that were edited by hand and stay; they have no effect.',
            }),
            otherCommands: places.optional().meta({
              description:
                'Hooks that stay because another command than ours names the scripts, which are gone.',
            }),
            fault: fault.optional(),
          }),
        ),
        files: z.array(file),
      }),
    )
    .optional(),
});

export const disableOutput = output('disable', ['disabled', 'unchanged'], switched);

export const enableOutput = output('enable', ['enabled', 'unchanged'], switched);
