import * as z from 'zod';
import { SCOPES } from '../../../clients/scopes.ts';
import { itemWithWhenShape } from '../../../declarations/schema.ts';
import { client, type DocumentOf, entry, fault, file, hook, leftOut, remark } from './parts.ts';

export const planOutput = z.looseObject({
  server: z.string(),
  scope: z.enum(SCOPES).optional(),
  root: z.string().meta({ description: "The project's folder; absent: the user's own install." }).optional(),
  declarations: z.array(itemWithWhenShape()),
  from: z
    .looseObject({
      kind: z.enum(['server', 'file', 'package', 'catalogue']),
      era: z.string().optional(),
      place: z.string().optional(),
      file: z.string().optional(),
      package: z.string().optional(),
      entry: z.string().meta({ description: 'Of the catalogue.' }).optional(),
      title: z.string().optional(),
      project: z.literal(true).meta({ description: "The entry is the project's own." }).optional(),
      version: z.string().meta({ description: 'The version with which the entry was checked.' }).optional(),
      checked: z.enum(['server', 'docs']).optional(),
      reviewed: z.string().meta({ description: 'A day, ISO 8601.' }).optional(),
      options: z.looseObject({}).meta({ description: 'What the entry suggests.' }).optional(),
      hash: z.string().meta({ description: 'SHA-256 of its declarations: what is pinned.' }).optional(),
      unchecked: z.literal(true).meta({ description: 'The server was not asked for its tools.' }).optional(),
      overrules: z
        .literal(true)
        .meta({ description: 'The file was chosen while the server declared hooks itself.' })
        .optional(),
    })
    .meta({ description: 'Where the declarations come from.' })
    .optional(),
  definitions: z
    .array(z.looseObject({ client: client.optional(), file: z.string().optional(), shown: z.string() }))
    .meta({
      description:
        'How the server is run or reached, secrets masked: first as it is asked, then on each other client that has it.',
    })
    .optional(),
  changed: z
    .array(z.enum(['declarations', 'definition', 'options']))
    .meta({ description: 'What differs from what was approved.' }),
  notes: z
    .array(remark)
    .meta({
      description: 'Remarks on the plan as a whole: sources, clients, how the server is started and kept.',
    })
    .optional(),
  leftOut: leftOut.optional(),
  gone: z
    .array(z.enum(['declarations', 'definition']))
    .meta({ description: 'What is no longer where it was; the plan uses what was approved.' })
    .optional(),
  disabled: z.literal(true).meta({ description: 'It is disabled, and stays so.' }).optional(),
  approved: z
    .looseObject({
      declarations: z.array(z.unknown()),
      options: z.looseObject({}),
      server: z.string().optional(),
    })
    .optional(),
  clients: z.array(
    z.looseObject({
      client,
      covered: z
        .looseObject({
          by: z.enum([...SCOPES, 'plugin', 'extension']),
          where: z.string(),
          lacks: z.array(z.number()).meta({ description: 'Hooks that it leaves out.' }).optional(),
          otherDeclarations: z
            .literal(true)
            .meta({ description: 'It was made from other declarations, and may lack some of these hooks.' })
            .optional(),
          disabled: z.literal(true).optional(),
        })
        .meta({
          description:
            'What already provides hooks of the server; nothing is installed for this client then.',
        })
        .optional(),
      state: z
        .enum(['current', 'changed', 'edited', 'missing'])
        .meta({ description: "As in 'list', without 'disabled' and 'untrusted'." })
        .optional(),
      definition: z
        .looseObject({
          is: z.enum(['changed', 'gone']),
          absent: z
            .enum(['no-file', 'unreadable', 'conflict', 'removed', 'off', 'unusable'])
            .meta({ description: 'Why it is gone.' })
            .optional(),
          of: client
            .meta({ description: 'The client whose definition its hooks use, if another one.' })
            .optional(),
          file: z.string().optional(),
          instead: client
            .meta({ description: 'The client whose definition its hooks use instead.' })
            .optional(),
        })
        .meta({ description: 'How the definition that its hooks use differs from what was approved.' })
        .optional(),
      hooks: z.array(hook),
      file: z.string().optional(),
      plugin: z
        .string()
        .meta({ description: 'Folder of a plugin that the client loads by itself and that holds all of it.' })
        .optional(),
      entries: z.array(entry),
      beside: z
        .array(z.looseObject({ file: z.string(), entries: z.array(entry) }))
        .meta({
          description: 'Further files with entries, where the client reads an event from one of several.',
        })
        .optional(),
      left: z
        .array(z.looseObject({ file: z.string(), entries: z.array(entry) }))
        .meta({ description: 'Files from which the entries are removed.' })
        .optional(),
      drift: z
        .array(z.string())
        .meta({ description: 'Own files that are missing or were altered since they were written.' }),
      diff: z.array(z.string()).meta({ description: 'Lines, each with its sign.' }).optional(),
      notes: z.array(remark).meta({ description: 'Remarks on this client or its file.' }),
      nextSteps: z.array(remark),
      fault: fault.optional(),
    }),
  ),
  leftovers: z
    .array(z.string())
    .meta({ description: "Files in mcphooks' folder of a project that are no longer used." })
    .optional(),
  files: z.array(file),
});
export type PlanDocument = DocumentOf<typeof planOutput>;
