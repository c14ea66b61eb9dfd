import { oneLine, visible } from '../base/visible.ts';
import { sentText } from './plan.ts';
import { toolsText } from './when-words.ts';

/** What the words on a hook's moment need of a declaration (SEP-2282; `when`: extension io.github.mcphooks/hooks). */
interface HookTrigger {
  event: string;
  matcher?: { tool_name?: string; tool_server?: string; input_contains?: string } | undefined;
  when?: { command?: unknown; path?: unknown; tools?: readonly string[] } | undefined;
}

const WHEN: Readonly<Record<string, string>> = {
  session_start: 'when a session starts',
  pre_request: 'at each prompt',
  pre_tool_use: 'before',
  post_tool_use: 'after',
  post_request: 'when a turn has ended',
  session_end: 'when a session has ended',
};

/** Returns the moment at which a declaration's hook fires, its conditions aside: `after Bash with "git" in its input`. */
export function whenText({ event, matcher, when: conditions }: HookTrigger): string {
  const when = WHEN[event] ?? event;
  if (event !== 'pre_tool_use' && event !== 'post_tool_use') return when;
  const { tools } = conditions ?? {};
  const any = conditions?.command
    ? 'a shell command'
    : conditions?.path
      ? 'a tool with a file'
      : 'every tool';
  const tool = matcher?.tool_name === '' ? '""' : (matcher?.tool_name ?? (tools ? toolsText(tools) : any));
  const of = matcher?.tool_server === undefined ? '' : ` of ${matcher.tool_server}`;
  const input = matcher?.input_contains ? ` with ${JSON.stringify(matcher.input_contains)} in its input` : '';
  return `${when} ${tool}${of}${input}`;
}

/** Returns what a plugin's manifest says of it. `packed`: hooks that are in it, of `count`. */
export function packedText(server: string, count: number, packed: number): string {
  const all = count === 1 ? 'The hook' : `The ${count} hooks`;
  const hooks = packed === count ? all : `${packed} of the ${count} hooks`;
  return `${hooks} that the MCP server '${oneLine(server)}' declares, packed by mcphooks`;
}

/** Returns the call of a hook's tool with its arguments: `search(query: "{prompt}", limit: 3)`. */
export function callText(tool: string, args: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `${tool}(${given.join(', ')})`;
}

/**
 * What a plugin's README says. `variables`: those that the plugin's server needs from each machine; `hooks`: for each its
 * number, its moment, its conditions in words, and its text, or the tool whose answer is its text, with its arguments and
 * the variables in them that contain user data.
 */
interface PluginPage {
  name: string;
  server: string;
  variables: readonly string[];
  hooks: readonly {
    n: number;
    moment: string;
    conditions: readonly string[];
    given:
      | string
      | { tool: string; args?: Readonly<Record<string, unknown>> | undefined; sends: readonly string[] };
  }[];
}

/** Returns the README of a plugin. Everything of the server's is in indented blocks, which Markdown takes as they are. */
export function pluginPage({ name, server, variables, hooks }: PluginPage): string {
  const blocks = hooks.map(({ n, moment, conditions, given }) => {
    const text =
      typeof given === 'string'
        ? [visible(given)]
        : [
            `What this call answers: ${oneLine(callText(given.tool, given.args))}`,
            ...(given.sends.length > 0 ? [sentText(given.sends)] : []),
          ];
    const head = [moment, ...conditions].map(oneLine).join('\n       ');
    const lines = text.join('\n').split('\n');
    return [`    ${n}. ${head}`, '', ...lines.map((line) => `       ${line}`.trimEnd())].join('\n');
  });
  return `# ${name}

Hooks for one MCP server, packed by mcphooks. They give the model a text at these moments. They block no tool and change
no file.

    Server: ${server}
${variables.length > 0 ? `    Variables: ${variables.join(' ')}\n\nSet these variables where the client starts: the server gets them from there.\n` : ''}
The hooks need Node.js 20.17 or later on the PATH of each machine; without it they give no text.

## Hooks and their texts

${blocks.join('\n\n')}

## License

The texts belong to the author of the hooks. The scripts are part of mcphooks: MIT License.
`;
}
