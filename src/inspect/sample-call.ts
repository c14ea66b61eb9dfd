import { resolve } from 'node:path';
import { ifText, jsonOrUndefined } from '../base/json-value.ts';
import type { Client } from '../clients/client.ts';
import type { FileFields } from '../clients/conditions.ts';
import type { Paths } from '../clients/protocol.ts';
import { CANONICAL_TOOLS, mcpToolName, missingTools, nativeNames } from '../clients/tools.ts';
import { mcpParts } from '../declarations/canonical-name.ts';
import type { Declaration } from '../declarations/types.ts';
import { kindOf } from '../declarations/when.ts';
import type { FireHook, PayloadShape } from '../fire/format.ts';
import { acceptedName, type Payload, refusal, toolOf } from '../fire/payload.ts';
import { readShellLine, unmet } from '../fire/programs/conditions.ts';
import type { projectOf } from '../fire/project.ts';
import { put } from '../fire/text/render.ts';
import { serialised } from '../fire/text/values.ts';
import { isGlob } from '../plan/compile/server-tools.ts';
import { shellQuote } from '../shims/script.ts';

/** A call of a tool. */
export interface TriedCall {
  /** Canonical name, or the client's own name of a tool without one. */
  tool: string;
  input: unknown;
}

/** A hook on a client, for which a call is wanted. */
export interface CalledHook {
  client: Client;
  hook: FireHook;
  shape: PayloadShape;
  declaration: Declaration;
  /** Alias of the declaring server, and names of its tools as far as they are known. */
  server: string;
  tools: readonly string[];
  project: ReturnType<typeof projectOf>;
}

/** The command, the file and the tool of a server that stand for any. */
const COMMAND = 'git commit';
const SEARCH = 'grep -rn TODO .';
const FILE = 'src/example.txt';
const TOOL = 'some_tool';
/** Most tools of a server that are tried: each is tried with several inputs, for each hook on each client. */
const MOST_TOOLS = 50;

/**
 * Returns a call that a hook accepts by its matcher and by its conditions on commands and paths, and the canonical name
 * by which it does; undefined: none can be derived. What is given of the call stays.
 */
export function sampleCall(
  about: CalledHook,
  given: Partial<TriedCall> = {},
): (TriedCall & { name: string }) | undefined {
  const { client } = about;
  for (const tool of given.tool === undefined ? toolsFor(about) : [given.tool])
    for (const input of given.input === undefined ? inputsFor(tool, client, about) : [given.input]) {
      const name = nameIfAccepted({ tool, input }, about);
      if (name !== undefined) return { tool, input, name };
    }
  return undefined;
}

/** Returns an input that a client's tool may have. */
export const sampleInput = (tool: string, client: Client, project: CalledHook['project']): unknown =>
  inputsFor(tool, client, { project })[0];

/** Returns the names of a server's tools that its declarations call, or test for calls. */
export const toolsNamed = (declarations: readonly Declaration[]): string[] =>
  declarations
    .flatMap(({ context_tool, when }) => [context_tool ?? [], when?.unless_called?.tools ?? []].flat())
    .filter((name) => !isGlob(name));

function nameIfAccepted(call: TriedCall, about: CalledHook): string | undefined {
  const { client, hook, shape, project } = about;
  const payload: Payload = { cwd: project.tree };
  for (const [path, value] of callFields(client, call, [about.server])) put(payload, path, value);
  const tool = toolOf(payload, shape, readShellLine);
  if (refusal(hook, tool, serialised(call.input))) return undefined;
  const { command, paths } = hook.when ?? {};
  const tests = { ...hook, when: { ...(command && { command }), ...(paths && { paths }) } };
  const here = { payload, shape, projectDir: project.root, tree: project.tree, ...(tool && { tool }) };
  return unmet(here, tests) ? undefined : acceptedName(hook, tool);
}

/** Returns tools that a hook may accept, likely ones first. */
function toolsFor({ client, hook, shape, declaration, server: own, tools }: CalledHook): string[] {
  const { matcher, when } = declaration;
  const globs = (when?.tools ?? [matcher?.tool_name ?? '*']).filter((glob) => kindOf(glob) === undefined);
  const { shell, files, kinds } = client.conditions;
  const missing = missingTools(client.tools);
  const named = hook.match?.server;
  const servers = [named ?? [], own, shape.prefixes.map(([, alias]) => alias)].flat();
  const ofServers = globs.flatMap((glob) => {
    const { server, tool } = mcpParts(glob) ?? { server: '*', tool: glob.replace(/^mcp__/, '') };
    const any = [...servers, ...(isGlob(server) ? [] : [server])].map(
      (one) => `mcp__${one}__${filled(tool)}`,
    );
    return [
      ...(isGlob(tool) ? tools.slice(0, MOST_TOOLS).map((name) => `mcp__${own}__${name}`) : []),
      ...(isName(filled(tool)) ? any : []),
    ];
  });
  const builtIn = [
    'Bash',
    ...globs.filter((glob) => !isGlob(glob) && isName(glob)),
    ...CANONICAL_TOOLS,
    ...[shell, files].flatMap(Object.keys),
    ...Object.values(kinds).flat(),
  ].filter((name) => !missing.includes(name));
  return [...new Set([...builtIn, ...ofServers])];
}

