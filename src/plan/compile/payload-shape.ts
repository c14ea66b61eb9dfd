import type { Client } from '../../clients/client.ts';
import { nativeEvent } from '../../clients/index.ts';
import { PAYLOAD_RULES } from '../../clients/protocol.ts';
import { canonicalNames, toolPrefixes } from '../../clients/tools.ts';
import type { PayloadShape } from '../../fire/format.ts';
import type { ServerNames } from './server-tools.ts';

/** Payload fields that only some conditions and templates need. */
export type OptionalField = keyof Pick<PayloadShape, 'outcome' | 'shell' | 'files' | 'source' | 'prompt'>;

/** Returns the paths at which payloads of a native event hold the values that its hooks need. */
export function payloadShape(
  client: Client,
  native: string,
  servers: ServerNames,
  neededFields: ReadonlySet<OptionalField>,
): PayloadShape {
  const { tools, protocol } = client;
  const { input } = protocol;
  const event = nativeEvent(client, native);
  const natives = Object.values(tools.names).flat();
  const aliases = [...new Set([...servers.known, servers.alias])];
  const prefixes = aliases.flatMap((alias) =>
    toolPrefixes(tools.mcp, alias).map((prefix): [string, string] => [prefix, alias]),
  );
  const { alias: server, ownTools } = servers;
  return {
    session: input.session,
    ...(input.agent && { agent: input.agent }),
    toolName: input.toolName,
    toolInput: input.toolInput,
    ...(event.output && { toolOutput: event.output }),
    ...(tools.outputIsText && { outputIsText: true }),
    ...(tools.payload.server && { server: tools.payload.server }),
    ...(tools.payload.tool && { serverTool: tools.payload.tool }),
    ...Object.fromEntries(PAYLOAD_RULES.flatMap((rule) => (event[rule] ? [[rule, event[rule]]] : []))),
    ...(protocol.otherHosts && { foreign: protocol.otherHosts }),
    ...(protocol.startFolderEnv && { startFolderEnv: protocol.startFolderEnv }),
    ...optionalFields(client, native, neededFields),
    names: Object.fromEntries(natives.map((name) => [name, canonicalNames(tools, name)])),
    ...(ownTools && { own: { server, tools: [...ownTools] } }),
    prefixes: prefixes.sort((a, b) => b[0].length - a[0].length || (a[0] < b[0] ? -1 : 1)),
  };
}

function optionalFields(
  { conditions, natives }: Client,
  native: string,
  neededFields: ReadonlySet<OptionalField>,
): Pick<PayloadShape, OptionalField> {
  const { shell, files, source } = conditions;
  const outcome = conditions.outcome[native];
  const prompt = natives[native]?.prompt;
  return {
    ...(neededFields.has('prompt') && prompt && { prompt }),
    ...(neededFields.has('outcome') && outcome && { outcome }),
    ...(neededFields.has('shell') && { shell: { ...shell } }),
    ...(neededFields.has('files') && { files: { ...files } }),
    ...(neededFields.has('source') &&
      'native' in source &&
      source.native === native && { source: { path: source.path, words: { ...source.words } } }),
  };
}
