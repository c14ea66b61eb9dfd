import { describe, expect, it } from 'vitest';
import {
  changesLockAlone,
  differenceOn,
  differs,
  keepsEdits,
  unshownFile,
  withoutEdits,
} from '../../src/plan/difference.ts';
import type { Comparison } from '../../src/plan/install.ts';

const entry = { event: 'Stop', key: 'stop' };
const asPlanned = {
  client: 'codex',
  entries: [entry],
  entryChanges: [{ ...entry, kind: 'unchanged' }],
  beside: [],
  movedOut: [],
  drift: [],
  missing: [],
};
const installed = { clients: { codex: { entries: [entry] } } };

/** A comparison with a client that is as planned, but for this. */
function compared(client: object, rest: object = {}): Comparison {
  const one = { ...asPlanned, ...client };
  const none = { previous: installed, changed: [], gone: [], leftovers: [] };
  return { ...none, clients: [one], ...rest } as unknown as Comparison;
}

/** What a comparison says of it. */
function said(client: object, rest: object = {}): unknown[] {
  const comparison = compared(client, rest);
  return [differenceOn(comparison.clients[0] as never, comparison), differs(comparison)];
}
const change = (kind: string, key = 'stop') => ({ entryChanges: [{ event: 'Stop', key, kind }] });

describe('the difference between an install and its plan', () => {
  it.each<[string, object, object, string | undefined, boolean]>([
    ['nothing', {}, {}, undefined, false],
    ['a lost entry', change('added'), {}, 'missing', true],
    ['a new entry', change('added', 'later'), {}, 'changed', true],
    ['a file that the client rejects', { fault: {} }, {}, 'missing', true],
    ['a lost script', { drift: ['/x'], missing: ['/x'] }, {}, 'missing', true],
    ['an edited script', { drift: ['/x'] }, {}, 'edited', true],
    ['an edited entry', change('kept-edited'), {}, 'edited', true],
    ['an entry in another file', { beside: [change('removed')] }, {}, 'changed', true],
    ['other declarations', {}, { changed: ['declarations'] }, 'changed', true],
    ['an approved part that is gone', {}, { gone: ['declarations'] }, 'changed', true],
    ['another client’s definition', {}, { changed: ['definition'] }, undefined, true],
    ['the client’s definition', { definition: { is: 'changed' } }, {}, 'changed', true],
    ['tools of added servers', { matchesMore: true }, {}, 'changed', true],
    ['a folder that is left over', {}, { leftovers: ['/x'] }, 'changed', true],
    ['a file that it left', { movedOut: [{ before: 'a', after: 'b' }] }, {}, 'changed', true],
    ['a client that joins', {}, { previous: { clients: {} } }, 'changed', true],
    ['a client that a plugin covers', { covered: {}, ...change('added') }, {}, undefined, false],
    ['no install', change('added'), { previous: undefined }, 'changed', true],
    ['no install, where a plugin covers it', { covered: {} }, { previous: undefined }, undefined, false],
  ])('of %s', (_, client, rest, difference, some) => {
    expect(said(client, rest)).toEqual([difference, some]);
  });
});

describe('an entry that was edited by hand', () => {
  const edited = change('kept-edited');
  const merged = { entryChanges: [{ ...entry, kind: 'replaced', stays: ['timeout'] }] };

  it.each([
    ['none', {}, false, false],
    ['one in the file', edited, true, false],
    ['one in another file', { beside: [edited] }, true, false],
    ['one that is updated around the edit', merged, true, true],
    ['one that is updated, in another file', { beside: [merged] }, true, true],
    ['one beside a new one', { ...edited, beside: [change('added', 'later')] }, true, true],
  ])('stays, and is all that differs or not: %s', (_, client, stays, more) => {
    const comparison = compared(client);
    expect([keepsEdits(comparison), differs(withoutEdits(comparison))]).toEqual([stays, more]);
  });
});

describe('a file that a plan changes and the shown plan left alone', () => {
  const changed = { file: '/f', before: 'a', after: 'b' };

  it.each([
    ['of the client', changed],
    ['beside it', { beside: [changed] }],
    ['that the entries left', { movedOut: [changed] }],
  ])('is found: %s', (_, client) => {
    const plan = compared(client) as never;
    expect(unshownFile(plan, compared({ file: '/f', before: 'a', after: 'a' }) as never)).toBe('/f');
    expect(unshownFile(plan, plan)).toBeUndefined();
  });
});

describe('a lock file that contradicts itself', () => {
  const lock = '/lock';
  const drift = { file: '/f', drift: [lock] };

  it.each<[string, object, boolean, object?]>([
    ['alone', drift, true],
    ['with the file of the entries', { ...drift, drift: [lock, '/f'] }, true],
    ['with a script', { ...drift, drift: [lock, '/script'] }, false],
    ['not at all', { ...drift, drift: [] }, false],
    ['with an entry', { ...drift, ...change('removed') }, false],
    ['with an entry in another file', { ...drift, beside: [change('removed')] }, false],
    ['with a file that is left over', drift, false, { leftovers: ['/x'] }],
  ])('is what changes: %s', (_, client, alone, rest) => {
    expect(changesLockAlone(compared(client, rest), lock)).toBe(alone);
  });
});
