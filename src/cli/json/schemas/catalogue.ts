import * as z from 'zod';
import { itemWithWhenShape } from '../../../declarations/schema.ts';
import { fault, output } from './parts.ts';

export const catalogueOutput = output('catalogue', ['listed', 'shown', 'verified'], {
  entries: z
    .array(
      z.looseObject({
        id: z.string(),
        title: z.string(),
        project: z.literal(true).meta({ description: "From the project's own catalogue." }).optional(),
        match: z
          .array(z.string())
          .meta({ description: 'npm:@scope/name, pypi:name, oci:image, url:https://...' }),
        hooks: z.int(),
        version: z.string().meta({ description: 'Of the server, with which it was checked.' }),
        checked: z.enum(['server', 'docs']),
        reviewed: z.string().meta({ description: 'A day, ISO 8601.' }),
        hash: z.string().meta({ description: 'SHA-256 of its declarations: what an install pins.' }),
        tools: z.record(z.string(), z.enum(['reads', 'writes'])),
        options: z.looseObject({}).meta({ description: 'What it suggests.' }).optional(),
        withdrawn: z.looseObject({ on: z.string(), reason: z.string() }).optional(),
        declarations: z.array(itemWithWhenShape()).meta({ description: 'With show.' }).optional(),
        against: z
          .enum(['server', 'rules'])
          .meta({ description: 'With verify. rules: its server was not asked.' })
          .optional(),
        shown: z.string().meta({ description: 'With verify: how the server was reached.' }).optional(),
        faults: z.array(fault).optional(),
      }),
    )
    .optional(),
});
