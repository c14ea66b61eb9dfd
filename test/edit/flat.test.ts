import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HookFile } from '../../src/clients/hook-config.ts';
import { hasHooks, readHooks } from '../../src/edit/read.ts';
import { reconcile } from '../../src/edit/reconcile.ts';
import type { FileMemory, Reconciled, WantedEntry } from '../../src/edit/types.ts';
import { often } from '../effort.ts';

/** A file in which an event's array holds the handlers themselves, and that says its version. */
const FLAT: HookFile = {
  path: 'hooks.json',
  format: 'json',
  accepts: { bom: false, emptyFile: true },
  layout: 'flat',
  frame: { version: 1 },
};

const entry = (server: string, event: string, digest = 'd1', matcher?: string): WantedEntry => ({
  event,
  key: event,
  group: {
    ...(matcher !== undefined && { matcher }),
    hooks: [{ type: 'command', command: `run ${server}/${digest}/${event}`, timeoutSec: 10 }],
  },
});
const ENTRIES = [entry('mem', 'postToolUse', 'd1', 'bash'), entry('mem', 'agentStop')];

interface State {
  text: string | null;
  memory?: FileMemory | undefined;
}

function run(
  state: State,
  wanted: readonly WantedEntry[],
  written = ENTRIES,
  server = 'mem',
  more: Partial<HookFile> = {},
): Reconciled {
  return reconcile({
    ...FLAT,
    ...more,
    file: '/hooks.json',
    text: state.text,
    memory: state.memory && structuredClone(state.memory),
    wanted,
    ours: (command) => new RegExp(`^run ${server}/[^/]+/(.+)$`).exec(command)?.[1],
    written,
    tombstones: false,
  });
}

const OWN = `{
    "version": 1,
    "hooks": {
        "postToolUse": [{"command": "mine", "matcher": "edit"}],
        "sessionStart": []
    }
}
`;

