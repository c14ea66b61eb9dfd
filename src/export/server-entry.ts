import { oneLine } from '../base/visible.ts';
import type { Client } from '../clients/client.ts';
import type { EntryKeys, McpDialect } from '../clients/mcp-config.ts';
import { Fault } from '../messages/fault.ts';
import type { FaultArgsOf } from '../messages/faults.ts';
import { showDefinition } from '../servers/masking/mask.ts';
import { literalSecrets } from '../servers/masking/secrets.ts';
import type { Definition, HttpDefinition, StdioDefinition } from '../servers/types.ts';

/** MCP server entry of a plugin, and the variables that each machine has to set. */
interface PluginServer {
  entry: Record<string, unknown>;
  variables: string[];
}

/** The part of a definition that the client's plugins have no place for. */
type NoEntry = Omit<FaultArgsOf['export.inexpressible'], 'client'>;

/**
 * Writes a definition as an entry for other machines: with names of variables, but no values and no secrets. Throws a
 * Fault: `export.secret`, `export.inexpressible`, `server.sse`.
 */
export function pluginServer(definition: Definition, client: Client, dialect: McpDialect): PluginServer {
  const secrets = literalSecrets(definition);
  if (secrets.length > 0) throw new Fault('export.secret', { places: secrets });
  if (definition.transport === 'sse') throw new Fault('server.sse', { url: showDefinition(definition) });
  if (definition.transport !== 'stdio' && definition.heldBy)
    throw new Fault('export.inexpressible', { client: client.title, what: 'access' });
  const written = definition.transport === 'stdio' ? stdio(definition, dialect) : http(definition, dialect);
  if ('what' in written) throw new Fault('export.inexpressible', { client: client.title, ...written });
  return written;
}

function stdio(definition: StdioDefinition, dialect: McpDialect): PluginServer | NoEntry {
  const { keys } = dialect;
  const { command, args, cwd, env, envFile, passEnv = [] } = definition;
  const variables = [...new Set([...Object.keys(env), ...passEnv])].sort();
  if (cwd !== undefined && keys.cwd === undefined) return { what: 'folder' };
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

/** Returns the field that passes the machine's variables to the server, in the client's form. */
function passed(names: readonly string[], { keys }: McpDialect): Record<string, unknown> {
  return keys.passEnv
    ? { [keys.passEnv]: names }
    : { [keys.env]: Object.fromEntries(names.map((name) => [name, `\${${name}}`])) };
}

/** `${NAME}`, optionally after a scheme such as `Bearer`. */
const REFERENCE = /^(?:([A-Za-z]+) )?\$\{(\w+)\}$/;

function http(definition: HttpDefinition, { keys, expand }: McpDialect): PluginServer | NoEntry {
  const { url, headers, envHeaders = {}, bearerEnv } = definition;
  const wanted: Record<string, string> = {
    ...headers,
    ...Object.fromEntries(Object.entries(envHeaders).map(([name, variable]) => [name, `\${${variable}}`])),
    ...(bearerEnv && { Authorization: `Bearer \${${bearerEnv}}` }),
  };
  // Any literal header value may be a secret, whatever the header's name.
  const literal = Object.keys(wanted).filter((name) => !REFERENCE.test(wanted[name] ?? ''));
  if (literal.length > 0) throw new Fault('export.secret', { places: literal });
  const texts = [url, ...Object.values(wanted)];
  const variables = texts.flatMap((text) => [...text.matchAll(/\$\{(\w+)\}/g)].map((m) => m[1] ?? ''));
  const entry: Record<string, unknown> = {
    ...(keys.url.length === 1 && expand !== 'none' && { type: 'http' }),
    [addressKey(keys)]: url,
  };
  const done = { entry, variables: [...new Set(variables)].sort() };
  if (expand !== 'none') {
    if (Object.keys(wanted).length > 0) entry[keys.headers] = wanted;
    return done;
  }
  if (url.includes('${')) return { what: 'url', value: oneLine(url) };
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
