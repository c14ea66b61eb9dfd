import {
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { disk } from '../../src/app/disk.ts';
import { LARGEST_FILE } from '../../src/base/read-file.ts';
import { type Fault, orFault } from '../../src/messages/fault.ts';
import { faultText } from '../../src/messages/faults.ts';
import { readFileState, readWritten, targetFinder } from '../../src/store/files.ts';
import { planFolders } from '../../src/store/folders.ts';
import { type FileOps, realFs } from '../../src/store/fs.ts';
import { journalFile } from '../../src/store/journal.ts';
import { recover } from '../../src/store/recover.ts';
import { applyChanges } from '../../src/store/transaction.ts';
import type { FileChange } from '../../src/store/types.ts';
import { LONG, often } from '../effort.ts';
import { slashed, WINDOWS } from '../platform.ts';
import { bytes, Dead, faultOf, injector, put, scratch, systemError, tree } from './support.ts';

/** A change of what stands at `path` now. */
function change(path: string, after: string | null, mode = 0o644): FileChange {
  return { path, before: readFileState(path), after: after === null ? null : bytes(after), mode };
}

function home(): { root: string; state: string } {
  const root = scratch();
  return { root, state: join(root, 'state') };
}

test('own files get their mode, even where nothing else of them changes; others keep theirs', () => {
  const { root, state } = home();
  const paths = ['same', 'other', 'client'].map((name) => join(root, name));
  const [same = '', other = '', client = ''] = paths;
  for (const path of paths) put(path, 'old', 0o640);
  applyChanges([change(same, 'old', 0o700), change(other, 'new', 0o700), change(client, 'new', 0o644)], {
    state,
  });
  rmSync(state, { recursive: true });
  expect(tree(root)).toEqual({ same: '700 old', other: '700 new', client: '640 new' });
});

test('a file that nothing could read afterwards is not written, nor any other', () => {
  const { root, state } = home();
  put(join(root, 'a'), 'old', 0o600);
  const large = change(join(root, 'b'), 'x'.repeat(LARGEST_FILE + 1));
  expect(faultOf(() => applyChanges([change(join(root, 'a'), 'new'), large], { state }))).toBe(
    'apply.too-large',
  );
  rmSync(state, { recursive: true });
  expect(tree(root)).toEqual({ a: '600 old' });
});

describe('targets', () => {
  test('a symlink stays one, relative or absolute, over a chain and over linked folders', () => {
    const { root, state } = home();
    put(join(root, 'dot/files/a.json'), 'old', 0o600);
    symlinkSync('dot/files', join(root, 'linked'));
    symlinkSync(join(root, 'linked/a.json'), join(root, 'first'));
    symlinkSync('first', join(root, 'second'));
    applyChanges([change(join(root, 'second'), 'new')], { state });
    expect(readlinkSync(join(root, 'second'))).toBe('first');
    expect(tree(join(root, 'dot'))).toEqual({ files: '755 folder', 'files/a.json': '600 new' });
  });

  test('a dangling symlink is written through, and removing the file leaves it', () => {
    const { root, state } = home();
    mkdirSync(join(root, 'dot'));
    symlinkSync('dot/a.json', join(root, 'a.json'));
    const before = tree(root);
    applyChanges([change(join(root, 'a.json'), 'new')], { state });
    expect(readFileSync(join(root, 'dot/a.json'), 'utf8')).toBe('new');
    applyChanges([change(join(root, 'a.json'), null)], { state });
    rmSync(state, { recursive: true });
    expect(tree(root)).toEqual(before);
  });

  test.each([
    [
      'a link into a folder that is not there',
      'apply.dangling',
      (p: string) => symlinkSync('nowhere/a.json', p),
    ],
    ['a folder', 'apply.not-a-file', (p: string) => mkdirSync(p)],
    ['a link to a device', 'apply.not-a-file', (p: string) => symlinkSync('/dev/null', p)],
    ['a link to itself', 'apply.failed', (p: string) => symlinkSync('a.json', p)],
    ['a read-only file', 'apply.read-only', (p: string) => put(p, '', 0o444)],
  ])('%s is refused, and the other file of the change too', (_, code, make) => {
    const { root, state } = home();
    const path = join(root, 'a.json');
    make(path);
    const before = tree(root);
    const changes = [
      { path: join(root, 'b.json'), before: null, after: bytes('b'), mode: 0o600 },
      { path, before: code === 'apply.read-only' ? bytes('') : null, after: bytes('a'), mode: 0o600 },
    ];
    expect(faultOf(() => applyChanges(changes, { state }))).toBe(code);
    rmSync(state, { recursive: true });
    expect(tree(root)).toEqual(before);
  });

  test('a read-only file is no hindrance where it stays as it is', () => {
    const { root, state } = home();
    put(join(root, 'a'), 'same', 0o444);
    applyChanges([change(join(root, 'a'), 'same'), change(join(root, 'b'), 'b')], { state });
    expect(readFileSync(join(root, 'b'), 'utf8')).toBe('b');
  });

  test('two paths to one file are refused', () => {
    const { root, state } = home();
    put(join(root, 'a'), 'old');
    symlinkSync('a', join(root, 'b'));
    linkSync(join(root, 'a'), join(root, 'c'));
    mkdirSync(join(root, 'd'));
    symlinkSync('d', join(root, 'e'));
    const pairs = [
      ['a', 'b'],
      ['a', 'c'],
      ['d/new', 'e/new'],
    ];
    for (const pair of pairs) {
      const changes = pair.map((name) => change(join(root, name), `by ${name}`));
      expect(faultOf(() => applyChanges(changes, { state }))).toBe('apply.same-file');
    }
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('old');
  });
});

describe('modes', () => {
  test('an existing file keeps its mode; new private ones ignore the umask, others obey it', () => {
    const { root, state } = home();
    put(join(root, 'kept'), 'old', 0o4751);
    const umask = process.umask(0o077);
    try {
      applyChanges(
        [
          change(join(root, 'kept'), 'new'),
          change(join(root, 'run'), 'x', 0o700),
          change(join(root, 'shared'), 'x', 0o644),
        ],
        { state },
      );
    } finally {
      process.umask(umask);
    }
    rmSync(state, { recursive: true });
    expect(tree(root)).toEqual({ kept: '4751 new', run: '700 x', shared: '600 x' });
  });

  test.runIf(process.getuid?.() === 0)('root keeps the owner of a file', () => {
    const { root, state } = home();
    const path = join(root, 'a');
    put(path, 'old', 0o640);
    const { fs, done } = injector(() => undefined);
    fs.fchownSync(fs.openSync(path, 'r'), 1234, 4321);
    applyChanges([change(path, 'new')], { state, fs });
    expect(done).toContain('fchownSync');
    expect(statSync(path)).toMatchObject({ uid: 1234, gid: 4321 });
  });

  test('an owner that may not be given is no hindrance', () => {
    const { root, state } = home();
    put(join(root, 'a'), 'old', 0o640);
    const { fs } = injector((_, name) =>
      name === 'fchownSync' ? systemError('EPERM', 'fchown') : undefined,
    );
    applyChanges([change(join(root, 'a'), 'new')], { state, fs });
    expect(tree(root)).toMatchObject({ a: '640 new' });
  });

  test.runIf(process.getuid?.() === 0).each([
    ['may not be given leaves another group no more than all have', '644 new', 0, () => true],
    ['may be given without its owner keeps what it had', '664 new', 4321, (uid: unknown) => uid !== -1],
  ] as const)('a group that %s', (_, expected, gid, isRefused) => {
    const { root, state } = home();
    const path = join(root, 'a');
    put(path, 'old', 0o664);
    chownSync(path, 1234, 4321);
    const { fs } = injector((_, name, [, uid]) =>
      name === 'fchownSync' && isRefused(uid) ? systemError('EPERM', 'fchown') : undefined,
    );
    applyChanges([change(path, 'new')], { state, fs });
    expect(tree(root)).toMatchObject({ a: expected });
    expect(statSync(path)).toMatchObject({ uid: 0, gid });
  });
});

describe('files that others change', () => {
  const meddling = [
    ['changed', 'old', (p: string) => writeFileSync(p, 'theirs')],
    ['removed', 'old', (p: string) => rmSync(p)],
    ['created', null, (p: string) => writeFileSync(p, 'theirs')],
  ] as const;
  test.each(LONG ? meddling : meddling.slice(0, 1))(
    'one that was %s since the plan makes it stale, at any operation before its turn',
    (_, old, meddle) => {
      const operations = (w: { root: string; state: string }, at: number): [string[], string | undefined] => {
        const [a, b] = [join(w.root, 'a'), join(w.root, 'b')];
        put(a, 'old a');
        if (old) put(b, old);
        const changes = [change(a, 'new a'), change(b, 'new b')];
        const { fs, done } = injector((i) => {
          if (i === at) meddle(b);
          return undefined;
        });
        return [done, faultOf(() => applyChanges(changes, { state: w.state, fs }))];
      };
      const [names] = operations(home(), -1);
      const ownTurn = names.lastIndexOf('renameSync', names.lastIndexOf('renameSync') - 1);
      // The last thing before the second rename, which is the commit, is to read both files.
      const firstCheck = names.indexOf('renameSync', names.indexOf('renameSync') + 1) - 1;
      for (let k = 0; k < ownTurn; k++) {
        const w = home();
        const [done, code] = operations(w, k);
        const theirs = tree(w.root).b;
        expect([k, code, readFileSync(join(w.root, 'a'), 'utf8')]).toEqual([k, 'apply.stale', 'old a']);
        expect(theirs).toEqual(existsSync(join(w.root, 'b')) ? '644 theirs' : undefined);
        expect(Object.keys(tree(w.root)).filter((p) => /mcphooks|journal/.test(p))).toEqual([]);
        if (k < firstCheck) expect(done.filter((name) => name === 'renameSync').length).toBeLessThan(2);
      }
    },
  );

  test('one that its program has just emptied is stale once it is written; what its program left empty is not', () => {
    const { root, state } = home();
    const path = join(root, 'a');
    put(path, 'old');
    const program = openSync(path, 'w');
    let looks = 0;
    const { fs } = injector((_, name) => {
      if (name === 'statSync' && ++looks === 4) writeSync(program, 'theirs');
      return undefined;
    });
    const changes = [change(path, 'new')];
    expect(faultOf(() => applyChanges(changes, { state, fs }))).toBe('apply.stale');
    closeSync(program);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    writeFileSync(path, '');
    utimesSync(path, 0, 0);
    applyChanges([change(path, 'new')], { state });
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  test('an own file that is empty is not waited for, as where a server is enabled right after it was disabled', () => {
    const { root, state } = home();
    const path = join(root, 'disabled');
    put(path, '', 0o600);
    const { fs, done } = injector(() => undefined);
    applyChanges([change(path, null, 0o600)], { state, fs });
    expect(existsSync(path)).toBe(false);
    expect(done.filter((name) => name === 'statSync').length).toBeLessThan(5);
  });

  test('one that its program has just emptied is read once it is written; what its program left empty, at once', () => {
    const path = join(home().root, 'a');
    const program = openSync(path, 'w');
    let looks = 0;
    const { fs } = injector((_, name) => {
      if (name === 'statSync' && ++looks === 4) writeSync(program, 'theirs');
      return undefined;
    });
    expect(String(Buffer.from(readWritten(path, fs) ?? []))).toBe('theirs');
    closeSync(program);
    writeFileSync(path, '');
    utimesSync(path, 0, 0);
    expect(readWritten(path)).toHaveLength(0);
  });

  test('one that was changed after a crash is left alone and reported; the others go forward', () => {
    const { root, state } = home();
    for (const name of ['a', 'b', 'c']) put(join(root, name), 'old');
    let renames = 0;
    const { fs } = injector((_, name) => (name === 'renameSync' && ++renames === 4 ? new Dead() : undefined));
    const changes = ['a', 'b', 'c'].map((name) => change(join(root, name), 'new'));
    expect(() => applyChanges(changes, { state, fs })).toThrow(Dead);
    writeFileSync(join(root, 'b'), 'theirs');
    const reports = recover(state);
    expect(reports).toMatchObject([{ code: 'apply.left-alone', where: { file: join(root, 'b') } }]);
    expect(tree(root)).toEqual({ a: '644 new', b: '644 theirs', c: '644 new', state: '700 folder' });
  });

  test('a project that is gone after a crash hinders no later run', () => {
    const { root, state } = home();
    put(join(root, 'a'), 'old');
    put(join(root, 'project/b'), 'old');
    let renames = 0;
    const { fs } = injector((_, name) => (name === 'renameSync' && ++renames === 3 ? new Dead() : undefined));
    const changes = [
      change(join(root, 'a'), 'new'),
      change(join(root, 'project/b'), 'new'),
      change(join(root, 'project/c'), 'new'),
    ];
    expect(() => applyChanges(changes, { state, fs })).toThrow(Dead);
    rmSync(join(root, 'project'), { recursive: true });
    expect(recover(state).length).toBeGreaterThan(0);
    expect(recover(state)).toEqual([]);
    expect(tree(root)).toEqual({ a: '644 old', state: '700 folder' });
  });
});

/** A change of `a` and removal of `b`, then one of `c`, whose process dies when it comes to `c`. */
function deadBeforeC(): { root: string; state: string } {
  const { root, state } = home();
  for (const name of ['a', 'b', 'c']) put(join(root, name), 'old');
  const { fs } = injector((_, name, args) =>
    name === 'renameSync' && args[1] === join(root, 'c') ? new Dead() : undefined,
  );
  const changes = [['a', 'new'] as const, ['b', null] as const, ['c', 'new'] as const];
  const all = changes.map(([name, after]) => change(join(root, name), after));
  expect(() => applyChanges(all, { state, fs })).toThrow(Dead);
  return { root, state };
}

describe('taking back', () => {
  /** The operations on targets, with which nothing can be moved onto `c`. */
  function recoverWithoutC(root: string, state: string): [unknown, string[]] {
    const moved: string[] = [];
    const { fs } = injector((_, name, args) => {
      if (name !== 'renameSync' || String(args[0]).includes('journal')) return undefined;
      if (args[1] === join(root, 'c')) return systemError('EBUSY', 'rename');
      moved.push(relative(root, String(args[1])));
      return undefined;
    });
    return [recover(state, fs), moved];
  }

  test('goes in reverse order, so that what leads to a file goes before it', () => {
    const { root, state } = deadBeforeC();
    const [reports, moved] = recoverWithoutC(root, state);
    expect(reports).toMatchObject([{ code: 'apply.taken-back', where: { file: join(root, 'c') } }]);
    expect(moved).toEqual(['b', 'a']);
    expect(tree(root)).toEqual({ a: '644 old', b: '644 old', c: '644 old', state: '700 folder' });
  });

  test('reports what it cannot give back', () => {
    const { root, state } = deadBeforeC();
    for (const name of readdirSync(root)) if (name.endsWith('1.old')) rmSync(join(root, name));
    const [reports] = recoverWithoutC(root, state);
    expect(reports).toMatchObject([
      { code: 'apply.taken-back' },
      { code: 'apply.left-alone', where: { file: join(root, 'b') } },
    ]);
    expect(tree(root)).toEqual({ a: '644 old', c: '644 old', state: '700 folder' });
  });

  test('is over once all is new: a later change of a file by its owner stays', () => {
    const { root, state } = home();
    for (const name of ['a', 'b']) put(join(root, name), 'old');
    const dyingAt = (count: number) => {
      let unlinks = 0;
      return injector((_, name) => (name === 'unlinkSync' && ++unlinks === count ? new Dead() : undefined))
        .fs;
    };
    const changes = [change(join(root, 'a'), 'new'), change(join(root, 'b'), 'new')];
    // The first is the journal's draft.
    expect(() => applyChanges(changes, { state, fs: dyingAt(4) })).toThrow(Dead);
    expect(() => recover(state, dyingAt(2))).toThrow(Dead);
    writeFileSync(join(root, 'b'), 'old');
    expect(recover(state)).toEqual([]);
    expect(tree(root)).toEqual({ a: '644 new', b: '644 old', state: '700 folder' });
  });

  test('a recovery that went forward is over too', () => {
    const { root, state } = deadBeforeC();
    let unlinks = 0;
    const { fs } = injector((_, name) => (name === 'unlinkSync' && ++unlinks === 2 ? new Dead() : undefined));
    expect(() => recover(state, fs)).toThrow(Dead);
    writeFileSync(join(root, 'c'), 'old');
    expect(recover(state)).toEqual([]);
    expect(tree(root)).toEqual({ a: '644 new', c: '644 old', state: '700 folder' });
  });

  // Windows has no such error.
  test.skipIf(WINDOWS)('a full quota is a full disk, which node has no name for', () => {
    const { root, state } = home();
    const full = Object.assign(systemError('UNKNOWN'), { errno: -constants.errno.EDQUOT });
    const { fs } = injector((_, name) => (name === 'writeFileSync' ? full : undefined));
    const changes = [change(join(root, 'a'), 'new')];
    expect(faultOf(() => applyChanges(changes, { state, fs }))).toBe('apply.disk-full');
    expect(tree(root)).toEqual({ state: '700 folder' });
  });

  test('tells why it failed, not that it could not clean up', () => {
    const { root, state } = home();
    const { fs } = injector((_, name, args) => {
      if (name === 'unlinkSync' && String(args[0]).endsWith('.new')) return systemError('EIO', 'unlink');
      return name === 'fsyncSync' ? systemError('ENOSPC', 'fsync') : undefined;
    });
    const changes = [change(join(root, 'a'), 'new')];
    expect(faultOf(() => applyChanges(changes, { state, fs }))).toBe('apply.disk-full');
    recover(state);
    expect(tree(root)).toEqual({ state: '700 folder' });
  });
});

test('everything is on the disk before what relies on it', () => {
  const { root, state } = home();
  put(join(root, 'a'), 'old');
  const events: string[] = [];
  const paths = new Map<unknown, string>();
  const { fs: counted } = injector((_, name, args) => {
    if (name === 'fsyncSync') events.push(`sync ${paths.get(args[0])}`);
    if (name === 'renameSync') events.push(`move ${short(args[1])}`);
    return undefined;
  });
  const short = (path: unknown): string => slashed(relative(root, String(path))).replace(/mcphooks-\w+-/, '');
  const openSync = ((path: string, flags: string, mode?: number) => {
    const fd = counted.openSync(path, flags, mode);
    paths.set(fd, short(path));
    if (flags === 'wx') events.push(`write ${short(path)}`);
    return fd;
  }) as typeof counted.openSync;
  const changes = [change(join(root, 'n/b'), 'new'), change(join(root, 'a'), 'new')];
  applyChanges(changes, { state, fs: { ...counted, openSync } });
  const commit = events.indexOf('move state/journal.commit.json');
  const done = events.indexOf('move state/journal.done.json');
  const [prepared, committed] = [events.slice(0, commit), events.slice(commit, done)];
  for (const [i, event] of prepared.entries()) {
    if (!event.startsWith('write ')) continue;
    const path = event.slice(6);
    expect(prepared.slice(i)).toContain(`sync ${path}`);
    expect(prepared.slice(i)).toContain(`sync ${dirname(path).replace(/^\.$/, '')}`);
  }
  expect(committed.slice(0, 4)).toEqual([
    'move state/journal.commit.json',
    'sync state',
    'move n/b',
    'move a',
  ]);
  expect(committed.slice(4)).toEqual(expect.arrayContaining(['sync n', 'sync ']));
});

describe('the journal', () => {
  test.each([
    ['apply.journal-damaged', '{"format":1,"ops":'],
    ['apply.journal-damaged', 'null'],
    ['apply.journal-newer', '{"format":2}'],
  ])('%s for %s: nothing is done', (code, text) => {
    const { root, state } = home();
    mkdirSync(state);
    writeFileSync(journalFile(state, 'commit'), text);
    expect(faultOf(() => recover(state))).toBe(code);
    expect(faultOf(() => applyChanges([change(join(root, 'a'), 'new')], { state }))).toBe(code);
    expect(existsSync(join(root, 'a'))).toBe(false);
  });

  test('names no temporary file but those of mcphooks: others beside the target stay', () => {
    const { root, state } = home();
    mkdirSync(state);
    for (const name of ['notes.new', 'notes.old']) put(join(root, name), 'theirs');
    const at = (name: string): string => join(root, name);
    const op = { path: at('a'), target: at('a'), before: null, after: null };
    const ops = [{ ...op, fresh: at('notes.new'), old: at('notes.old') }];
    const journal = { format: 1, ops, made: [], emptied: [] };
    writeFileSync(journalFile(state, 'done'), JSON.stringify(journal));
    expect(faultOf(() => recover(state))).toBe('apply.journal-foreign');
    for (const name of ['notes.new', 'notes.old']) expect(readFileSync(at(name), 'utf8')).toBe('theirs');
  });

  test('holds no byte of the files', () => {
    const { root, state } = home();
    put(join(root, 'a'), 'token-4711');
    const { fs } = injector((_, name) => (name === 'renameSync' ? new Dead() : undefined));
    expect(() => applyChanges([change(join(root, 'a'), 'token-4712')], { state, fs })).toThrow(Dead);
    const draft = readFileSync(join(state, 'journal.tmp'), 'utf8');
    expect(draft).toContain(JSON.stringify(join(root, 'a')));
    expect(draft).not.toContain('token');
  });
});

describe('folders', () => {
  /** What a command does: plans the folders, then changes them with the files. */
  function run(root: string, changes: FileChange[], remembered: string[]): string[] {
    const { folders, emptied } = planFolders(changes, remembered, disk);
    applyChanges(changes, { state: join(root, '.state'), emptied });
    return folders;
  }

  test('those that were created for a client go with its last file, and not before', () => {
    const root = scratch();
    const [a, b] = [join(root, 'x/gemini/a.json'), join(root, 'x/gemini/b.json')];
    let folders = run(root, [change(a, 'a'), change(b, 'b')], []);
    expect(folders).toEqual([join(root, 'x'), join(root, 'x/gemini')]);
    folders = run(root, [change(a, null)], folders);
    expect(folders).toHaveLength(2);
    folders = run(root, [change(b, null)], folders);
    expect(folders).toEqual([]);
    expect(tree(root)).toEqual({ '.state': '700 folder' });
  });

  test('those that hold anything else stay, and are remembered', () => {
    const root = scratch();
    const a = join(root, 'x/gemini/a.json');
    const folders = run(root, [change(a, 'a')], []);
    put(join(root, 'x/theirs'), '');
    expect(run(root, [change(a, null)], folders)).toEqual([join(root, 'x')]);
    expect(tree(root)).toEqual({ '.state': '700 folder', x: '755 folder', 'x/theirs': '644 ' });
  });

  test('those that were there before stay', () => {
    const root = scratch();
    mkdirSync(join(root, 'gemini'));
    const folders = run(root, [change(join(root, 'gemini/a.json'), 'a')], []);
    expect(folders).toEqual([]);
    run(root, [change(join(root, 'gemini/a.json'), null)], folders);
    expect(tree(root)).toHaveProperty('gemini');
  });

  test('one that holds a link of the user to a file of ours stays', () => {
    const root = scratch();
    const a = join(root, 'x/a.json');
    const folders = run(root, [change(a, 'a')], []);
    renameSync(a, join(root, 'real'));
    symlinkSync('../real', a);
    expect(run(root, [change(a, null)], folders)).toEqual([join(root, 'x')]);
    expect(tree(root)).toEqual({ '.state': '700 folder', x: '755 folder', 'x/a.json': '-> ../real' });
  });

  test('one that is filled in the same change stays', () => {
    const root = scratch();
    const [old, fresh] = [join(root, 'shims/1/run'), join(root, 'shims/2/run')];
    const folders = run(root, [change(old, 'x', 0o700)], []);
    const after = run(root, [change(fresh, 'x', 0o700), change(old, null)], folders);
    expect(after.sort()).toEqual([join(root, 'shims'), join(root, 'shims/2')]);
    expect(tree(join(root, 'shims'))).toEqual({ 2: '700 folder', '2/run': '700 x' });
  });
});

test('any change of any files arrives, and its opposite gives back every byte', () => {
  const content = fc.option(fc.uint8Array({ maxLength: 20 }));
  const names = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/f', 'é ü/x');
  const plan = fc.uniqueArray(fc.record({ name: names, old: content, new: content }), {
    selector: (c) => c.name,
  });
  fc.assert(
    fc.property(plan, (files) => {
      const { root, state } = { root: scratch(), state: scratch() };
      const { fs } = injector(() => undefined);
      for (const f of files) if (f.old) put(join(root, f.name), Buffer.from(f.old).toString('latin1'));
      const there = files.map((f) => join(root, f.name));
      // A file that has just been emptied is waited for.
      const age = (): void => {
        for (const path of there) if (existsSync(path) && statSync(path).size === 0) utimesSync(path, 1, 1);
      };
      age();
      const before = tree(root);
      const old = there.map((path) => readFileState(path));
      const changes = files.map((f, i) => ({
        path: there[i] ?? '',
        before: old[i] ?? null,
        after: f.new,
        mode: 0o644,
      }));
      const { folders } = planFolders(changes, [], disk);
      applyChanges(changes, { state, fs });
      expect(there.map((path) => readFileState(path))).toEqual(files.map((f) => f.new && Buffer.from(f.new)));
      age();
      const back = changes.map((c) => ({ ...c, before: c.after, after: c.before })).reverse();
      applyChanges(back, { state, fs, emptied: planFolders(back, folders, disk).emptied });
      expect(tree(root)).toEqual(before);
      expect(tree(state)).toEqual({});
    }),
    often(),
  );
});

test('a folder that may not be written gives one Fault with the path of the file', () => {
  const { root, state } = home();
  put(join(root, 'locked/a'), 'old');
  const { fs } = injector((_, name, args) =>
    name === 'openSync' && args[1] === 'wx' && String(args[0]).includes('locked')
      ? systemError('EACCES', 'open')
      : undefined,
  );
  let fault: unknown;
  try {
    applyChanges([change(join(root, 'b'), 'new'), change(join(root, 'locked/a'), 'new')], { state, fs });
  } catch (error) {
    fault = error;
  }
  expect(fault).toMatchObject({ code: 'apply.denied', where: { file: join(root, 'locked/a') } });
  expect(existsSync(join(root, 'b'))).toBe(false);
});

test.each(['a new file', 'a file'])('%s on a read-only file system: the Fault says that', (kind) => {
  const { root, state } = home();
  const path = join(root, 'a');
  if (kind === 'a file') put(path, 'old');
  const { fs } = injector((_, name, args) =>
    (name === 'openSync' && args[1] === 'wx' && dirname(String(args[0])) === root) || name === 'accessSync'
      ? systemError('EROFS')
      : undefined,
  );
  const fault = orFault(() => applyChanges([change(path, 'new')], { state, fs })) as Fault;
  expect(fault).toMatchObject({ code: 'apply.read-only', where: { file: path } });
  expect(faultText(fault)).toMatch(
    /the file system is read-only \(EROFS\); nothing was written\n *Make it writable, or, if the file is a client's, choose/,
  );
});

test('where even the root is missing, like a drive of Windows, the search for a folder ends', () => {
  const none = (): undefined => undefined;
  const fs = { ...realFs, statSync: none, lstatSync: none } as unknown as FileOps;
  expect(targetFinder(fs)('/none/at/all').missing.map(slashed).at(-1)).toMatch(/none\/at$/);
});

test.each([
  ['EIO', 'Check the disk'],
  ['EMFILE', 'ulimit -n'],
  ['EFBIG', 'ulimit -f'],
  ['EINVAL', 'Check whether the path is a mount point'],
])('of an error %s, the message names what helps', (code, help) => {
  const { root, state } = home();
  const { fs } = injector((_, name) => (name === 'writeFileSync' ? systemError(code) : undefined));
  const fault = orFault(() => applyChanges([change(join(root, 'a'), 'new')], { state, fs }));
  expect(faultText(fault as Fault)).toContain(help);
});
