import { sep } from 'node:path';
import { type Env, homeFolder, variable } from '../../base/paths.ts';
import type { McpDialect, ReferenceForm } from '../../clients/mcp-config.ts';
import { withFiles } from '../included-files.ts';
import { maskText } from '../masking/secrets.ts';
import type { Definition, DefinitionSource } from '../types.ts';

/** A definition, where it stands, and how the client with that file reads it. */
export interface SourcedDefinition {
  definition: Definition;
  source: DefinitionSource;
  dialect: McpDialect;
}

/** How a client replaces the references in a definition. */
export interface Expander {
  /** The client's environment, without what it sets for hooks alone. */
  clientEnv: Env;
  /** Replaces the folders in a value that the client adds. */
  place: (value: string) => string;
  expand: (value: string) => string;
  /** Expands the value of a variable. */
  expandInEnv: (value: string) => string;
}

/**
 * Returns a variable that the definition refers to and that isn't set, if the client doesn't start the server then; ''
 * for a name that may be a secret.
 */
export function unsetVariable(definition: Definition, dialect: McpDialect, env: Env): string | undefined {
  if (dialect.unset !== 'stops' || definition.transport !== 'stdio') return undefined;
  const names = Object.values(definition.env)
    .flatMap((value) => referenceParts(value, dialect, { hasRoot: false }))
    .flatMap(({ name, fallback }) => (name !== undefined && fallback === undefined ? [name] : []));
  const unset = names.find((name) => variable(env, name) === undefined);
  return unset === undefined ? undefined : tellable(unset);
}

/** Returns how a client expands a definition. Arguments as of `launch`. */
export function expanderOf(
  { source, dialect }: SourcedDefinition,
  hookEnv: Env,
  cwd: string,
  unset: Set<string>,
): Expander {
  const clientEnv = Object.fromEntries(
    Object.entries(hookEnv).filter(([name]) => !dialect.hookOnly.includes(name)),
  );
  const place = (value: string): string =>
    value
      .replaceAll('<root>', source.root ?? '')
      .replaceAll('<cwd>', cwd)
      .replaceAll('<home>', homeFolder(hookEnv))
      .replaceAll('<sep>', sep);
  const hasRoot = source.root !== undefined;
  const always = dialect.unset === 'empty' ? '' : undefined;
  const refer = (value: string, otherwise = always): string => {
    const told = (part: Part): string => {
      if (part.place !== undefined) return place(part.place);
      if (part.name === undefined) return part.written;
      const known = variable(clientEnv, part.name) ?? part.fallback;
      if (known === undefined) {
        const isMeant = /^\$\w/.test(part.written) ? ONLY_DOLLAR.test(value) : true;
        unset.add(isMeant ? tellable(part.name) : '');
      }
      return known ?? otherwise ?? part.written;
    };
    const replaced = referenceParts(value, dialect, { hasRoot }).map(told).join('');
    return dialect.includesFiles ? withFiles(replaced, source, hookEnv) : replaced;
  };
  return {
    clientEnv,
    place,
    expand: (value) => (dialect.expandOnly === undefined ? refer(value) : value),
    expandInEnv: (value) =>
      (dialect.bareEnv && variable(clientEnv, value)) ||
      refer(value, dialect.unset === 'empty-in-env' ? '' : always),
  };
}

type Reference = 'braces' | 'dollar' | 'env' | 'curly';

/** By form, the kinds of references that are expanded. */
const REFERENCES: Readonly<Record<ReferenceForm, readonly Reference[]>> = {
  none: [],
  braces: ['braces'],
  dollar: ['braces', 'dollar'],
  env: ['env'],
  'braces-env': ['env', 'braces'],
  curly: ['curly'],
};

/**
 * References of the forms `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `$NAME` and `{env:NAME}`; `${/}` is Gemini
 * CLI's path separator.
 */
const REFERENCE =
  /\$\{(?<braces>[A-Za-z_]\w*|\/)(?::-(?<fallback>[^}]*))?\}|\$\{env:(?<env>[A-Za-z_]\w*)\}|\$(?<dollar>[A-Za-z_]\w*)|\{env:(?<curly>[A-Za-z_]\w*)\}/g;

/** A value of one `$NAME`, perhaps after an authentication scheme. Elsewhere it may be a part of a password. */
const ONLY_DOLLAR = /^(?:[A-Za-z]+ )?\$[A-Z_][A-Z0-9_]*$/;

/** Returns the name of a variable, to be told; '' for what is hardly one: a token in the place of a name. */
export function tellable(name: string): string {
  const isPlain = /^[A-Z_][A-Z0-9_]{0,63}$/.test(name) && (name.length < 16 || name.includes('_'));
  return isPlain && maskText(name) === name ? name : '';
}

type Groups = Partial<Record<Reference | 'fallback', string>>;

/** A part of a text as a client reads it: plain text, or a reference. */
export interface Part {
  written: string;
  /** The variable to which it refers. */
  name?: string;
  /** What stands for that variable where it isn't set. */
  fallback?: string;
  /** The folder for which it stands, as in `McpDialect.stands`. */
  place?: string;
}

/** Returns a text's parts in a dialect. `hasRoot`: the definition is a plugin's. */
export function referenceParts(
  text: string,
  { expand, fallbacks, stands }: Pick<McpDialect, 'expand' | 'fallbacks' | 'stands'>,
  { hasRoot }: { hasRoot: boolean },
): Part[] {
  const read = (written: string, { fallback, ...names }: Groups): Part => {
    const { braces = '' } = names;
    const place = Object.hasOwn(stands, braces) ? stands[braces] : undefined;
    if (place !== undefined && (hasRoot || !place.includes('<root>'))) return { written, place };
    const name = REFERENCES[expand].map((form) => names[form]).find((n) => n !== undefined);
    if (name === undefined || name === '/' || (fallback !== undefined && fallbacks === false))
      return { written };
    return { written, name, ...(fallback !== undefined && { fallback }) };
  };
  const parts: Part[] = [];
  let from = 0;
  for (const { index, written, groups } of scanned(text)) {
    if (index > from) parts.push({ written: text.slice(from, index) });
    parts.push(read(written, groups));
    from = index + written.length;
  }
  if (from < text.length) parts.push({ written: text.slice(from) });
  return parts;
}

/**
 * Returns what looks like a reference in any form. Behind the last brace only `$NAME` does: each default begun there would
 * be read to the end in search of its brace.
 */
function scanned(text: string): { index: number; written: string; groups: Groups }[] {
  const end = text.lastIndexOf('}') + 1;
  const found = (part: string, start: number, references: RegExp) =>
    [...part.matchAll(references)].map(({ 0: written, index, groups = {} }) => ({
      index: start + index,
      written,
      groups: groups as Groups,
    }));
  return [
    ...found(text.slice(0, end), 0, REFERENCE),
    ...found(text.slice(end), end, /\$(?<dollar>[A-Za-z_]\w*)/g),
  ];
}
