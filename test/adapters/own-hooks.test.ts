import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { eventNames, readHooks } from '../../src/edit/read.ts';

const SCENARIO = 'test/fixtures/scenarios/beside-own-hooks.json';
const { before } = JSON.parse(readFileSync(new URL(`../../${SCENARIO}`, import.meta.url), 'utf8')) as {
  before: Record<string, string>;
};

describe.each(CLIENTS)(`${SCENARIO}, $title`, ({ home, hooks, natives }) => {
  // A file that is ours alone holds no hooks of the user's.
  const files = hooks.user.filter(({ oursAlone }) => !oursAlone);
  const there = files.flatMap((file) => {
    const text = before[`${home.home}/${file.path}`];
    return text === undefined ? [] : [{ ...file, file: file.path, text }];
  });

  it.runIf(files.length > 0)('has a file as a user of the client would have it', () =>
    expect(there, `\`before\` lacks one of ${files.map(({ path }) => `${home.home}/${path}`)}`).not.toEqual(
      [],
    ),
  );

  it('has no events that the client does not know (`natives`)', () => {
    const events = there.flatMap((file) => readHooks(file).map(({ event }) => event));
    const unknown = events.filter((event) => !Object.hasOwn(natives, event));
    expect(unknown, 'events.ts: natives lacks them').toEqual([]);
  });

  // What the client calls otherwise, it would not find in our entries either.
  // Without a file, the first test says so.
  it.runIf(there.length > 0)('has hooks that are read, in the form of our entries', () => {
    const groups = there.flatMap((file) => readHooks(file));
    const events = there.flatMap((file) => eventNames(file));
    const differs = (what: string) =>
      `hooks.ts: ${what}; a form that HookConfig can't say is a new field there`;
    expect(events, differs('no event is found in `hooks` of the file (`unwrapped`: at its top)')).not.toEqual(
      [],
    );
    expect(
      events.filter((event) => !groups.some((group) => group.event === event)),
      differs('the events have no groups (`layout`: a list of handlers)'),
    ).toEqual([]);
    const handlers = groups.flatMap(({ group }) => group.hooks);
    expect(
      handlers.filter(({ command }) => typeof command !== 'string'),
      differs('the handlers have no `command`'),
    ).toEqual([]);
    const numbers = handlers.flatMap((handler) =>
      Object.keys(handler).filter((key) => typeof handler[key] === 'number'),
    );
    expect(
      numbers.filter((key) => key !== hooks.timeout.key),
      differs('`timeout.key` is another one'),
    ).toEqual([]);
    const ofTools = groups.filter(({ event }) => natives[event]?.matchesTools);
    expect(
      ofTools.flatMap(({ group }) => group.matcher ?? []),
      differs('no hook at an event of tools has a `matcher`'),
    ).not.toEqual([]);
  });
});
