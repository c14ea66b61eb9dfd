import { isAbsolute, resolve, sep } from 'node:path';
import { absolutePath, type Env, homeFolder, variable } from '../../base/paths.ts';
import { HERE } from '../../base/platform.ts';
import type { McpDialect, ReferenceForm } from '../../clients/mcp-config.ts';
import { withFiles } from '../included-files.ts';
import { maskText } from '../masking/secrets.ts';
import { needsApproval } from '../source.ts';
import type { Definition, DefinitionSource } from '../types.ts';
import { fileVariables } from './env-file.ts';

/** What to start or reach, with variables expanded. Contains secrets, and never leaves the process. */
export type Launch = StdioLaunch | HttpLaunch;

export interface StdioLaunch {
  command: string;
  args: string[];
  cwd: string;
  /** Without relative folders in a PATH that the definition sets, where they would be in the session's folder. */
  env: Record<string, string>;
  /** Absolute path of the file whose variables are part of `env`. */
  envFile?: string;
}

export interface HttpLaunch {
  url: string;
  headers: Record<string, string>;
}

/** True when the client doesn't start the server, because a variable that the definition refers to isn't set. */
export function lacksVariable(definition: Definition, dialect: McpDialect, env: Env): boolean {
  if (dialect.unset !== 'stops' || definition.transport !== 'stdio') return false;
  const unset = (value: string): boolean => {
    let found = false;
    replaceReferences(value, (whole, { braces = '', fallback }) => {
      found ||= fallback === undefined && braces !== '' && env[braces] === undefined;
      return whole;
    });
    return found;
  };
  return Object.values(definition.env).some(unset);
}

/**
 * Returns what the client with this definition would start or reach. `hookEnv`: environment of that client's hook, or
 * of a shell; `cwd`: the session's folder; `unset` receives the names of variables that are referred to and not set, and '' for a name that may be a secret.
 */
export function launch(
  definition: Definition,
  dialect: McpDialect,
  source: DefinitionSource,
  hookEnv: Env,
  cwd: string,
  unset?: Set<string>,
): Launch {
  const own = Object.fromEntries(
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
  const include = (value: string): string =>
    dialect.includesFiles ? withFiles(value, source, hookEnv) : value;
  const refer = (value: string, otherwise = always): string => include(replaced(value, otherwise));
  const replaced = (value: string, otherwise?: string): string =>
    replaceReferences(value, (whole, groups) => {
      const { fallback, ...names } = groups;
      const meant = names.braces === undefined ? undefined : stands(names.braces);
      if (meant !== undefined) return meant;
      const name = REFERENCES[dialect.expand].map((form) => names[form]).find((n) => n !== undefined);
      if (name === undefined || (fallback !== undefined && dialect.fallbacks === false)) return whole;
      const known = variable(own, name) ?? fallback;
      if (known === undefined && name !== '/') {
        const isMeant = names.dollar === undefined || ONLY_DOLLAR.test(value);
        unset?.add(isMeant ? named(name) : '');
      }
      return known ?? otherwise ?? whole;
    });
  const expand = (value: string): string => (dialect.expandOnly === undefined ? refer(value) : value);
  const expandEnv = (value: string): string =>
    (dialect.bareEnv && variable(own, value)) || refer(value, dialect.unset === 'empty-in-env' ? '' : always);
  if (definition.transport !== 'stdio') {
    const { url, headers, envHeaders = {}, bearerEnv } = definition;
    for (const name of [...Object.values(envHeaders), ...(bearerEnv ? [bearerEnv] : [])])
      if (!own[name]) unset?.add(named(name));
    const held = Object.entries(envHeaders).flatMap(([name, variable]) =>
      own[variable] ? [[name, own[variable]]] : [],
    );
    return {
      url: expand(url),
      headers: {
        ...mapValues(headers, (value) => expand(value)),
        ...(Object.fromEntries(held) as Record<string, string>),
        ...(bearerEnv && own[bearerEnv] && { Authorization: `Bearer ${own[bearerEnv]}` }),
      },
    };
  }
  // Relative folders of PATH would be the session's, where nobody approved what is in them.
  const isBound = needsApproval(source) || isAbsolute(expand(definition.cwd ?? ''));
  const safePath = (env: Record<string, string>): Record<string, string> =>
    isBound ? env : absolutePath(env);
  // No approval covers what such a file holds, so it is read only for an entry in a file of the user's own.
  const isRead = !needsApproval(source) && source.scope !== 'command-line';
  const envFile = isRead && definition.envFile ? resolve(cwd, expand(definition.envFile)) : undefined;
  return {
    command: expand(definition.command),
    args: definition.args.map((arg) => expand(arg)),
    cwd: resolve((dialect.pluginCwd && source.root) || cwd, expand(definition.cwd ?? '')),
    env: {
      ...inherited(own, dialect, definition.passEnv ?? []),
      ...added(dialect.adds, source.root, place),
      ...safePath(envFile === undefined ? {} : fileVariables(envFile)),
      ...safePath(mapValues(definition.env, expandEnv)),
    },
    ...(envFile !== undefined && { envFile }),
  };
}

/** Returns the variables that a client adds. Variables with a plugin's folder are set only for a plugin's servers. */
function added(
  adds: Readonly<Record<string, string>>,
  root: string | undefined,
  place: (value: string) => string,
): Record<string, string> {
  const fitting = Object.entries(adds).filter(([, value]) => root !== undefined || !value.includes('<root>'));
  return mapValues(Object.fromEntries(fitting), place);
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
function named(name: string): string {
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

const mapValues = (
  table: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, change(value)]));

function inherited(
  own: Env,
  { inherits: everywhere, inheritsOnWindows, drops }: McpDialect,
  passed: readonly string[],
): Record<string, string> {
  const dropped = drops === undefined ? undefined : new RegExp(drops, 'i');
  const inherits = HERE.windows ? (inheritsOnWindows ?? everywhere) : everywhere;
  const has = (names: readonly string[], name: string): boolean =>
    names.includes(name) || (HERE.windows && names.some((n) => n.toUpperCase() === name.toUpperCase()));
  const wanted = (name: string): boolean =>
    has(passed, name) || (inherits === 'all' ? !dropped?.test(name) : has(inherits, name));
  return Object.fromEntries(
    Object.entries(own).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0]),
    ),
  );
}
