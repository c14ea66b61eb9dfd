import { expect, it } from 'vitest';
import type { HookGroup } from '../../src/clients/hook-config.ts';
import type { GroupEdit } from '../../src/edit/types.ts';
import { isExactly } from '../../src/edit/verify.ts';

const group = (command: string): HookGroup => ({ hooks: [{ type: 'command', command }] });
const append: GroupEdit = { kind: 'append', event: 'Stop', group: group('ours') };
const drop: GroupEdit = { kind: 'drop', event: 'Stop', index: 0 };
const mine = group('mine');

it.each<[string, unknown, GroupEdit[], unknown, boolean]>([
  ['an append', { Stop: [mine] }, [append], { Stop: [mine, append.group] }, true],
  ['an append in another place', { Stop: [mine] }, [append], { Stop: [append.group, mine] }, false],
  ['an append that loses a group', { Stop: [mine] }, [append], { Stop: [append.group] }, false],
  [
    'an append that alters another event',
    { End: [mine] },
    [append],
    { End: [], Stop: [append.group] },
    false,
  ],
  ['a first append', undefined, [append], { Stop: [append.group] }, true],
  ['a drop', { Stop: [mine, group('x')] }, [drop], { Stop: [group('x')] }, true],
  ['a drop of another group', { Stop: [mine, group('x')] }, [drop], { Stop: [mine] }, false],
  ['a drop of the last, and of its event', { Stop: [mine], a: 1 }, [drop], { a: 1 }, true],
  ['a drop of the last, which leaves its event', { Stop: [mine] }, [drop], { Stop: [] }, true],
  ['no edit', { Stop: [mine] }, [], { Stop: [] }, false],
])('tells %s from any other change, also in a file of events alone', (_, before, edits, after, is) => {
  expect(isExactly(before, edits, after, true)).toBe(is);
  expect(isExactly({ hooks: before, a: 1 }, edits, { hooks: after, a: 1 })).toBe(is);
  expect(isExactly({ hooks: before, a: 1 }, edits, { hooks: after })).toBe(false);
});
