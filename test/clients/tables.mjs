/** What src/clients claims of each client, for programs that can't read TypeScript. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { outputFiles } = buildSync({
  entryPoints: [join(root, 'src/clients/index.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
});
const source = Buffer.from(outputFiles[0].contents).toString('base64');
const { CLIENTS } = await import(`data:text/javascript;base64,${source}`);

/** `{ id, version }` of a client -> how it carries an event, or 'unsupported' where that version gives no text of it. */
export function fidelityOn({ id, version }, event) {
  const { older, events } = TABLES[id];
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  const silent = older && compare(version, older.before) < 0 && older.unheard.includes(event);
  return silent ? 'unsupported' : events[event].fidelity;
}

/** By client id: its `Client`. */
export const TABLES = Object.fromEntries(CLIENTS.map((client) => [client.id, client]));
