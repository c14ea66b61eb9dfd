import { kind } from '../declarations/faults.ts';
import { near } from '../declarations/near.ts';
import type { Path } from '../declarations/path.ts';
import { type Declaration, TEMPLATE_VARIABLES, type TemplateVariable } from '../declarations/types.ts';
import type { Found, Rule, Subject } from './types.ts';

const AT_ARGS = ['context_tool_args'];

interface InputSchema {
  properties: Record<string, unknown>;
  required: readonly string[];
  /** Keys beyond `properties` are taken. */
  open: boolean;
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The parts of a tool's input schema that say something of its arguments; undefined where the tool or schema isn't known. */
function schemaOf({ context_tool: name }: Declaration, { tools }: Subject): InputSchema | undefined {
  const schema = tools?.find((tool) => tool.name === name)?.inputSchema;
  if (!isTable(schema)) return undefined;
  const { properties, required, additionalProperties, patternProperties } = schema;
  return {
    properties: isTable(properties) ? properties : {},
    required: Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [],
    // Without a word about them JSON Schema takes further keys, but a tool that lists its own reads no others.
    open:
      isTable(patternProperties) ||
      isTable(additionalProperties) ||
      additionalProperties === true ||
      !isTable(properties),
  };
}

function hasType(value: unknown, schema: unknown): boolean {
  const type = isTable(schema) ? schema.type : undefined;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  const own = kind(value);
  return type === undefined || types.includes(own) || (types.includes('integer') && Number.isInteger(value));
}

const typeText = (schema: unknown): string => {
  const type = isTable(schema) ? schema.type : '';
  return Array.isArray(type) ? type.join(' or ') : String(type);
};

/** Every text of a declaration in which templates are filled, with where it stands. */
function texts({ context, context_tool_args: args }: Declaration): [Path, string][] {
  const walk = (value: unknown, path: Path): [Path, string][] => {
    if (typeof value === 'string') return [[path, value]];
    if (value === null || typeof value !== 'object') return [];
    return Object.entries(value).flatMap(([key, inner]) =>
      walk(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    );
  };
  return [...walk(context, ['context']), ...walk(args, AT_ARGS)];
}

const isVariable = (name: string): name is TemplateVariable =>
  (TEMPLATE_VARIABLES as readonly string[]).includes(name);

/** SEP-2282, "Template variables": what has a value at an event. */
function isAvailable(name: TemplateVariable, { event }: Declaration): boolean {
  if (name === 'tool_output') return event === 'post_tool_use';
  if (name === 'tool_name' || name === 'tool_input')
    return event === 'pre_tool_use' || event === 'post_tool_use';
  return true;
}

const sendsToolData = (d: Declaration): Path | undefined =>
  d.context_tool === undefined
    ? undefined
    : texts(d).find(([, text]) => /\{tool_(input|output)\}/.test(text))?.[0];

/** In braces, as a variable is written or nearly so. */
const BRACED = /\{+\s*([A-Za-z][\w-]*)\s*\}+/g;

function unknownVariables(text: string): { name: string; near?: string }[] {
  return [...text.matchAll(BRACED)].flatMap(([written, name = '']) => {
    if (written === `{${name}}` && isVariable(name)) return [];
    const meant = near(name, TEMPLATE_VARIABLES);
    // Other words in braces are text: JSON, code.
    if (meant === undefined && !/^\{[a-z_]+\}$/.test(written)) return [];
    return [{ name: written, ...(meant !== undefined && { near: `{${meant}}` }) }];
  });
}

/** Rules about called tools, what they are sent, and the template variables in it. */
export const TOOL_RULES: readonly Rule[] = [
  {
    code: 'lint.args-missing',
    find: (d, subject) => {
      const given = d.context_tool_args ?? {};
      const missing = schemaOf(d, subject)?.required.filter((key) => !Object.hasOwn(given, key)) ?? [];
      const at = d.context_tool_args ? AT_ARGS : ['context_tool'];
      return missing.length > 0 ? [{ at, args: { tool: d.context_tool ?? '', keys: missing } }] : [];
    },
  },
  {
    code: 'lint.args-unknown',
    find: (d, subject) => {
      const schema = schemaOf(d, subject);
      if (!schema || schema.open) return [];
      const known = Object.keys(schema.properties);
      return Object.keys(d.context_tool_args ?? {})
        .filter((key) => !known.includes(key))
        .map((key): Found => {
          const meant = near(key, known);
          const args = {
            tool: d.context_tool ?? '',
            key,
            known,
            ...(meant !== undefined && { near: meant }),
          };
          return { at: [...AT_ARGS, key], args };
        });
    },
  },
  {
    code: 'lint.args-type',
    find: (d, subject) => {
      const properties = schemaOf(d, subject)?.properties ?? {};
      return Object.entries(d.context_tool_args ?? {})
        .filter(([key, value]) => Object.hasOwn(properties, key) && !hasType(value, properties[key]))
        .map(([key, value]) => ({
          at: [...AT_ARGS, key],
          args: { got: kind(value), expected: typeText(properties[key]) },
        }));
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
    code: 'lint.variable-unavailable',
    find: (d) =>
      texts(d).flatMap(([at, text]) =>
        TEMPLATE_VARIABLES.filter((name) => text.includes(`{${name}}`) && !isAvailable(name, d)).map(
          (name) => ({
            at,
            args: { name: `{${name}}`, event: d.event },
          }),
        ),
      ),
  },
];
