// Writes src/clients/ids.ts and src/clients/list.ts from the folders beside them: npm run clients
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const FOLDER = fileURLToPath(new URL('../src/clients', import.meta.url));

/** What a client's folder exports: `claude-code` -> `claudeCode`. */
export const exportName = (id) => id.replace(/-([a-z0-9])/g, (_, c) => c.toUpperCase());

/** The generated files, by name. A folder of a client has an index.ts; those of dialects have none. */
export function generated(folder = FOLDER) {
  const ids = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'index.ts')))
    .sort();
  const note = '// Made from the folders beside this file: npm run clients\n';
  const imports = [...ids.map((id) => `./${id}/index.ts`), './client.ts'].sort().map((path) => {
    const id = ids.find((known) => path === `./${known}/index.ts`);
    return id ? `import { ${exportName(id)} } from '${path}';` : `import type { Client } from '${path}';`;
  });
  return {
    'ids.ts': `${note}${list(
      'export const CLIENT_IDS = ',
      ids.map((id) => `'${id}'`),
      ' as const;',
    )}
export type ClientId = (typeof CLIENT_IDS)[number];
`,
    'list.ts': `${note}${imports.join('\n')}

${list('export const CLIENTS: readonly Client[] = ', ids.map(exportName), ';')}
`,
  };
}

/** On one line where it fits, as the formatter has it. */
function list(begin, items, end) {
  const line = `${begin}[${items.join(', ')}]${end}`;
  return line.length <= 110 ? line : `${begin}[\n${items.map((item) => `  ${item},\n`).join('')}]${end}`;
}

export function writeGenerated() {
  for (const [name, text] of Object.entries(generated())) writeFileSync(join(FOLDER, name), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeGenerated();
