import * as z from 'zod';
import { SCAN_STATES } from '../../../app/scan-states.ts';
import { client, fault, output } from './parts.ts';

export const scanOutput = output('scan', ['scanned'], {
  servers: z
    .array(
      z.looseObject({
        alias: z.string(),
        clients: z.array(client),
        identity: z.array(z.string()).meta({
          description:
            'What it is, whatever its name: npm:@scope/name, pypi:name, oci:image, url:https://...',
        }),
        state: z.enum(SCAN_STATES).meta({
          description:
            'Whether it declares hooks itself, its package or the catalogue has some, there are none, or nothing is known.',
        }),
        hooks: z.int().meta({ description: 'How many, declared or offered.' }).optional(),
        entry: z.string().meta({ description: 'The catalogue entry for it.' }).optional(),
        installed: z.boolean().meta({ description: 'Hooks from a server of this name are installed here.' }),
        fault: fault.meta({ description: 'Why it could not be reached, or its hooks not read.' }).optional(),
      }),
    )
    .optional(),
});
