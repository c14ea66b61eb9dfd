import { isAbsolute, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { mapValues } from '../../base/json-value.ts';
import { absolutePath, type Env, mergedEnv, variable } from '../../base/paths.ts';
import { HERE } from '../../base/platform.ts';
import { quietly } from '../../base/quietly.ts';
import { readText } from '../../base/read-file.ts';
import type { McpDialect } from '../../clients/mcp-config.ts';
import { needsApproval } from '../source.ts';
import type { HttpDefinition, StdioDefinition } from '../types.ts';
import { type Expander, expanderOf, type SourcedDefinition, tellable } from './references.ts';

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

/**
 * With it, cmd looks for a program by its name in PATH alone, and not in the session's folder first: most servers of npm
 * are a `.cmd` that starts `node` by its name.
 */
const NO_SESSION_FOLDER = { NoDefaultCurrentDirectoryInExePath: '1' };

/**
 * Returns what the client with this definition would start or reach. `hookEnv`: environment of that client's hook, or
 * of a shell; `cwd`: the session's folder; `unset` receives the names of variables that are referred to and not set,
 * and '' for a name that may be a secret.
 */
export function launch(
  sourced: SourcedDefinition,
  hookEnv: Env,
  cwd: string,
  unset: Set<string> = new Set(),
): Launch {
  const { definition } = sourced;
  const expander = expanderOf(sourced, hookEnv, cwd, unset);
  return definition.transport === 'stdio'
    ? stdioLaunch({ ...sourced, definition }, expander, cwd)
    : httpLaunch(definition, expander, unset);
}

function httpLaunch(
  { url, headers, envHeaders = {}, bearerEnv }: HttpDefinition,
  { clientEnv, expand }: Expander,
  unset: Set<string>,
): HttpLaunch {
  for (const name of [...Object.values(envHeaders), ...(bearerEnv ? [bearerEnv] : [])])
    if (!variable(clientEnv, name)) unset.add(tellable(name));
  const held = Object.entries(envHeaders).flatMap(([header, name]) => {
    const value = variable(clientEnv, name);
    return value ? [[header, value]] : [];
  });
  const token = bearerEnv && variable(clientEnv, bearerEnv);
  return {
    url: expand(url),
    headers: {
      ...mapValues(headers, expand),
      ...(Object.fromEntries(held) as Record<string, string>),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
  };
}

function stdioLaunch(
  { definition, source, dialect }: SourcedDefinition & { definition: StdioDefinition },
  { clientEnv, place, expand, expandInEnv }: Expander,
  cwd: string,
): StdioLaunch {
  // Relative folders of PATH would be the session's, where nobody approved what is in them.
  const isBound = needsApproval(source) || isAbsolute(expand(definition.cwd ?? ''));
  const safePath = (env: Record<string, string>): Record<string, string> =>
    isBound ? env : absolutePath(env);
  // No approval covers what such a file holds, so it is read only for an entry in a file of the user's own.
  const isRead = !needsApproval(source) && source.scope !== 'command-line';
  const envFile = isRead && definition.envFile ? resolve(cwd, expand(definition.envFile)) : undefined;
  return {
    command: expand(definition.command),
    args: definition.args.map(expand),
    cwd: resolve((dialect.pluginCwd && source.root) || cwd, expand(definition.cwd ?? '')),
    env: mergedEnv([
      inherited(clientEnv, dialect, definition.passEnv ?? []),
      HERE.windows && !isBound ? NO_SESSION_FOLDER : {},
      added(dialect.adds, source.root, place),
      safePath(envFile === undefined ? {} : fileVariables(envFile)),
      safePath(mapValues(definition.env, expandInEnv)),
    ]),
    ...(envFile !== undefined && { envFile }),
  };
}

/** Returns the variables in a file of lines `NAME=value`; none when the file can't be read. */
const fileVariables = (file: string): Record<string, string> =>
  quietly(() => parseEnv(readText(file)) as Record<string, string>) ?? {};

/** Returns the variables that a client adds. Variables with a plugin's folder are set only for a plugin's servers. */
function added(
  adds: Readonly<Record<string, string>>,
  root: string | undefined,
  place: (value: string) => string,
): Record<string, string> {
  const fitting = Object.entries(adds).filter(([, value]) => root !== undefined || !value.includes('<root>'));
  return mapValues(Object.fromEntries(fitting), place);
}

function inherited(
  clientEnv: Env,
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
    Object.entries(clientEnv).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0]),
    ),
  );
}
