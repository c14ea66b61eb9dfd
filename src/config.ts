import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { InstallOptions } from './apply/types.ts';
import { CLIENT_IDS, type ClientId } from './clients/types.ts';
import { kind, shown } from './declarations/faults.ts';
import { readJsonFile } from './declarations/file.ts';
import { near } from './declarations/near.ts';
import type { Locate, Path } from './declarations/path.ts';
import { PRIORITIES } from './declarations/types.ts';
import { Fault, Faults } from './messages.ts';
import { once } from './once.ts';

const said = (description: string) => z.meta({ description });
const whole = (least: number, description: string) =>
  z.optional(z.int().check(z.minimum(least), z.maximum(1_000_000), said(description)));

/** Named as the options of `install`. What sends data or drops a check is asked for each time instead. */
const defaults = once(() => ({
  clients: z.optional(z.array(z.enum(CLIENT_IDS)).check(z.minLength(1), said('Install for these clients.'))),
  'session-end': z.optional(
    z.enum(['skip', 'defer']).check(said('Leave session_end out, or give it to the next session.')),
  ),
  'post-request': z.optional(
    z.enum(['defer', 'skip']).check(said('Give post_request with the next prompt, or leave it out.')),
  ),
  'max-priority': z.optional(z.enum(PRIORITIES).check(said('Lower priorities above this one to it.'))),
  cooldown: whole(0, 'Seconds that a hook stays silent in a session after it fired.'),
  'max-text': whole(1, 'Most characters of one text.'),
  'max-declarations': whole(1, 'Most declarations of one server.'),
  'hook-timeout': whole(2, 'Seconds that the client grants a hook.'),
}));

export const ConfigSchema = once(() =>
  z.strictObject({
    $schema: z.optional(z.string()),
    ...defaults(),
    servers: z.optional(
      z
        .record(z.string(), z.strictObject(defaults()))
        .check(said('The same for single servers, by their names in the clients.')),
    ),
  }),
);
type Config = z.infer<ReturnType<typeof ConfigSchema>>;

/** Our names of the options that have a default of the user's own. */
const KEYS = {
  sessionEnd: 'session-end',
  postRequest: 'post-request',
  maxPriority: 'max-priority',
  cooldown: 'cooldown',
  maxText: 'max-text',
  maxDeclarations: 'max-declarations',
  hookTimeout: 'hook-timeout',
} as const satisfies Partial<Record<keyof InstallOptions, keyof ReturnType<typeof defaults>>>;
export const DEFAULTABLE = Object.keys(KEYS) as (keyof typeof KEYS)[];

/** What the user wants unless an option says otherwise. */
export interface Defaults {
  clients?: readonly ClientId[];
  options: Partial<InstallOptions>;
}

export const configFile = (folder: string): string => join(folder, 'config.json');

/**
 * The user's defaults for one server, from `config.json` in `folder`; none when there is no such file. Throws
 * `Faults` with file:line:column when anything in it isn't as the schema says.
 */
export function readDefaults(folder: string, server: string): Defaults {
  const file = configFile(folder);
  if (!existsSync(file)) return { options: {} };
  const { value, locate } = readJsonFile(file, { unreadable: 'config.unreadable', syntax: 'config.syntax' });
  const parsed = ConfigSchema().safeParse(value);
  if (!parsed.success)
    throw new Faults(parsed.error.issues.flatMap((issue) => faultsOf(issue, value, locate)));
  const { servers = {}, ...all } = parsed.data;
  const own = Object.hasOwn(servers, server) ? servers[server] : {};
  return toDefaults({ ...all, ...own });
}

function toDefaults(config: Omit<Config, 'servers'>): Defaults {
  const given = DEFAULTABLE.map((name) => [name, config[KEYS[name]]]).filter(
    ([, value]) => value !== undefined,
  );
  return {
    ...(config.clients && { clients: config.clients }),
    options: Object.fromEntries(given) as Partial<InstallOptions>,
  };
}

function faultsOf(issue: z.core.$ZodIssue, value: unknown, locate: Locate): Fault[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys') {
    const allowed = path.length === 0 ? Object.keys(ConfigSchema().shape) : Object.keys(defaults());
    return issue.keys.map((key) => {
      const meant = near(key, allowed);
      return new Fault('config.key', { key, allowed, ...(meant && { near: meant }) }, locate([...path, key]));
    });
  }
  const found = at(value, path);
  return [new Fault('config.value', { value: shown(found), expected: expectedOf(issue) }, locate(path))];

  function at(start: unknown, steps: Path): unknown {
    return steps.reduce<unknown>((v, step) => (kind(v) === 'null' ? v : Object(v)[step]), start);
  }
}

function expectedOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small')
    return issue.origin === 'array' ? 'a client' : `a whole number from ${issue.minimum}`;
  if (issue.code === 'too_big') return `a whole number up to ${issue.maximum}`;
  if (issue.code !== 'invalid_type') return 'something else';
  return (
    { int: 'a whole number', array: 'a list', record: 'an object' }[issue.expected as string] ??
    issue.expected
  );
}
