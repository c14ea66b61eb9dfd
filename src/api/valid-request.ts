import * as z from 'zod/mini';
import { wrongValue } from '../app/wrong-value.ts';
import { isObject } from '../base/json-value.ts';
import { nearArg } from '../base/near.ts';
import { once } from '../base/once.ts';
import { CLIENT_IDS } from '../clients/client.ts';
import { SCOPES } from '../clients/scopes.ts';
import { Fault, Faults } from '../messages/fault.ts';
import { limitedShape } from '../plan/option-shapes.ts';
import { LARGEST_WHOLE, OPTION_ROWS } from '../plan/options.ts';

const optionShapes = () =>
  Object.fromEntries(OPTION_ROWS.map(([name, row]) => [name, z.optional(limitedShape(row))]));

/** Returns the schema of a value that zod can't name. `type`: what it is, as in `TYPES` of the messages. */
const fitting = (type: 'environment' | 'function' | 'path' | 'texts', fits: (value: unknown) => boolean) =>
  z.optional(z.custom(fits, { params: { type } }));

const aFunction = () => fitting('function', (value) => typeof value === 'function');

const texts = () => fitting('texts', (value) => [value].flat().every((one) => typeof one === 'string'));

/** Node refuses a path with a null character wherever it uses it, and an environment with one when it starts a server. */
const isNullFree = (value: unknown): boolean => typeof value === 'string' && !value.includes('\0');

const aPath = () => fitting('path', isNullFree);

/** Unlike a record of zod's, also takes `process.env`, which is no plain object. */
const environment = () =>
  fitting(
    'environment',
    (value) => isObject(value) && Object.values(value).every((one) => one === undefined || isNullFree(one)),
  );

const surroundings = () => ({
  env: environment(),
  cwd: aPath(),
  scope: z.optional(z.enum(SCOPES)),
  onMessage: aFunction(),
});

/** What the functions take, which plain JavaScript may get wrong: unknown keys, and values of other types. */
const shapes = once(() => ({
  server: z.strictObject({
    ...surroundings(),
    server: z.string(),
    from: z.optional(z.enum(CLIENT_IDS)),
    clients: z.optional(z.array(z.enum(CLIENT_IDS))),
    timeout: z.optional(z.number().check(z.positive(), z.maximum(LARGEST_WHOLE))),
    command: z.optional(z.array(z.string())),
    headers: z.optional(z.array(z.string())),
    url: z.optional(z.string()),
    declarationsFile: aPath(),
    check: z.optional(z.boolean()),
    allowStart: texts(),
    reset: z.optional(z.boolean()),
    options: z.optional(z.strictObject(optionShapes())),
  }),
  uninstall: z.strictObject({
    ...surroundings(),
    server: z.string(),
    dryRun: z.optional(z.boolean()),
    edited: z.optional(z.boolean()),
  }),
  approval: z.strictObject({ acceptChanged: z.optional(z.boolean()) }),
  parse: z.strictObject({ ...optionShapes(), when: z.optional(z.boolean()) }),
  lint: z.strictObject({
    server: z.optional(z.string()),
    tools: z.optional(z.array(z.looseObject({ name: z.string() }))),
    clients: z.optional(z.array(z.enum(CLIENT_IDS))),
    options: z.optional(z.strictObject(optionShapes())),
    locate: aFunction(),
  }),
}));

/**
 * Returns a request that has only known keys, with values of their types. `of`: what it is a request for. Throws
 * `Faults`: `usage.argument`, `usage.empty-name`, `config.key`.
 */
export function validRequest<Request extends object>(
  request: Request,
  of: 'server' | 'uninstall' | 'approval' | 'parse' | 'lint',
): Request {
  const shape = shapes()[of];
  const { error } = shape.safeParse(request);
  if (error)
    throw new Faults(
      error.issues.flatMap((issue) => requestFaults(issue, request, Object.keys(shape.shape))),
    );
  if (isNameless(request)) throw new Faults([new Fault('usage.empty-name')]);
  return request;
}

/** True for a server's name that is empty, as the command line refuses it. */
const isNameless = (request: object): boolean =>
  'server' in request && typeof request.server === 'string' && request.server.trim() === '';

/** `keys`: those of the whole request. */
function requestFaults(issue: z.core.$ZodIssue, request: object, keys: readonly string[]): Fault[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const allowed = path.length === 0 ? keys : Object.keys(optionShapes());
    return issue.keys.map((key) => new Fault('config.key', { key, allowed, ...nearArg(key, allowed) }));
  }
  // A path is empty where the request itself is no object.
  return [new Fault('usage.argument', { name: path.join('.') || 'argument', ...wrongValue(issue, request) })];
}
