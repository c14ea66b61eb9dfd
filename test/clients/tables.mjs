/** What src/clients claims of each client, for programs that can't read TypeScript. */
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { outputFiles } = buildSync({
  stdin: {
    contents: ['index', 'tools'].map((name) => `export * from './src/clients/${name}.ts';`).join('\n'),
    resolveDir: root,
  },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
});
const source = Buffer.from(outputFiles[0].contents).toString('base64');
const { CLIENTS, mcpToolName, toolPrefix } = await import(`data:text/javascript;base64,${source}`);

/** `{ id, version }` of a client -> how it carries an event, or 'unsupported' where that version gives no text of it. */
export function fidelityOn({ id, version }, event) {
  const { older, events } = TABLES[id];
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  const silent = older && compare(version, older.before) < 0 && older.textUnusedAt.includes(event);
  return silent ? 'unsupported' : events[event].fidelity;
}

/** By client id: its `Client`. */
export const TABLES = Object.fromEntries(CLIENTS.map((client) => [client.id, client]));

/** How a client names a server's tool, whole and without what it has in common with the server's other tools. */
export function namesOf(id, server, tool) {
  const { mcp } = TABLES[id].tools;
  const whole = mcpToolName(mcp, server, tool);
  return { whole, own: whole.slice(toolPrefix(mcp, server).length) };
}
