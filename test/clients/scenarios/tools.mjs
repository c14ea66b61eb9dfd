/** The tools that each client offers its model, headless and at a terminal: what tools.json holds by version. */
import { readFileSync } from 'node:fs';
import { makeBench } from '../bench.mjs';
import { noTerminal, openTui } from '../tui.mjs';

const TOOLS = JSON.parse(readFileSync(new URL('../tools.json', import.meta.url), 'utf8'));

/** Names of the client's own tools in a request, those included that the model has to look up first (Claude Code). */
function offered({ body }) {
  const listed = (body.tools ?? []).flatMap((tool) =>
    (tool.functionDeclarations ?? [tool]).map((one) => one.name ?? one.type),
  );
  const [, later = ''] = /before calling them:((?:\\n\w+)+)/.exec(JSON.stringify(body)) ?? [];
  const names = [...listed, ...later.split('\\n').filter(Boolean)];
  return [...new Set(names.filter((name) => !/^mcp_/.test(name)))].sort();
}

const first = (requests) => requests.find(({ kind }) => kind === 'main');

export const scenarios = [
  {
    name: 'tools: offered to the model',
    // In code mode they are no tools of the request.
    when: ({ hooksIn }) => hooksIn !== 'json',
    async run(variant, t) {
      const { client, model, trust } = variant;
      const bench = await makeBench(variant, []);
      const known = TOOLS.find((one) => one.client === client.id && one.version === client.version);
      const compare = (way, names) =>
        t.ok(
          `${way}: as in tools.json`,
          JSON.stringify(known?.[way]) === JSON.stringify(names),
          `offered: ${JSON.stringify(names)}`,
        );
      try {
        const { requests } = await bench.talk([{ turns: [{ say: 'done' }] }]);
        compare('headless', offered(first(requests)));
        if (noTerminal) return t.skip(noTerminal);
        const tui = await openTui(client, { world: bench.world, model, trust, turns: [{ say: 'ANSWER-A' }] });
        try {
          await tui.enter('PROMPT-A');
          await tui.shows('ANSWER-A');
        } finally {
          await tui.close();
        }
        compare('terminal', offered(first(tui.requests)));
      } finally {
        bench.remove();
      }
    },
  },
];