describe('a flat file', () => {
  it('is made with its frame, one line an entry, and is gone after the last', () => {
    const made = run({ text: null }, ENTRIES);
    expect(made.text).toBe(`{
  "version": 1,
  "hooks": {
    "postToolUse": [
      { "type": "command", "command": "run mem/d1/postToolUse", "timeoutSec": 10, "matcher": "bash" }
    ],
    "agentStop": [
      { "type": "command", "command": "run mem/d1/agentStop", "timeoutSec": 10 }
    ]
  }
}
`);
    expect(run(made, ENTRIES).changes.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged']);
    expect(run(made, []).text).toBeNull();
  });

  it.each([
    OWN,
    OWN.replaceAll('\n', '\r\n'),
    '{"version":1,"hooks":{}}',
    '{"version":1}',
    '{"hooks":{}}',
    '',
    ' \n',
  ])('gets back what was there: %j', (text) => {
    const installed = run({ text }, ENTRIES);
    const mine = (source: string): unknown => JSON.parse(source).hooks?.postToolUse?.[0];
    if (text.includes('mine')) expect(mine(installed.text ?? '')).toEqual(mine(text));
    expect(run(installed, []).text).toBe(text);
  });

  it('may hold groups of the user, from which only ours goes', () => {
    const [ours] = ENTRIES[0]?.group.hooks ?? [];
    const file = (...groups: object[]) => JSON.stringify({ version: 1, hooks: { postToolUse: groups } });
    const mine = { command: 'mine' };
    const text = file({ matcher: 'x', hooks: [mine, ours] }, { hooks: [mine] });
    expect(run({ text }, []).text).toBe(file({ matcher: 'x', hooks: [mine] }, { hooks: [mine] }));
  });

  it('keeps what the user added to ours, also where they made it a group', () => {
    const hooks = [{ ...ENTRIES[1]?.group.hooks[0], timeoutSec: 99 }];
    const text = JSON.stringify({ version: 1, hooks: { agentStop: [{ matcher: 'x', note: 1, hooks }] } });
    const updated = run({ text }, [entry('mem', 'agentStop', 'd2')]);
    expect(updated.changes[0]?.stays).toEqual(['matcher', 'note', 'timeoutSec']);
    expect(JSON.parse(updated.text ?? '').hooks.agentStop).toEqual([
      { type: 'command', command: 'run mem/d2/agentStop', timeoutSec: 99, matcher: 'x', note: 1 },
    ]);
  });

  it('is updated in place, beside what others have there', () => {
    const both = run(run({ text: OWN }, ENTRIES), [entry('other', 'postToolUse')], [], 'other');
    const next = [entry('mem', 'postToolUse', 'd2', 'bash|view')];
    const updated = run(both, next);
    expect(updated.changes.map(({ key, kind }) => [key, kind])).toEqual([
      ['postToolUse', 'replaced'],
      ['agentStop', 'removed'],
    ]);
    expect(JSON.parse(updated.text ?? '').hooks.postToolUse).toEqual([
      { command: 'mine', matcher: 'edit' },
      { type: 'command', command: 'run mem/d2/postToolUse', timeoutSec: 10, matcher: 'bash|view' },
      { type: 'command', command: 'run other/d1/postToolUse', timeoutSec: 10 },
    ]);
    expect(run(run(updated, [], next), [], [], 'other').text).toBe(OWN);
  });

  it('keeps an entry that somebody edited, and tells where it stands', () => {
    const installed = run({ text: OWN }, ENTRIES);
    const text = (installed.text ?? '').replace('"timeoutSec": 10, "matcher": "bash"', '"timeoutSec": 99');
    expect(run({ ...installed, text }, ENTRIES).changes[0]?.kind).toBe('kept-edited');
    const found = readHooks({ ...FLAT, file: '/hooks.json', text }, (command) =>
      command.startsWith('run mem') ? 'x' : undefined,
    );
    expect(found.map(({ event, index, line, ours }) => [event, index, line, ours.length])).toEqual([
      ['postToolUse', 0, 4, 0],
      ['postToolUse', 1, 4, 1],
      ['agentStop', 0, expect.any(Number), 1],
    ]);
    expect(hasHooks({ ...FLAT, file: '/hooks.json', text })).toBe(true);
  });

  it('is gone after the last, too, where somebody took a member of its frame out', () => {
    const made = run({ text: null }, ENTRIES);
    const text = (made.text ?? '').replace('  "version": 1,\n', '');
    expect(run({ ...made, text }, []).text).toBeNull();
  });

  it('is refused where its client would refuse it for a reason of its own, before and after', () => {
    const refuses = (value: unknown, text: string) =>
      JSON.stringify(value).includes('agentStop') || text.includes('//')
        ? { code: 'x.y', text: 'it holds what the client does not know' }
        : undefined;
    const accepts = { ...FLAT.accepts, refuses };
    const attempt = (text: string | null, wanted: readonly WantedEntry[]) => () =>
      run({ text }, wanted, ENTRIES, 'mem', { accepts });
    for (const text of [null, OWN]) expect(attempt(text, ENTRIES)).toThrow('edit.refused');
    expect(attempt(OWN.replace('mine', 'https://x'), [])).toThrow('edit.refused');
    expect(attempt(OWN, [entry('mem', 'postToolUse')])).not.toThrow();
  });

  it('survives any order of installs and removals', () => {
    const step = fc.record({
      server: fc.constantFrom('mem', 'other'),
      events: fc.subarray(['postToolUse', 'agentStop', 'sessionStart']),
    });
    fc.assert(
      fc.property(fc.constantFrom(OWN, null, '{"version":1}'), fc.array(step), (text, steps) => {
        let state: State = { text };
        const written: Record<string, WantedEntry[]> = { mem: [], other: [] };
        for (const { server, events } of [
          ...steps,
          { server: 'mem', events: [] },
          { server: 'other', events: [] },
        ]) {
          const wanted = events.map((event) => entry(server, event));
          state = run(state, wanted, written[server], server);
          written[server] = wanted;
        }
        expect(state.text).toBe(text);
      }),
      often(),
    );
  });
});
