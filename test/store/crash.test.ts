import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { Fault } from '../../src/messages/fault.ts';
import { type FileOps, realFs } from '../../src/store/fs.ts';
import { recover } from '../../src/store/recover.ts';
import { applyChanges } from '../../src/store/transaction.ts';
import { ALL, LONG, sample } from '../effort.ts';
import { Dead, diesAt, type Injector, injector, systemError, tree } from './support.ts';
import { NEW, OLD, type World, world } from './world.ts';

type Outcome = 'old' | 'new' | Record<string, string>;

function outcome({ home }: World): Outcome {
  const now = tree(home);
  return isDeepStrictEqual(now, OLD) ? 'old' : isDeepStrictEqual(now, NEW) ? 'new' : now;
}

/** Whether it ended, or died on the way. Anything but a Fault and a Dead is a bug. */
function survive(action: () => unknown): 'done' | 'fault' | 'dead' {
  try {
    action();
    return 'done';
  } catch (error) {
    if (error instanceof Fault) return 'fault';
    if (error instanceof Dead) return 'dead';
    throw error;
  }
}

const apply = (w: World, fs: FileOps): unknown => applyChanges(w.changes, { ...w, fs });

/** The names of the operations of a whole run. */
function count(run: (w: World, fs: FileOps) => unknown): string[] {
  const { fs, done } = injector(() => undefined);
  run(world(), fs);
  return done;
}

/** A world in which the process died at operation `k`. */
function crashed(k: number): World {
  const w = world();
  expect(survive(() => apply(w, diesAt(k).fs))).toBe('dead');
  return w;
}

test('a change arrives whole', () => {
  const w = world();
  expect(apply(w, realFs)).toEqual([]);
  expect(tree(w.home)).toEqual(NEW);
});

test('a process that dies at any operation leaves all old or all new behind', () => {
  const names = count(apply);
  // A rename makes the difference: before and after each one, and some between them.
  const renames = (k: number): boolean => [names[k - 1], names[k]].includes('renameSync');
  const points = [...names.keys()].filter((k) => ALL || k % (LONG ? 4 : 8) === 0 || renames(k));
  const outcomes = points.map((k) => {
    const w = crashed(k);
    expect(recover(w.state)).toEqual([]);
    return outcome(w);
  });
  const first = points[outcomes.indexOf('new')] ?? 0;
  expect(outcomes).toEqual(points.map((k) => (k < first ? 'old' : 'new')));
  expect(names.slice(0, first).filter((n) => n === 'renameSync')).toHaveLength(2);
});

test.runIf(LONG)('so does one that dies in recovery too, at any operation of it', () => {
  const renames = count(apply).flatMap((name, k) => (name === 'renameSync' ? [k] : []));
  // Before and after the commit, in the middle of the targets, and after the last one.
  const points = sample([1, 2, 6, 10], 4, 2).map((i) => renames[i] ?? 0);
  const deaths = points.map((k) => {
    const ends = new Set<Outcome>();
    for (let i = 0, more = true; more; i++) {
      const w = crashed(k);
      more = survive(() => recover(w.state, diesAt(i).fs)) === 'dead';
      expect(recover(w.state)).toEqual([]);
      ends.add(outcome(w));
    }
    return [...ends];
  });
  for (const ends of deaths) expect(ends).toEqual([expect.stringMatching(/old|new/)]);
});

test.each(LONG ? ['EIO', 'ENOSPC'] : ['ENOSPC'])(
  'one operation that fails with %s: a Fault and all old',
  (code) => {
    for (const [k, name] of sample([...count(apply).entries()], 6, code.length)) {
      const w = world();
      const { fs } = injector((i) => (i === k ? systemError(code) : undefined));
      const ended = survive(() => apply(w, fs));
      const before = outcome(w);
      recover(w.state);
      const after = outcome(w);
      // A folder that can't be removed stays; another thing that can't be is left to the next run.
      if (name === 'rmdirSync' || name === 'rmSync') expect(after).toMatchObject(NEW);
      else if (ended === 'fault') expect([k, name, before, after]).toEqual([k, name, 'old', 'old']);
      else expect([k, name, after]).toEqual([k, name, 'new']);
    }
  },
);

test.runIf(LONG)(
  'a disk that fills up at any moment and stays full: a Fault, all old, and no temporary file',
  () => {
    const needsSpace = new Set(['openSync', 'writeFileSync', 'mkdirSync']);
    for (const [k, name] of sample([...count(apply).entries()], 6)) {
      const w = world();
      const { fs }: Injector = injector((i, operation, args) =>
        i >= k && needsSpace.has(operation) && args[1] !== 'r' ? systemError('ENOSPC') : undefined,
      );
      const ended = survive(() => apply(w, fs));
      expect([k, name, outcome(w)]).toEqual([k, name, ended === 'done' ? 'new' : 'old']);
    }
  },
);

test('targets that cannot be replaced, nor given back yet: a Fault says so, and the next run ends it', () => {
  const w = world();
  let renamed = 0;
  const { fs } = injector((_, name, args) => {
    const target = name === 'renameSync' && !String(args[1]).includes('journal.');
    return target && ++renamed > 2 ? systemError('EBUSY', 'rename') : undefined;
  });
  let fault: unknown;
  try {
    apply(w, fs);
  } catch (error) {
    fault = error;
  }
  expect(fault).toMatchObject({ code: 'apply.unfinished' });
  expect(recover(w.state)).toEqual([]);
  expect(outcome(w)).toBe('old');
});

test('a recovery that cannot go forward goes back and says so', () => {
  const renames = count(apply).flatMap((name, k) => (name === 'renameSync' ? [k] : []));
  // The journal's two come first; then the first target is replaced, and the second is not.
  const w = crashed(renames[3] ?? 0);
  const { fs } = injector((_, name, args) =>
    name === 'renameSync' && String(args[0]).endsWith('.new') ? systemError('EBUSY', 'rename') : undefined,
  );
  expect(recover(w.state, fs)).toMatchObject([{ code: 'apply.taken-back' }]);
  expect(outcome(w)).toBe('old');
});
