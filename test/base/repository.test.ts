import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { describe, expect, it } from 'vitest';
import { inMainCheckout, mainCheckout, repositoryOf } from '../../src/base/repository.ts';
import { homeEnv, runGit } from '../platform.ts';
import { scratch } from '../store/support.ts';

const WHO = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Dev',
  GIT_AUTHOR_EMAIL: 'dev@example.org',
  GIT_COMMITTER_NAME: 'Dev',
  GIT_COMMITTER_EMAIL: 'dev@example.org',
};

it('follows no path that is longer than systems take', () => {
  const folder = realpathSync(scratch());
  const listed = join(folder, 'own/worktrees/x');
  mkdirSync(listed, { recursive: true });
  const before = cpuUsage();
  writeFileSync(join(folder, '.git'), `gitdir: ${'a/'.repeat(5e6)}`);
  expect(mainCheckout(folder)).toBeUndefined();
  writeFileSync(join(folder, '.git'), 'gitdir: own/worktrees/x\n');
  writeFileSync(join(listed, 'gitdir'), `${'a/'.repeat(5e6)}.git`);
  expect(mainCheckout(folder)).toBeUndefined();
  expect(cpuUsage(before).user / 1000).toBeLessThan(1000);
});

/** A folder with a checkout `proj`, and an unpacked `evil` that claims to be a worktree of the folder around both. */
function forged(): string {
  const folder = realpathSync(scratch());
  for (const below of ['worktrees/x', 'evil/proj', 'proj/.git'])
    mkdirSync(join(folder, below), { recursive: true });
  writeFileSync(join(folder, 'worktrees/x/gitdir'), '../../evil/.git\n');
  writeFileSync(join(folder, 'evil/.git'), 'gitdir: ../worktrees/x\n');
  return folder;
}

describe('a bare repository', () => {
  it('is more than a folder with files that look like a list of worktrees', () => {
    const folder = forged();
    expect(mainCheckout(join(folder, 'evil'))).toBeUndefined();
  });

  it('stands for no checkout beside its worktrees', () => {
    const folder = forged();
    for (const name of ['HEAD', 'objects', 'refs']) mkdirSync(join(folder, name));
    expect(mainCheckout(join(folder, 'evil'))).toBe(folder);
    const evil = join(folder, 'evil/proj');
    expect(inMainCheckout(evil, '/nowhere')).toBe(evil);
  });

  it('below a home that is a repository is none of its files', () => {
    const home = realpathSync(scratch());
    for (const name of ['HEAD', 'objects', 'refs', 'worktrees/x'])
      mkdirSync(join(home, 'code/b.git', name), { recursive: true });
    for (const name of ['.git', 'tree']) mkdirSync(join(home, name));
    writeFileSync(join(home, 'code/b.git/worktrees/x/gitdir'), join(home, 'tree/.git'));
    writeFileSync(join(home, 'tree/.git'), `gitdir: ${join(home, 'code/b.git/worktrees/x')}`);
    expect(repositoryOf(join(home, 'tree'), home).main).toBe(join(home, 'code/b.git'));
    expect(repositoryOf(join(home, 'tree'), '/nowhere').main).toBe(join(home, 'tree'));
  });

  it('is known by each of its worktrees, wherever it is', () => {
    const folder = realpathSync(scratch());
    const git = (...args: string[]): string =>
      runGit(args, folder, { PATH: process.env.PATH ?? '', ...homeEnv(folder), ...WHO });
    git('init', '--quiet', 'a');
    git('-C', 'a', 'commit', '--quiet', '--allow-empty', '-m', 'first');
    for (const bare of ['b.git', 'c/.bare', 'd/.git']) git('clone', '--quiet', '--bare', 'a', bare);
    writeFileSync(join(folder, 'c/.git'), 'gitdir: ./.bare\n');
    const trees = { 'b.git': 'b.git/tree', 'c/.bare': 'c/tree', 'd/.git': 'tree' };
    for (const [bare, tree] of Object.entries(trees)) {
      git('-C', bare, 'worktree', 'add', '--quiet', join(folder, tree));
      const main = join(folder, bare.replace(/[/]\.git$/, ''));
      expect(mainCheckout(join(folder, tree)), bare).toBe(main);
      expect(inMainCheckout(join(folder, tree, 'x'), '/nowhere'), bare).toBe(join(main, 'x'));
    }
    git('-C', 'a', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../b.git', 'sub');
    git('-C', 'a/sub', 'worktree', 'add', '--quiet', '../../of-sub');
    expect(mainCheckout(join(folder, 'of-sub'))).toBe(join(folder, 'a/.git/modules/sub'));
  });
});
