import { resolve, sep } from 'node:path';
import { stripComments } from 'jsonc-parser';
import type { EntryKeys, McpDialect } from '../fire/types.ts';
import type { Env } from '../paths.ts';
import { readNow } from '../read-now.ts';
import { tomlTable } from '../toml.ts';
import { showDefinition } from './mask.ts';
import type { Definition, DefinitionSource, ServerEntry } from './types.ts';

export { definitionHash, destination, literalSecrets, showDefinition } from './mask.ts';

/** Ready to start or reach: variables expanded. Holds secrets; never leaves the process. */
export type Launch =
  | { command: string; args: string[]; cwd: string; env: Record<string, string> }
  | { url: string; headers: Record<string, string> };

/** A project's own files may come from a stranger (contract, "Trust"). */
export function needsApproval(source: DefinitionSource): boolean {
  return source.scope === 'project';
}

/** `showDefinition`, with nothing that could be code left out where a stranger may have written it. */
export function showEntry({ definition, source }: Pick<ServerEntry, 'definition' | 'source'>): string {
  return showDefinition(definition, { strict: needsApproval(source) });
}

type Table = Readonly<Record<string, unknown>>;
const isTable = (value: unknown): value is Table =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** A configuration file as a value. Throws what the parser throws. */
export function parseConfig(text: string, file: string, format: McpDialect['format']): unknown {
  if (file.endsWith('.toml')) return tomlTable(text);
  const bare = text.replace(/^\uFEFF/, '');
  if (format !== 'jsonc') return JSON.parse(bare);
  // Most files have no comments, and looking for them takes longer than reading.
  try {
    return JSON.parse(bare);
  } catch {
    return JSON.parse(stripComments(bare, ' '));
  }
}

/** The value at a path of own keys. */
export function lookUp(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (isTable(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    value,
  );
}

/** The entry that an approval was given for, as it stands in its file now; undefined when it is gone, off or unreadable. */
export function readEntry(source: DefinitionSource, dialect: McpDialect): Definition | undefined {
  if (source.file === undefined) return undefined;
  try {
    const config = parseConfig(readNow(source.file).toString(), source.file, dialect.format);
    const entry = lookUp(config, source.pointer ?? []);
    return isOff(entry, dialect.keys) ? undefined : toDefinition(entry, dialect.keys);
  } catch {
    return undefined;
  }
}

/** The entry itself says that it is switched off. */
export function isOff(entry: unknown, keys: EntryKeys): boolean {
  return keys.enabled !== undefined && lookUp(entry, [keys.enabled]) === false;
}

const text = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Text values of a table; numbers and booleans as clients write them into an environment. */
function texts(value: unknown): Record<string, string> {
  const entries = isTable(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries
      .filter(([, v]) => ['string', 'number', 'boolean'].includes(typeof v))
      .map(([k, v]) => [k, String(v)]),
  );
}

const TRANSPORTS: Readonly<Record<string, 'http' | 'sse'>> = {
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  sse: 'sse',
};

/** A client's entry in our terms; undefined when it is none that we can use (a WebSocket, no command, a malformed list). */
export function toDefinition(entry: unknown, keys: EntryKeys): Definition | undefined {
  if (!isTable(entry)) return undefined;
  const type = entry.type ?? 'stdio';
  const url = keys.url.map((key) => entry[key]).find(text);
  if (text(entry.command) && type === 'stdio') return stdio(entry, entry.command, keys);
  if (url === undefined) return undefined;
  const transport = entry.type === undefined ? 'http' : TRANSPORTS[String(entry.type)];
  return transport && http(entry, url, transport, keys);
}

function stdio(entry: Table, command: string, keys: EntryKeys): Definition | undefined {
  const args = entry.args ?? [];
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) return undefined;
  const cwd = keys.cwd === undefined ? undefined : entry[keys.cwd];
  const passEnv = keys.passEnv === undefined ? undefined : entry[keys.passEnv];
  return {
    transport: 'stdio',
    command,
    args,
    ...(text(cwd) && { cwd }),
    env: texts(entry[keys.env]),
    ...(Array.isArray(passEnv) && { passEnv: passEnv.filter(text) }),
  };
}

