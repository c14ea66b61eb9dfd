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
  let unset: string | undefined;
  for (const value of Object.values(definition.env))
    replaceReferences(value, (whole, { braces = '', fallback }) => {
      if (fallback === undefined && braces !== '' && variable(env, braces) === undefined)
        unset ??= tellable(braces);
      return whole;
    });
  return unset;
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
  const stands = (name: string): string | undefined => {
    const meaning = Object.hasOwn(dialect.stands, name) ? dialect.stands[name] : undefined;
    if (meaning === undefined || (meaning.includes('<root>') && source.root === undefined)) return undefined;
    return place(meaning);
  };
  const always = dialect.unset === 'empty' ? '' : undefined;
  const refer = (value: string, otherwise = always): string => {
    const replaced = replaceReferences(value, (whole, groups) => {
      const { fallback, ...names } = groups;
      const meant = names.braces === undefined ? undefined : stands(names.braces);
      if (meant !== undefined) return meant;
      const name = REFERENCES[dialect.expand].map((form) => names[form]).find((n) => n !== undefined);
      if (name === undefined || (fallback !== undefined && dialect.fallbacks === false)) return whole;
      const known = variable(clientEnv, name) ?? fallback;
      if (known === undefined && name !== '/') {
        const isMeant = names.dollar === undefined || ONLY_DOLLAR.test(value);
        unset.add(isMeant ? tellable(name) : '');
      }
      return known ?? otherwise ?? whole;
    });
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

/** Behind the last brace only `$NAME` is one: each default begun there would be read to the end in search of its brace. */
function replaceReferences(text: string, by: (whole: string, groups: Groups) => string): string {
  const end = text.lastIndexOf('}') + 1;
  const replaced = (part: string, references: RegExp): string =>
    part.replace(references, (whole: string, ...rest: unknown[]) => by(whole, rest.at(-1) as Groups));
  return replaced(text.slice(0, end), REFERENCE) + replaced(text.slice(end), /\$(?<dollar>[A-Za-z_]\w*)/g);
}
