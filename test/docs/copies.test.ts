// The files of examples/authors, for authors to copy: against the SDKs of their languages where those can be had.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Hook, hooksCapabilities } from '../../src/api/hooks.ts';
import { EVENTS } from '../../src/declarations/types.ts';
import { ERAS } from '../api/ask.ts';
import { cleanWorlds } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { block, root, worldWithProgram } from './page.ts';

cleanWorlds();

const folder = join(root, 'examples/authors');
const HOOKS: Hook[] = [
  { event: 'session_start', context_tool: 'recall', priority: 'important' },
  {
    event: 'post_tool_use',
    context: 'You committed.',
    priority: 'suggestion',
    when: { command: ['git', 'commit'] },
  },
  {
    event: 'pre_tool_use',
    context: 'There is an index.',
    priority: 'suggestion',
    when: { tools: ['any:search'], otherwise: 'drop' },
  },
];
const OWN = 'io.github.mcphooks/hooks';
const some = { supported_events: ['session_start', 'post_tool_use', 'an_event_of_tomorrow'] };
/** What clients announce, and the events that they get; undefined: no hooks at all. */
const ANNOUNCED: readonly (readonly [object, readonly string[] | undefined])[] = [
  [{ hooks: { supported_events: EVENTS } }, EVENTS],
  [{ experimental: { hooks: some } }, some.supported_events],
  [{ extensions: { [OWN]: some } }, some.supported_events],
  [{ extensions: { [OWN]: {} } }, EVENTS],
  [{}, undefined],
];
const wanted = (events: readonly string[] | undefined) =>
  events && hooksCapabilities({ declarations: HOOKS as never }, events);

const succeeds = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

/** Where something can't be had, the tests that need it are skipped, and say so. */
function unless(had: boolean, what: string): (run: () => void) => void {
  if (!had) console.warn(`SKIPPED, since ${what}`);
  return had ? (run) => run() : (run) => describe.skip(what, run);
}

