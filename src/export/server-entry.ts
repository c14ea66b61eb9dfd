import { mapValues } from '../base/json-value.ts';
import { oneLine } from '../base/visible.ts';
import type { Client } from '../clients/client.ts';
import type { EntryKeys, McpDialect } from '../clients/mcp-config.ts';
import { Fault } from '../messages/fault.ts';
import type { FaultArgsOf } from '../messages/faults.ts';
import { COMMAND_LINE_DIALECT, dialectOf } from '../servers/definitions/resolve.ts';
import { referenceParts } from '../servers/launch/references.ts';
import { showDefinition } from '../servers/masking/mask.ts';
import { literalSecrets } from '../servers/masking/secrets.ts';
import type {
  Definition,
  DefinitionSource,
  FoundEntry,
  HttpDefinition,
  StdioDefinition,
} from '../servers/types.ts';
import { type NoEqual, type Reading, referencesOf, shownReference, translated } from './references.ts';

/** MCP server entry of a plugin, and the variables that each machine has to set. */
interface PluginServer {
  entry: Record<string, unknown>;
  variables: string[];
}

/** The part of a definition that the client's plugins have no place for. */
type NoEntry = Omit<FaultArgsOf['export.inexpressible'], 'client'>;

/** A server, and where it is defined, which decides how its references are read. */
export type ServerToPack = Pick<FoundEntry, 'definition' | 'source'>;

/**
 * Writes a definition as an entry for other machines: with names of variables in the client's form, but no values and no
 * secrets. Throws a Fault: `export.reference`, `export.secret`, `export.inexpressible`, `server.sse`.
 */
export function pluginServer(server: ServerToPack, client: Client): PluginServer {
  const { dialect } = client.mcp;
  const to = { dialect, hasRoot: true };
  if (server.definition.transport === 'sse')
    throw new Fault('server.sse', { url: showDefinition(server.definition) });
  const definition = inDialect(server, to, client.title);
  const parts = textsOf(definition).flatMap((text) => referencesOf(text, to));
  const secrets = literalSecrets(definition);
  if (secrets.length > 0) throw new Fault('export.secret', { places: secrets });
  if (definition.transport !== 'stdio' && definition.heldBy)
    throw new Fault('export.inexpressible', { client: client.title, what: 'access' });
  const written = definition.transport === 'stdio' ? stdio(definition, dialect) : http(definition, dialect);
  if ('what' in written) throw new Fault('export.inexpressible', { client: client.title, ...written });
  const named = parts.flatMap(({ name, fallback }) => (name && fallback === undefined ? [name] : []));
  return { ...written, variables: [...new Set([...written.variables, ...named])].sort() };
}

/** Texts, outside of variables and headers, in which clients replace references. */
const textsOf = (definition: Definition): string[] =>
  definition.transport === 'stdio'
    ? [definition.command, ...definition.args, ...(definition.cwd === undefined ? [] : [definition.cwd])]
    : [definition.url];

/** Headers have this form until they are written. */
const BRACES: Reading = { dialect: COMMAND_LINE_DIALECT, hasRoot: false };

/** Returns a definition with its references in the form of another dialect, and those of headers as `${NAME}`. */
function inDialect({ definition, source }: ServerToPack, to: Reading, client: string): Definition {
  const from = readingOf(source, to);
  const inForm = (where: FaultArgsOf['export.reference']['where'], text: string): string => {
    const own = referencesOf(text, from).find(({ place }) => place?.includes('<root>'));
    const equal: { text: string } | NoEqual =
      own && source.root !== undefined
        ? { value: shownReference(own), why: 'plugin' }
        : translated(text, from, to);
    if ('why' in equal) throw new Fault('export.reference', { client, where, ...equal });
    return equal.text;
  };
  if (definition.transport !== 'stdio') {
    const headers = mapValues(definition.headers, (value) => translated(value, from, BRACES));
    const literal = Object.entries(headers).filter(([, equal]) => 'why' in equal);
    if (literal.length > 0) throw new Fault('export.secret', { places: literal.map(([name]) => name) });
    const texts = mapValues(headers, (equal) => ('text' in equal ? equal.text : ''));
    return { ...definition, url: inForm('url', definition.url), headers: texts };
  }
  const { command, args, cwd } = definition;
  return {
    ...definition,
    command: inForm('command', command),
    args: args.map((arg) => inForm('args', arg)),
    ...(cwd !== undefined && { cwd: inForm('cwd', cwd) }),
  };
}

