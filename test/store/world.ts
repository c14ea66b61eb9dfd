import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { readFileState } from '../../src/store/files.ts';
import type { FileChange } from '../../src/store/types.ts';
import { WINDOWS } from '../platform.ts';
import { asHere, bytes, put, scratch } from './support.ts';

/** A home with every kind of file that a change can meet, and such a change. */
export interface World {
  home: string;
  state: string;
  changes: FileChange[];
  emptied: string[];
  cleared: string[];
}

const CHANGES: [path: string, after: string | null, mode: number][] = [
  ['data/shims/a/run.sh', 'new shim', 0o700],
  ['settings.json', 'new settings', 0o644],
  ['linked.toml', 'new toml', 0o644],
  ['dangling.json', 'new json', 0o644],
  ['empty.json', 'not empty', 0o644],
  ['fresh/client/hooks.json', 'new file', 0o644],
  ['state/record.json', 'new record', 0o600],
  ['gone/deep/old.sh', null, 0o700],
];

export function world(): World {
  const home = scratch();
  const state = join(home, 'state');
  mkdirSync(state, { mode: 0o700 });
  put(join(home, 'settings.json'), 'old settings', 0o640);
  put(join(home, 'empty.json'), '');
  utimesSync(join(home, 'empty.json'), 0, 0);
  put(join(home, 'dotfiles/real.toml'), 'old toml', 0o600);
  if (WINDOWS) put(join(home, 'linked.toml'), 'old toml');
  else {
    symlinkSync('dotfiles/real.toml', join(home, 'linked.toml'));
    symlinkSync('dotfiles/later.json', join(home, 'dangling.json'));
  }
  put(join(home, 'state/record.json'), 'old record', 0o600);
  put(join(home, 'gone/deep/old.sh'), 'old shim', 0o700);
  put(join(home, 'state/kept/one'), 'kept');
  const changes = CHANGES.map(([path, after, mode]) => ({
    path: join(home, path),
    before: readFileState(join(home, path)),
    after: after === null ? null : bytes(after),
    mode,
  }));
  return {
    home,
    state,
    changes,
    emptied: [join(home, 'gone'), join(home, 'gone/deep')],
    cleared: [join(home, 'state/kept')],
  };
}

const COMMON = {
  dotfiles: '755 folder',
  ...(!WINDOWS && { 'linked.toml': '-> dotfiles/real.toml', 'dangling.json': '-> dotfiles/later.json' }),
  state: '700 folder',
};

/** The tree of `world` before the change, and after it. */
export const OLD = asHere({
  ...COMMON,
  ...(WINDOWS && { 'linked.toml': '644 old toml' }),
  'settings.json': '640 old settings',
  'empty.json': '644 ',
  'dotfiles/real.toml': '600 old toml',
  'state/record.json': '600 old record',
  'state/kept': '755 folder',
  'state/kept/one': '644 kept',
  gone: '755 folder',
  'gone/deep': '755 folder',
  'gone/deep/old.sh': '700 old shim',
});

export const NEW = asHere({
  ...COMMON,
  ...(WINDOWS && { 'linked.toml': '644 new toml', 'dangling.json': '644 new json' }),
  'settings.json': '640 new settings',
  'empty.json': '644 not empty',
  ...(WINDOWS
    ? { 'dotfiles/real.toml': '600 old toml' }
    : { 'dotfiles/real.toml': '600 new toml', 'dotfiles/later.json': '644 new json' }),
  'state/record.json': '600 new record',
  data: '700 folder',
  'data/shims': '700 folder',
  'data/shims/a': '700 folder',
  'data/shims/a/run.sh': '700 new shim',
  fresh: '755 folder',
  'fresh/client': '755 folder',
  'fresh/client/hooks.json': '644 new file',
});
