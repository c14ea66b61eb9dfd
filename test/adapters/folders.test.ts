import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FOLDER, generated } from '../../scripts/clients.mjs';
import { CLIENT_IDS } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/index.ts';

it.each(Object.entries(generated()))('%s is what the folders come to (npm run clients)', (name, text) => {
  expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
});

it.each(CLIENT_IDS)('nothing is left to fill in for %s (npm run create-client)', (id) => {
  const folder = join(FOLDER, id);
  const left = readdirSync(folder).filter((name) =>
    readFileSync(join(folder, name), 'utf8').includes('FILL IN'),
  );
  expect(left).toEqual([]);
});

it('a folder is named as its client is', () => {
  expect(CLIENTS.map(({ id }) => id)).toEqual(CLIENT_IDS);
});
