import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FOLDER, generated } from '../../scripts/clients.mjs';
import { CLIENT_IDS } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { CLIENT_NAME, NATIVE_NAME } from '../../src/clients/names.ts';
import type { Proved } from '../docs/clients-page.ts';

const SESSIONS = fileURLToPath(new URL('../clients', import.meta.url));

it.each(Object.entries(generated()))('%s is what the folders come to (npm run clients)', (name, text) => {
  expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
});

it.each(CLIENT_IDS)('nothing is left to fill in for %s (npm run create-client)', (id) => {
  const folder = join(FOLDER, id);
  const sessions = join(SESSIONS, 'of', `${id}.mjs`);
  const files = [...readdirSync(folder).map((name) => join(folder, name)), sessions];
  const left = files.filter((file) => existsSync(file) && readFileSync(file, 'utf8').includes('FILL IN'));
  expect(left, `fill in, or delete what is unknown: npm run create-client ${id}`).toEqual([]);
});

it('every client has the versions on which it was observed', () => {
  const unfilled = CLIENTS.filter(({ proved }) => [proved.oldest, proved.newest].includes('0.0.0'));
  expect(
    unfilled.map(({ id }) => `src/clients/${id}/index.ts`),
    'give `proved` the versions whose program or source was read',
  ).toEqual([]);
});

it('of its real sessions, only a file of its own names a client', () => {
  const names = new RegExp(CLIENTS.flatMap(({ id, title }) => [`'${id}'`, `\\b${title}\\b`]).join('|'));
  const naming = ['.', 'models', 'scenarios'].flatMap((folder) =>
    readdirSync(join(SESSIONS, folder))
      .map((name) => join(folder, name))
      .filter((file) => file.endsWith('.mjs') && names.test(readFileSync(join(SESSIONS, file), 'utf8'))),
  );
  expect(naming).toEqual([]);
});

it('an extension is said to run in untrusted folders, unlike settings, only where settings do not', () => {
  const said = CLIENTS.filter(({ plugin }) => plugin?.autoLoad?.note === 'target.untrusted-too');
  expect(said.map(({ id }) => id)).not.toEqual([]);
  const neverRun = said.filter(({ gates }) => gates.folderTrust && gates.folderTrust.only === undefined);
  expect(said).toEqual(neverRun);
});

it.each(CLIENTS)('paths of own files can end in the names of $id and its events', ({ id, natives }) => {
  const unfit = (names: readonly string[], form: string): string[] =>
    names.filter((name) => !new RegExp(`^${form}$`).test(name));
  expect(
    { id: unfit([id], CLIENT_NAME), natives: unfit(Object.keys(natives), NATIVE_NAME) },
    'src/clients/names.ts has no such names: an uninstall would not know its entries and files again',
  ).toEqual({ id: [], natives: [] });
});

it('a folder is named as its client is', () => {
  expect(CLIENTS.map(({ id }) => id)).toEqual(CLIENT_IDS);
});

describe('the versions on which a client was proved', () => {
  const rows = JSON.parse(readFileSync(join(SESSIONS, 'proved.json'), 'utf8')) as Proved[];
  const { compare } = new Intl.Collator('en', { numeric: true });

  it.each(CLIENTS.filter(({ proved }) => proved.how !== 'source'))(
    'are those of proved.json, and those that are run: $title (npm run reprove)',
    async ({ id, proved }) => {
      const { client } = await import(pathToFileURL(join(SESSIONS, 'of', `${id}.mjs`)).href);
      const versions = [
        ...new Set(rows.filter((row) => row.client === id).map(({ version }) => version)),
      ].sort(compare);
      expect([versions.at(0), versions.at(-1)]).toEqual([proved.oldest, proved.newest]);
      expect(client.versions).toEqual(versions.reverse());
    },
  );
});