function http(entry: Table, url: string, transport: 'http' | 'sse', keys: EntryKeys): Definition {
  const bearerEnv = keys.bearerEnv === undefined ? undefined : entry[keys.bearerEnv];
  const held = Object.entries(keys.held).find(
    ([key]) => Boolean(entry[key]) && lookUp(entry[key], ['enabled']) !== false,
  );
  return {
    transport,
    url,
    headers: texts(entry[keys.headers]),
    ...(keys.envHeaders !== undefined &&
      isTable(entry[keys.envHeaders]) && { envHeaders: texts(entry[keys.envHeaders]) }),
    ...(text(bearerEnv) && { bearerEnv }),
    ...(held && { heldBy: held[1] }),
  };
}

/**
 * What the client that holds the definition would start or reach. `hookEnv` is the environment of a hook of that
 * client, or of a shell; `cwd` the folder of the session.
 */
export function launch(
  definition: Definition,
  dialect: McpDialect,
  source: DefinitionSource,
  hookEnv: Env,
  cwd: string,
): Launch {
  const own = Object.fromEntries(
    Object.entries(hookEnv).filter(([name]) => !dialect.hookOnly.includes(name)),
  );
  const place = (value: string): string =>
    value
      .replaceAll('<root>', source.root ?? '')
      .replaceAll('<cwd>', cwd)
      .replaceAll('<sep>', sep);
  const stands = (name: string): string | undefined => {
    const meaning = Object.hasOwn(dialect.stands, name) ? dialect.stands[name] : undefined;
    if (meaning === undefined || (meaning.includes('<root>') && source.root === undefined)) return undefined;
    return place(meaning);
  };
  const expand = (value: string, unset?: string): string =>
    value.replace(REFERENCE, (whole, braced?: string, fallback?: string, plain?: string) => {
      const name = braced ?? plain ?? '';
      const meant = plain === undefined ? stands(name) : undefined;
      if (meant !== undefined) return meant;
      if (dialect.expand === 'none' || (plain !== undefined && dialect.expand === 'braces')) return whole;
      return own[name] ?? fallback ?? unset ?? whole;
    });
  if (definition.transport !== 'stdio') {
    const { url, headers, envHeaders = {}, bearerEnv } = definition;
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
  return {
    command: expand(definition.command),
    args: definition.args.map((arg) => expand(arg)),
    cwd: resolve(cwd, expand(definition.cwd ?? '')),
    env: {
      ...inherited(own, dialect, definition.passEnv ?? []),
      ...added(dialect.adds, source.root, place),
      ...mapValues(definition.env, (value) => expand(value, dialect.emptyInEnv && '')),
    },
  };
}

/** Variables that stand for a plugin's folder are set for a plugin's servers alone. */
function added(
  adds: Readonly<Record<string, string>>,
  root: string | undefined,
  place: (value: string) => string,
): Record<string, string> {
  const fitting = Object.entries(adds).filter(([, value]) => root !== undefined || !value.includes('<root>'));
  return mapValues(Object.fromEntries(fitting), place);
}

/** `${NAME}`, `${NAME:-default}` and `$NAME`; `${/}` is Gemini CLI's path separator. */
const REFERENCE = /\$\{([A-Za-z_]\w*|\/)(?::-([^}]*))?\}|\$([A-Za-z_]\w*)/g;

const mapValues = (
  table: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, change(value)]));

function inherited(
  own: Env,
  { inherits, drops }: McpDialect,
  passed: readonly string[],
): Record<string, string> {
  const dropped = drops === undefined ? undefined : new RegExp(drops, 'i');
  const wanted = (name: string): boolean =>
    passed.includes(name) || (inherits === 'all' ? !dropped?.test(name) : inherits.includes(name));
  return Object.fromEntries(
    Object.entries(own).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0]),
    ),
  );
}