/** True for what can be the name of a tool: `Edit|Write` is none. */
const isName = (name: string): boolean => /^[^\s|()[\]{}^$+\\,;*?]+$/.test(name);

/** Returns a name that a glob on a server's tools fits. */
const filled = (glob: string): string =>
  /^\*+$/.test(glob)
    ? TOOL
    : glob
        .replace(/^\*+|\*+$/g, '')
        .replace(/\*+/g, 'some')
        .replaceAll('?', 'x');

/** A hook for which inputs are wanted, or none. */
type InputsFor = Pick<CalledHook, 'project'> & Partial<Pick<CalledHook, 'hook' | 'declaration'>>;

/** Returns inputs of a tool that a hook may accept, likely ones first; without a hook, usual ones. */
function inputsFor(tool: string, client: Client, about: InputsFor): unknown[] {
  const native = builtInName(client, tool);
  const { shell, files } = client.conditions;
  const contains = about.declaration?.matcher?.input_contains;
  const command = Object.hasOwn(shell, native) ? shell[native] : undefined;
  if (command !== undefined) return commandsFor(about).map((line) => ({ [command]: line }));
  const paths = filesFor(about);
  const fields = Object.hasOwn(files, native) ? files[native] : undefined;
  if (fields) return paths.map((path) => inputOn(path, fields, contains));
  if (about.hook?.when?.paths) return paths.map((path) => ({ file_path: path }));
  return [contains === undefined ? {} : { text: contains }];
}

function commandsFor({ hook, declaration }: InputsFor): string[] {
  const { input_contains: contains } = declaration?.matcher ?? {};
  const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word));
  const line = hook?.when?.command?.map(quoted).join(' ');
  const both = line && contains ? `${line} ${contains}` : undefined;
  const search = contains && `grep ${shellQuote(contains)} .`;
  return [contains, meantBy(contains), line, both, COMMAND, SEARCH, search].flatMap((one) => one || []);
}

/** Returns the text that a piece of JSON stands for, with its escapes; undefined where it is no inside of a string. */
const meantBy = (contains: string | undefined): string | undefined =>
  contains === undefined ? undefined : ifText(jsonOrUndefined(`"${contains}"`));

/** Returns absolute paths that a hook's globs may fit. */
function filesFor({ hook, declaration, project }: InputsFor): string[] {
  const { below = [], whole = [] } = hook?.when?.paths ?? {};
  const contains = declaration?.matcher?.input_contains;
  const names = [
    ...[...below, ...whole].map(pathOf),
    FILE,
    ...(contains ? [contains, `example${contains}`] : []),
  ];
  return names.map((name) => resolve(project.tree, name));
}

/** Returns a path that fits a glob on paths. */
function pathOf(glob: string): string {
  const names = glob.split('/').filter((name) => !/^\*{2,}$/.test(name));
  if (/(?:^|\/)\*{2,}$/.test(glob)) names.push('example.txt');
  return names.map((name) => name.replace(/\*+/g, 'example').replaceAll('?', 'x')).join('/');
}

function inputOn(path: string, fields: FileFields, contains = 'example'): unknown {
  if ('paths' in fields) {
    const input: Payload = {};
    put(input, fields.paths[0] ?? '', path);
    return input;
  }
  const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n+${contains}\n*** End Patch`;
  const field = firstOf(fields.patch);
  return field === '' ? patch : { [field]: patch };
}

/** Returns the client's name of a tool with a canonical name that is none of an MCP server. */
export const builtInName = ({ tools: { names } }: Client, tool: string): string =>
  nativeNames({ names }, tool)[0] ?? tool;

/** Returns the first of several paths. */
export const firstOf = (paths: Paths): string => [paths].flat()[0] ?? '';

/**
 * Returns the payload fields of a call, by path; `mcp__<server>__<tool>` is a tool of an MCP server. `servers`: aliases,
 * which may hold `__`, as far as they are known.
 */
export function callFields(
  client: Client,
  { tool, input: given }: TriedCall,
  servers: readonly string[],
): [path: string, value: unknown][] {
  const { mcp, payload } = client.tools;
  const { input } = client.protocol;
  const known = servers.find((one) => tool.startsWith(`mcp__${one}__`));
  const { server, tool: own } =
    (known === undefined ? mcpParts(tool) : { server: known, tool: tool.slice(`mcp__${known}__`.length) }) ??
    {};
  const isServers = server !== undefined && own !== undefined && own !== '';
  const fields: [Paths | undefined, unknown][] = [
    [input.toolName, isServers ? mcpToolName(mcp, server, own) : builtInName(client, tool)],
    ...(isServers
      ? ([
          [payload.server, server],
          [payload.tool, own],
        ] as [Paths | undefined, unknown][])
      : []),
    [input.toolInput, given],
  ];
  return fields.flatMap(([paths, value]) => (paths === undefined ? [] : [[firstOf(paths), value]]));
}
