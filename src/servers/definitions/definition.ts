import { stripComments } from 'jsonc-parser';
import { withoutFinalCommas } from '../../base/final-commas.ts';
import { isObject, shallow, valueAt } from '../../base/json-value.ts';
import { quietly } from '../../base/quietly.ts';
import { readText } from '../../base/read-file.ts';
import { tomlTable } from '../../base/toml.ts';
import type { EntryKeys, McpDialect } from '../../clients/mcp-config.ts';
import { includesUnapproved } from '../included-files.ts';
import type { Absence, Definition, DefinitionSource } from '../types.ts';

type ConfigTable = Readonly<Record<string, unknown>>;

/** Parses a configuration file. Throws the parser's error, and a RangeError for a value nested too deeply. */
export function parseConfig(text: string, file: string, format: McpDialect['format']): unknown {
  return shallow(parsed(text, file, format));
}

function parsed(text: string, file: string, format: McpDialect['format']): unknown {
  if (file.endsWith('.toml')) return tomlTable(text);
  const bare = text.replace(/^\uFEFF/, '');
  if (!format.startsWith('jsonc')) return JSON.parse(bare);
  // Most files have no comments, and JSON.parse is faster than the parser for comments.
  try {
    return JSON.parse(bare);
  } catch {
    const plain = stripComments(bare, ' ');
    return JSON.parse(format === 'jsonc,' ? withoutFinalCommas(plain) : plain);
  }
}

/** Returns the approved entry as it is in its file now; undefined when the entry is gone, off or unreadable. */
export function readEntry(source: DefinitionSource, dialect: McpDialect): Definition | undefined {
  const { file } = source;
  if (file === undefined) return undefined;
  const found = quietly(() => entryIn(parseConfig(readText(file), file, dialect.format), source, dialect));
  return typeof found === 'string' ? undefined : found;
}

/** Returns the entry at a place in a file's value, or why there is none. */
export function entryIn(
  config: unknown,
  source: DefinitionSource,
  dialect: McpDialect,
): Definition | Absence {
  const entry = valueAt(config, source.pointer ?? []);
  if (entry === undefined) return 'removed';
  if (includesUnapproved(entry, source, dialect)) return 'unusable';
  return isOff(entry, dialect.keys) ? 'off' : (toDefinition(entry, dialect.keys) ?? 'unusable');
}

/** True when the entry itself switches the server off. */
export function isOff(entry: unknown, keys: EntryKeys): boolean {
  const says = (key: string | undefined, value: boolean): boolean =>
    key !== undefined && valueAt(entry, [key]) === value;
  return says(keys.enabled, false) || says(keys.disabled, true);
}

const text = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns the text values of a table; numbers and booleans become texts, as in a client's environment. */
function texts(value: unknown): Record<string, string> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries
      .filter(([, v]) => ['string', 'number', 'boolean'].includes(typeof v))
      .map(([k, v]) => [k, String(v)]),
  );
}

const TRANSPORTS: NonNullable<EntryKeys['types']> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  sse: 'sse',
};

/**
 * Converts a client's entry to a Definition; undefined for an unusable entry (a WebSocket, no command, a malformed
 * list).
 */
export function toDefinition(entry: unknown, keys: EntryKeys): Definition | undefined {
  if (!isObject(entry)) return undefined;
  const types = keys.types ?? TRANSPORTS;
  const transport =
    entry.type === undefined ? undefined : (valueAt(types, [String(entry.type)]) ?? 'unknown');
  const line = keys.argv === undefined ? [entry.command, ...list(entry.args ?? [])] : list(entry[keys.argv]);
  const url = keys.url.map((key) => entry[key]).find(text);
  if (text(line[0]) && (transport ?? 'stdio') === 'stdio') return stdio(entry, line, keys);
  if (url === undefined || transport === 'stdio' || transport === 'unknown') return undefined;
  return http(entry, url, transport === 'sse' ? 'sse' : 'http', keys);
}

/** Returns a list's items. A value that isn't a list becomes one item, which no program accepts. */
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [undefined]);

function stdio(entry: ConfigTable, line: readonly unknown[], keys: EntryKeys): Definition | undefined {
  if (!line.every((word) => typeof word === 'string')) return undefined;
  const [command = '', ...args] = line;
  const cwd = keys.cwd === undefined ? undefined : entry[keys.cwd];
  const envFile = keys.envFile === undefined ? undefined : entry[keys.envFile];
  const passEnv = keys.passEnv === undefined ? undefined : entry[keys.passEnv];
  return {
    transport: 'stdio',
    command,
    args,
    ...(text(cwd) && { cwd }),
    env: texts(entry[keys.env]),
    ...(text(envFile) && { envFile }),
    ...(Array.isArray(passEnv) && { passEnv: passEnv.filter(text) }),
  };
}

function http(entry: ConfigTable, url: string, transport: 'http' | 'sse', keys: EntryKeys): Definition {
  const bearerEnv = keys.bearerEnv === undefined ? undefined : entry[keys.bearerEnv];
  const held = Object.entries(keys.held).find(
    ([key]) => Boolean(entry[key]) && valueAt(entry[key], ['enabled']) !== false,
  );
  return {
    transport,
    url,
    headers: texts(entry[keys.headers]),
    ...(keys.envHeaders !== undefined &&
      isObject(entry[keys.envHeaders]) && { envHeaders: texts(entry[keys.envHeaders]) }),
    ...(text(bearerEnv) && { bearerEnv }),
    ...(held && { heldBy: held[1] }),
  };
}
