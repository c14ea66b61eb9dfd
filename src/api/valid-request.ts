import * as z from 'zod/mini';
import { expectedOf } from '../app/user-config.ts';
import { valueAt } from '../base/json-value.ts';
import { near } from '../base/near.ts';
import { once } from '../base/once.ts';
import { CLIENT_IDS } from '../clients/client.ts';
import { SCOPES } from '../clients/scopes.ts';
import { shown } from '../declarations/shape-faults.ts';
import { Fault, Faults } from '../messages/fault.ts';
import { limitedShape } from '../plan/option-shapes.ts';
import { OPTION_ROWS } from '../plan/options.ts';

const names = OPTION_ROWS.map(([name]) => name as string);

/** Types that plain JavaScript may get wrong. */
const RequestShape = once(() =>
  z.looseObject({
    server: z.string(),
    scope: z.optional(z.enum(SCOPES)),
    from: z.optional(z.enum(CLIENT_IDS)),
    clients: z.optional(z.array(z.enum(CLIENT_IDS))),
    timeout: z.optional(z.number().check(z.positive())),
    command: z.optional(z.array(z.string())),
    headers: z.optional(z.array(z.string())),
    url: z.optional(z.string()),
    declarationsFile: z.optional(z.string()),
    check: z.optional(z.boolean()),
    allowStart: z.optional(z.union([z.string(), z.array(z.string())])),
    reset: z.optional(z.boolean()),
    dryRun: z.optional(z.boolean()),
    edited: z.optional(z.boolean()),
    options: z.optional(
      z.strictObject(
        Object.fromEntries(OPTION_ROWS.map(([name, row]) => [name, z.optional(limitedShape(row))])),
      ),
    ),
  }),
);

/** Returns a request whose values are of their types. Throws `Faults`: `usage.argument`, `usage.empty-name`,
 * `config.key`. */
export function validRequest<Request extends object>(request: Request): Request {
  const { error } = RequestShape().safeParse(request);
  if (!error && isNameless(request)) throw new Faults([new Fault('usage.empty-name')]);
  if (!error) return request;
  throw new Faults(error.issues.flatMap((issue) => requestFaults(issue, request)));
}

/** True for a server's name that is empty, as the command line refuses it. */
const isNameless = (request: object): boolean =>
  'server' in request && typeof request.server === 'string' && request.server.trim() === '';

function requestFaults(issue: z.core.$ZodIssue, request: object): Fault[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const meant = near(key, names);
      return new Fault('config.key', { key, allowed: names, ...(meant !== undefined && { near: meant }) });
    });
  const value = shown(valueAt(request, path));
  return [new Fault('usage.argument', { name: path.join('.'), value, ...expectedOf(issue) })];
}