it.each(['hooks.py', 'hooks.go'])('%s is short enough to copy', (name) => {
  expect(readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
});

const python = process.env.MCPHOOKS_PYTHON ?? 'python3';

unless(
  succeeds(python, '-c', ''),
  'there is no Python',
)(() =>
  describe('hooks.py', () => {
    const evaluate = (expression: string, given: unknown): unknown =>
      JSON.parse(
        execFileSync(
          python,
          ['-B', '-c', `import json, sys, hooks\nx = json.load(sys.stdin)\nprint(json.dumps(${expression}))`],
          { cwd: folder, input: JSON.stringify(given), encoding: 'utf8' },
        ),
      );

    it('gives each place what the library gives it', () => {
      const events = [EVENTS, some.supported_events, []];
      const given = evaluate('[hooks.hooks_capabilities(x[0], e) for e in x[1]]', [HOOKS, events]);
      expect(given).toEqual(events.map(wanted));
    });

    it.runIf(LONG)('reads what a client announces', () => {
      const events = evaluate('[hooks.announced(c) for c in x]', [
        ...ANNOUNCED.map(([c]) => c),
        null,
        { hooks: 1 },
      ]);
      expect(events).toEqual([...ANNOUNCED.map(([, e]) => e ?? null), null, null]);
    });
  }),
);

const hasPythonSdk = succeeds(python, '-c', 'import mcp.server.mcpserver');

unless(
  hasPythonSdk,
  'the Python SDK 2.x is not installed (MCPHOOKS_PYTHON: an interpreter that has it)',
)(() => {
  it('docs/authors.md shows a server in Python that lint has nothing to say of', async () => {
    const world = worldWithProgram();
    world.write('project/hooks.py', readFileSync(join(folder, 'hooks.py'), 'utf8'));
    const file = world.write('project/notebook.py', block('authors.md', 'python', '# notebook.py'));
    const { stdout } = await world.spawn('lint', '--json', 'notebook', '--', python, '-B', file);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'clean',
      exit: 0,
      declarations: [{ event: 'session_start' }],
    });
  });

  describe.each(['MCPServer', 'Server'])('hooks.py with the Python SDK, %s', (kind) => {
    const program = () => {
      const world = worldWithProgram();
      const low = `from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
import anyio, mcp.types as types
async def tools(ctx, params):
    return types.ListToolsResult(tools=[types.Tool(name="recall", input_schema={"type": "object"})])
server = Server("memo", on_list_tools=tools)
server.middleware.append(declare_hooks(HOOKS))
async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options(experimental_capabilities={"other": {"a": 1}}))
anyio.run(main)`;
      const high = `from mcp.server.mcpserver import MCPServer
server = MCPServer("memo")
server.middleware.append(declare_hooks(HOOKS))
@server.tool()
def recall() -> str:
    return "a note"
server.run()`;
      const begin = `import json, sys\nsys.path.insert(0, ${JSON.stringify(folder)})\nsys.dont_write_bytecode = True
from hooks import declare_hooks\nHOOKS = json.loads(${JSON.stringify(JSON.stringify(HOOKS))})\n`;
      const file = world.write('project/server.py', begin + (kind === 'Server' ? low : high));
      return { world, command: [python, file] };
    };

    it.each(Object.entries(ERAS))(
      'declares in all places what the client announced: %s',
      async (era, ask) => {
        const { command } = program();
        // Some events, and none; how every announcement is read is tested above.
        for (const [capabilities, events] of [...ANNOUNCED.slice(1, 2), ...ANNOUNCED.slice(-1)]) {
          const answer = (await ask(command, capabilities)) as Record<string, Record<string, unknown>>;
          const { hooks, extensions } = wanted(events) ?? {};
          expect([answer.hooks, answer.experimental?.hooks, answer.extensions?.[OWN]]).toEqual([
            hooks,
            hooks,
            extensions?.[OWN],
          ]);
          expect(answer.tools).toBeDefined();
          if (kind === 'Server' && era === 'initialize') expect(answer.experimental?.other).toEqual({ a: 1 });
        }
      },
    );

    it('is read by the real program', async () => {
      const { world, command } = program();
      const { stdout } = await world.spawn('lint', '--json', 'memo', '--', ...command);
      expect(JSON.parse(stdout)).toMatchObject({ exit: 0, declarations: HOOKS });
    });
  });
});

const goVersion = /go1\.(\d+)/.exec(spawnSync('go', ['version'], { encoding: 'utf8' }).stdout ?? '')?.[1];

unless(
  Number(goVersion) >= 25,
  'there is no Go 1.25 or later, which the Go SDK needs',
)(() =>
  describe('hooks.go with the Go SDK', () => {
    it.each(Object.entries(ERAS))(
      'declares in our extension what the client announced: %s',
      async (_, ask) => {
        const world = worldWithProgram();
        const declared = JSON.stringify(JSON.stringify(HOOKS));
        world.write('project/hooks/hooks.go', readFileSync(join(folder, 'hooks.go'), 'utf8'));
        world.write('project/go.mod', 'module memo\n\ngo 1.25.0\n');
        world.write(
          'project/main.go',
          `package main

import (
	"context"
	"encoding/json"
	"log"
	"memo/hooks"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	var list []map[string]any
	if err := json.Unmarshal([]byte(${declared}), &list); err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "memo", Version: "1.0.0"}, nil)
	server.AddReceivingMiddleware(hooks.Declare(list))
	log.Fatal(server.Run(context.Background(), &mcp.StdioTransport{}))
}
`,
        );
        const go = (...args: string[]) => execFileSync('go', args, { cwd: world.project });
        go('get', 'github.com/modelcontextprotocol/go-sdk@v1.7.0');
        go('build', '-o', 'memo', '.');
        for (const [capabilities, events] of ANNOUNCED.filter(([said]) => !('hooks' in said))) {
          const answer = await ask([join(world.project, 'memo')], capabilities);
          const { extensions } = answer as { extensions?: Record<string, unknown> };
          expect(extensions?.[OWN]).toEqual(wanted(events)?.extensions[OWN]);
        }
      },
    );
  }),
);
