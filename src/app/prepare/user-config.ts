import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { nearArg } from '../../base/near.ts';
import { once } from '../../base/once.ts';
import { CLIENT_IDS, type ClientId } from '../../clients/client.ts';
import { readJsonFile } from '../../declarations/file.ts';
import type { Locate, Path } from '../../declarations/path.ts';
import { Fault, Faults } from '../../messages/fault.ts';
import { limitedShape } from '../../plan/option-shapes.ts';
import {
  type InstallOptions,
  OPTION_ROWS,
  type OptionName,
  type OptionRow,
  optionName,
  RETIRED_KEYS,
} from '../../plan/options.ts';
import { wrongValue } from '../wrong-value.ts';

const said = (description: string) => z.meta({ description });

/**
 * Options that the configuration file may set, named like the options of `install`. Options that send data or drop a
 * check aren't among them: these need a decision for each install.
 */
const inConfig = OPTION_ROWS.filter(([, row]) => row.inConfig);
export const DEFAULTABLE: readonly OptionName[] = inConfig.map(([name]) => name);

/** Says of a number its unit, too, which the command line names in the flag (`<seconds>`). */
const describe = ({ kind, flag, sentence }: OptionRow): string =>
  kind === 'whole' ? `${sentence}; in ${flag.replace(/.*<(\w+)>/, '$1')}` : sentence;

const defaults = once(
  (): Record<string, z.ZodMiniType> => ({
    clients: z.optional(z.array(z.enum(CLIENT_IDS)).check(z.minLength(1), said('install for these clients'))),
    ...Object.fromEntries(
      inConfig.map(([, row]) => [optionName(row), z.optional(limitedShape(row).check(said(describe(row))))]),
    ),
  }),
);

export const ConfigSchema = once(() =>
  z.strictObject({
    $schema: z.optional(z.string()),
    log: z.optional(
      z.boolean().check(said('Whether hooks log what they gave, and why they gave nothing. Default: true.')),
    ),
    texts: z.optional(z.boolean().check(said('Whether the log also holds the texts. Default: false.'))),
    ...defaults(),
    servers: z.optional(
      z
        .record(z.string(), z.strictObject(defaults()))
        .check(said('The same for single servers, by their name in the clients.')),
    ),
  }),
);

/** The user's defaults for options that a command line doesn't set. */
export interface Defaults {
  clients?: readonly ClientId[];
  options: Partial<InstallOptions>;
}

/** True for anything that stands there, and where that can't be told; nothing stands below a file. */
function mayExist(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}

/**
 * Reads the user's defaults for one server from `config.json` in `folder`; there are none without the file. Throws
 * `Faults` with file:line:column when the file doesn't match the schema.
 */
export function readDefaults(folder: string, server: string): Defaults {
  const file = join(folder, 'config.json');
  if (!mayExist(file)) return { options: {} };
  const { value, locate } = readJsonFile(file, { unreadable: 'config.unreadable', syntax: 'config.syntax' });
  const parsed = ConfigSchema().safeParse(value);
  if (!parsed.success)
    throw new Faults(parsed.error.issues.flatMap((issue) => configFaults(issue, value, locate)));
  const { servers = {}, ...all } = parsed.data as { servers?: Record<string, object> };
  const config: Record<string, unknown> = { ...all, ...(Object.hasOwn(servers, server) && servers[server]) };
  const given = inConfig.flatMap(([name, row]) => {
    const value = config[optionName(row)];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...(config.clients !== undefined && { clients: config.clients as ClientId[] }),
    options: Object.fromEntries(given) as Partial<InstallOptions>,
  };
}

function configFaults(issue: z.core.$ZodIssue, value: unknown, locate: Locate): Fault[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    const allowed = path.length === 0 ? Object.keys(ConfigSchema().shape) : Object.keys(defaults());
    return issue.keys.map((key) => {
      if (RETIRED_KEYS.includes(key)) return new Fault('config.retired', { key }, locate([...path, key]));
      return new Fault('config.key', { key, allowed, ...nearArg(key, allowed) }, locate([...path, key]));
    });
  }
  return [new Fault('config.value', wrongValue(issue, value), locate(path))];
}
