/** The tools that each client offers its model, headless and at a terminal: what tools.json holds by version. */
import { readFileSync } from 'node:fs';
import { makeBench } from '../bench.mjs';
import { OF, said } from '../of.mjs';
import { TABLES } from '../tables.mjs';
import { noTerminal, openTui } from '../tui.mjs';

const TOOLS = JSON.parse(readFileSync(new URL('../tools.json', import.meta.url), 'utf8'));

/** Names of the client's own tools in a request, those included that the model has to look up first. */
function offered(client, { body }) {
  const listed = (body.tools ?? []).flatMap((tool) =>
    (tool.functionDeclarations ?? [tool.function ?? tool]).map((one) => one.name ?? one.type),
  );
  const names = [...listed, ...(OF[client.id].offeredLater?.(body) ?? [])];
  const ofServers = TABLES[client.id].tools.mcp.name.split('{tool}')[0].replace('{alias}', 'mem');
  return [...new Set(names.filter((name) => !/^mcp_/.test(name) && !name.startsWith(ofServers)))].sort();
}

const first = (requests) => requests.find(({ kind }) => kind === 'main');

export const scenarios = [
  {
    name: 'tools: offered to the model',
    cells: true,
    // In code mode they are no tools of the request.
    when: ({ hooksIn }) => hooksIn !== 'json',
    async run(variant, t) {
      const { client, model, trust } = variant;
      said(variant, 'dialect');
      const bench = await makeBench(variant, []);
      const known = TOOLS.find((one) => one.client === client.id && one.version === client.version);
      const found = { client: client.id, version: client.version };
      const compare = (way, names) => {
        found[way] = names;
        if (!known) return;
        t.ok(
          `${way}: as in tools.json`,
          JSON.stringify(known[way]) === JSON.stringify(names),
          `offered: ${JSON.stringify(names)}`,
        );
      };
      try {
        const { requests } = await bench.talk([{ turns: [{ say: 'done' }] }], { terminal: false });
        compare('headless', offered(client, first(requests)));
        if (noTerminal) return t.skip(noTerminal);
        const tui = await openTui(client, { world: bench.world, model, trust, turns: [{ say: 'ANSWER-A' }] });
        try {
          await tui.enter('PROMPT-A');
          await tui.shows('ANSWER-A');
        } finally {
          await tui.close();
        }
        compare('terminal', offered(client, first(tui.requests)));
        if (!known) t.tools(found);
      } finally {
        bench.remove();
      }
    },
  },
];
