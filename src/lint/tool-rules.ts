import { isObject } from '../base/json-value.ts';
import { near, nearArg } from '../base/near.ts';
import type { Path } from '../declarations/path.ts';
import { type Declaration, isToolEvent } from '../declarations/types.ts';
import {
  ALL_VARIABLES,
  holdsUserData,
  INPUT_FIELD,
  VARIABLE,
  variablesIn,
} from '../declarations/variables.ts';
import { isCarried } from '../plan/carried.ts';
import { compileWhen } from '../plan/compile/when.ts';
import { lacksField } from './input-fields.ts';
import type { LintRule, Occurrence, Subject } from './types.ts';

const AT_ARGS = ['context_tool_args'];

/**
 * Returns the arguments in a tool's schema when the schema silently allows others, which the tool then ignores.
 * Undefined when the schema allows only these (see `toolFaults`), allows any, or is unknown.
 */
function listedArguments({ context_tool: name }: Declaration, { tools }: Subject): string[] | undefined {
  const schema = tools?.find((tool) => tool.name === name)?.inputSchema;
  if (!isObject(schema) || !isObject(schema.properties)) return undefined;
  const silent = schema.additionalProperties === undefined && schema.patternProperties === undefined;
  return silent ? Object.keys(schema.properties) : undefined;
}

/** Returns every string in a value, with its path. */
function stringsIn(value: unknown, path: Path): [Path, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    stringsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Returns every text of a declaration in which templates are filled in, with its path. */
const texts = ({ context, context_tool_args: args }: Declaration): [Path, string][] => [
  ...stringsIn(context, ['context']),
  ...stringsIn(args, AT_ARGS),
];

/** A field's whole name in compact JSON, captured. */
const FIELD_NAME = /"([A-Za-z_]\w*)":/g;
const fieldsIn = (needle: string): string[] =>
  [...needle.matchAll(FIELD_NAME)].map(([, field = '']) => field);

/** True when a variable has a value at an event (SEP-2282, "Template variables"). */
function isAvailable(name: string, { event }: Declaration): boolean {
  if (name === 'prompt') return event === 'pre_request';
  if (name === 'tool_output') return event === 'post_tool_use';
  if (name === 'tool_name' || name === 'tool_input' || INPUT_FIELD.test(name)) return isToolEvent(event);
  return true;
}

const sendsToolData = (d: Declaration): Path | undefined =>
  d.context_tool === undefined
    ? undefined
    : texts({ ...d, context: '' }).find(([, text]) => holdsUserData(text))?.[0];

/** A word in braces, written like a variable or nearly so. */
const BRACED = /(?<!\{)\{+\s*([A-Za-z][\w-]*)\s*\}+/g;

/** A variable in further braces, which stay when it is replaced. */
const IN_BRACES = new RegExp(`\\{+${VARIABLE.source}\\}*`, 'g');

/** The name of an own tool, or a field of the input, in braces. */
const WITH_NAME = /\{(?:tool:|tool_input\.)[^{}]*\}/g;

function unknownVariables(text: string): { name: string; near?: string }[] {
  const unnamed = [...text.replace(VARIABLE, '').matchAll(WITH_NAME)].map(([name]) => ({ name }));
  const unknown = [...text.matchAll(BRACED)].flatMap(([written, name = '']) => {
    if (ALL_VARIABLES.includes(name) && written.includes(`{${name}}`)) return [];
    const meant = near(name, ALL_VARIABLES);
    // Other words in braces are ordinary text, such as JSON or code.
    if (meant === undefined && !/^\{[a-z_]+\}$/.test(written)) return [];
    return [{ name: written, ...(meant !== undefined && { near: `{${meant}}` }) }];
  });
  return [...unknown, ...unnamed];
}

/** Returns the names of the variables in a text, each once. */
const variableNames = (text: string): string[] => variablesIn(text).map((written) => written.slice(1, -1));

/** Returns the titles of the clients on which a hook fires only for tools that surely lack an input field. */
function clientsLacking(field: string, declaration: Declaration, { clients }: Subject, i: number): string[] {
  return clients.flatMap(({ client, servers, cells }) => {
    const { native } = compileWhen(declaration, client, servers);
    if (!isCarried(cells[i]?.fidelity) || !native) return [];
    const lacks = (tool: string): boolean => lacksField(client.conditions, tool, field);
    const isKnown = native.patterns.length === 0 && native.exact.length > 0;
    return isKnown && native.exact.every(lacks) ? [client.title] : [];
  });
}

/** Rules about called tools, their arguments, and template variables. */
export const TOOL_RULES: readonly LintRule[] = [
  {
    code: 'lint.args-unknown',
    find: (d, subject) => {
      const known = listedArguments(d, subject);
      if (!known) return [];
      return Object.keys(d.context_tool_args ?? {})
        .filter((key) => !known.includes(key))
        .map((key): Occurrence => {
          const args = { tool: d.context_tool ?? '', key, known, ...nearArg(key, known) };
          return { at: [...AT_ARGS, key], args };
        });
    },
  },
  {
    code: 'lint.tool-data',
    find: (d, { remoteHost }) => {
      const at = sendsToolData(d);
      return at && remoteHost === undefined ? [{ at }] : [];
    },
  },
  {
    code: 'lint.tool-data-remote',
    find: (d, { remoteHost }) => {
      const at = sendsToolData(d);
      return at && remoteHost !== undefined ? [{ at, args: { host: remoteHost } }] : [];
    },
  },
  {
    code: 'lint.variable-unknown',
    find: (d) => texts(d).flatMap(([at, text]) => unknownVariables(text).map((args) => ({ at, args }))),
  },
  {
    code: 'lint.variable-braces',
    find: (d) =>
      texts(d).flatMap(([at, text]) =>
        [...text.matchAll(IN_BRACES)].flatMap(([written, name = '']): Occurrence[] =>
          isAvailable(name, d) ? [{ at, args: { written, name: `{${name}}` } }] : [],
        ),
      ),
  },
  {
    code: 'lint.variable-unavailable',
    find: (d) =>
      texts(d).flatMap(([at, text]) =>
        variableNames(text)
          .filter((name) => !isAvailable(name, d))
          .map((name) => ({ at, args: { name: `{${name}}`, event: d.event } })),
      ),
  },
  {
    code: 'lint.variable-elsewhere',
    find: ({ matcher = {}, when = {} }) =>
      [...stringsIn(matcher, ['matcher']), ...stringsIn(when, ['when'])].flatMap(([at, text]) =>
        variablesIn(text).map((name) => ({ at, args: { name } })),
      ),
  },
  {
    code: 'lint.needle-some',
    find: (d, subject, i) =>
      [...new Set(fieldsIn(d.matcher?.input_contains ?? ''))].flatMap((field): Occurrence[] => {
        const lacking = clientsLacking(field, d, subject, i);
        return lacking.length > 0
          ? [{ at: ['matcher', 'input_contains'], args: { name: field, clients: lacking } }]
          : [];
      }),
  },
  {
    code: 'lint.variable-some',
    find: (d, subject, i) =>
      texts(d).flatMap(([at, text]) =>
        variableNames(text).flatMap((name): Occurrence[] => {
          const [field] = INPUT_FIELD.exec(name)?.[1]?.slice(1).split('.') ?? [];
          const lacking =
            field !== undefined && isToolEvent(d.event) ? clientsLacking(field, d, subject, i) : [];
          return lacking.length > 0 ? [{ at, args: { name: `{${name}}`, clients: lacking } }] : [];
        }),
      ),
  },
];
