import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { expect } from 'vitest';
import { grouped } from '../../src/base/grouped.ts';
import type { Client } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { EVENTS } from '../../src/declarations/types.ts';
import { PROVED } from '../../src/messages/notes.ts';
import { type Ended, ended, makeWorld, type World } from '../cli/world.ts';

export const root = join(import.meta.dirname, '../..');
export const page = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');

/** Expects a file to be as it is generated; `UPDATE_DOCS=1` generates it. */
export function expectGenerated(file: string, text: string): void {
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8'), 'to renew it: UPDATE_DOCS=1 npx vitest run test/docs').toBe(text);
}

/** e.g. `a, b and c` */
export const inWords = (words: readonly string[]): string => new Intl.ListFormat('en-GB').format(words);

export const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** How each event comes out on each client, a row a client, and how that was tested. */
export function matrixTable(name = (client: Client): string => client.title): string {
  return [
    row(['', ...EVENTS.map((event) => `\`${event}\``), 'tested']),
    row(['---', ...EVENTS.map(() => '---'), '---']),
    ...CLIENTS.map((client) => {
      const { how } = client.proved;
      const cells = EVENTS.map((event) => {
        const { fidelity, proved = how } = { proved: how, ...client.events[event] };
        return proved === how ? fidelity : `${fidelity} (${PROVED[proved]})`;
      });
      return row([name(client), ...cells, PROVED[how]]);
    }),
  ].join('\n');
}

/** What each client has, the most common first: `a; b on Codex`. Text that no client shares names all of its clients. */
export function onClients(told: readonly (readonly [title: string, text: string])[]): string {
  const [first, ...others] = grouped(told);
  if (!first) return '';
  if (others.length === 0) return first.text;
  return [first, ...others].map(({ text, whom }) => `${whom}: ${text}`).join('<br>');
}

/** The code blocks of a page in one language, as they are written. */
export function blocks(name: string, language: string): string[] {
  return [...page(name).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    (m) => m[1] ?? '',
  );
}

export function block(name: string, language: string, having: string): string {
  const found = blocks(name, language).filter((text) => text.includes(having));
  expect(found, having).toHaveLength(1);
  return found[0] ?? '';
}

/** Packages for the programs in a folder: this one, and what servers are made of. */
export function linkModules(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(root, join(modules, 'mcphooks'), 'dir');
  for (const name of ['@modelcontextprotocol', 'zod', '@types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'dir');
}

/** A program with its packages in one file, which node reads in half the time. */
export function inOneFile(contents: string): string {
  const how = { bundle: true, write: false, platform: 'node', format: 'esm' } as const;
  // In node_modules, where users have the package, esbuild says nothing of files without effects that it leaves out.
  const logOverride = { 'ignored-bare-import': 'silent' } as const;
  const stdin = { contents, resolveDir: root, loader: 'ts' } as const;
  // Some packages are CommonJS.
  const js = "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);";
  return buildSync({ ...how, logOverride, stdin, banner: { js } }).outputFiles[0]?.text ?? '';
}

/** A project in which packages are found as a user finds them, and `mcphooks` is a program; `tmp` beside it goes, too. */
export function worldWithProgram(): World {
  const world = makeWorld();
  world.env.TMPDIR = join(dirname(world.home), 'tmp');
  mkdirSync(world.env.TMPDIR);
  linkModules(world.project);
  const program = world.write(
    'bin/mcphooks',
    `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/mcphooks.cjs')}' "$@"\n`,
  );
  chmodSync(program, 0o755);
  world.env.PATH = `${dirname(program)}:${dirname(process.execPath)}:${world.env.PATH}`;
  return world;
}

const DECLARES = join(root, 'test/fixtures/servers/declares.mjs');

/** Writes `file` of the world: a server that declares what the example does, in a file beside it, and starts faster. */
export function writeNotebook(world: World, file: string): void {
  const tools = 'search_notes,add_note';
  const given = `[import.meta.dirname + '/declarations.json', '', 'notebook', '${tools}']`;
  world.write(file, `process.argv.push(...${given});\nawait import('${DECLARES}');\n`);
  const declared = readFileSync(join(root, 'examples/declarations.json'), 'utf8');
  world.write(join(dirname(file), 'declarations.json'), declared);
}

/** Runs a block as it is written, in the world's project. */
export function sh(world: World, script: string): Promise<Ended> {
  const file = join(dirname(world.home), 'script.sh');
  writeFileSync(file, script);
  return ended(['sh', file], world.project, world.env);
}
