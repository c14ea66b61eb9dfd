import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { readHooks } from '../../src/edit/read.ts';

const SCENARIO = 'test/fixtures/scenarios/beside-own-hooks.json';
const { before } = JSON.parse(readFileSync(new URL(`../../${SCENARIO}`, import.meta.url), 'utf8')) as {
  before: Record<string, string>;
};

describe.each(CLIENTS)(`${SCENARIO}, $title`, ({ home, hooks, natives }) => {
  // A file that is ours alone holds no hooks of the user's.
  const files = hooks.user.filter(({ oursAlone }) => !oursAlone);
  const there = files.flatMap((file) => {
    const text = before[`${home.home}/${file.path}`];
    return text === undefined ? [] : [{ ...file, file: file.path, text, memory: undefined }];
  });

  it.runIf(files.length > 0)('has a file as a user of the client would have it', () =>
    expect(there, `one of ${files.map(({ path }) => `${home.home}/${path}`)}`).not.toEqual([]),
  );

  it('has no events that the client does not know (`natives`)', () => {
    const events = there.flatMap((file) => readHooks(file).map(({ event }) => event));
    const unknown = events.filter((event) => !Object.hasOwn(natives, event));
    expect(unknown, 'events.ts: natives lacks them').toEqual([]);
  });
});