/** A command line may name the folder of the plugin to be, into which its author puts the server's files. */
const readingOf = (source: DefinitionSource, to: Reading): Reading =>
  source.client === undefined
    ? { dialect: { ...dialectOf(source), stands: to.dialect.stands }, hasRoot: true }
    : { dialect: dialectOf(source), hasRoot: source.root !== undefined };

function stdio(definition: StdioDefinition, dialect: McpDialect): PluginServer | NoEntry {
  const { keys } = dialect;
  const { command, args, cwd, env, envFile, passEnv = [] } = definition;
  const variables = [...new Set([...Object.keys(env), ...passEnv])].sort();
  if (cwd !== undefined && keys.cwd === undefined) return { what: 'folder' };
  const unnamed = keys.passEnv ? undefined : variables.find((name) => !isReferable(name, dialect));
  if (unnamed !== undefined) return { what: 'variable', value: oneLine(unnamed) };
  // No client with plugins has a key for a file with variables.
  if (envFile !== undefined) return { what: 'variables', value: oneLine(envFile) };
  return {
    entry: {
      command,
      args,
      ...(cwd !== undefined && keys.cwd && { [keys.cwd]: cwd }),
      ...(variables.length > 0 && passed(variables, dialect)),
    },
    variables,
  };
}

/** True when `${name}` refers to that variable: `${npm_config_@x:registry}` is plain text, and some names are folders. */
const isReferable = (name: string, dialect: McpDialect): boolean =>
  referenceParts(`\${${name}}`, dialect, { hasRoot: true })[0]?.name === name;

/** Returns the field that passes the machine's variables to the server, in the client's form. */
function passed(names: readonly string[], { keys }: McpDialect): Record<string, unknown> {
  return keys.passEnv
    ? { [keys.passEnv]: names }
    : { [keys.env]: Object.fromEntries(names.map((name) => [name, `\${${name}}`])) };
}

/** `${NAME}`, optionally after a scheme such as `Bearer`. */
const REFERENCE = /^(?:([A-Za-z]+) )?\$\{(\w+)\}$/;

function http(definition: HttpDefinition, { keys, expand, expandOnly }: McpDialect): PluginServer | NoEntry {
  const { url, headers, envHeaders = {}, bearerEnv } = definition;
  const wanted: Record<string, string> = {
    ...headers,
    ...mapValues(envHeaders, (variable) => `\${${variable}}`),
    ...(bearerEnv && { Authorization: `Bearer \${${bearerEnv}}` }),
  };
  // Any literal header value may be a secret, whatever the header's name.
  const literal = Object.keys(wanted).filter((name) => !REFERENCE.test(wanted[name] ?? ''));
  if (literal.length > 0) throw new Fault('export.secret', { places: literal });
  const variables = Object.values(wanted).map((value) => REFERENCE.exec(value)?.[2] ?? '');
  const entry: Record<string, unknown> = {
    ...(keys.url.length === 1 && expand !== 'none' && { type: 'http' }),
    [addressKey(keys)]: url,
  };
  const done = { entry, variables };
  if (expand !== 'none' && expandOnly === undefined) {
    if (Object.keys(wanted).length > 0) entry[keys.headers] = wanted;
    return done;
  }
  const named: Record<string, string> = {};
  for (const [name, value] of Object.entries(wanted)) {
    const [, scheme, variable = ''] = REFERENCE.exec(value) ?? [];
    if (!scheme && keys.envHeaders) named[name] = variable;
    else if (scheme === 'Bearer' && keys.bearerEnv && name.toLowerCase() === 'authorization')
      entry[keys.bearerEnv] = variable;
    else return { what: 'header', value: oneLine(name) };
  }
  if (keys.envHeaders && Object.keys(named).length > 0) entry[keys.envHeaders] = named;
  return done;
}

/** Gemini CLI uses its first URL key for Streamable HTTP. */
const addressKey = (keys: EntryKeys): string => keys.url[0] ?? 'url';
