import { describe, expect, it } from 'vitest';
import { differenceOn, differs } from '../../src/plan/difference.ts';
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

/** What a comparison says of a client that is as planned, but for this. */
function said(client: object, rest: object = {}): unknown[] {
  const one = { ...asPlanned, ...client };
  const none = { previous: installed, changed: [], gone: [], leftovers: [] };
  const comparison = { ...none, clients: [one], ...rest } as unknown as Comparison;
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
