import { spawnSync } from 'node:child_process';
import { absolutePath, type Env } from '../base/paths.ts';
import { programOnPath } from '../base/program.ts';

/** Milliseconds that git may take. */
const WAIT_MS = 5_000;

/** A path that git ignores, and the file that says so, such as `.gitignore` or `.git/info/exclude`. */
interface IgnoredPath {
  path: string;
  by: string;
}

/**
 * Returns those of the paths, relative to `root`, that git ignores there; [] outside a repository and without git.
 * Files that git tracks already aren't ignored.
 */
export function gitIgnored(root: string, paths: readonly string[], env: Env): IgnoredPath[] {
  // A repository's own configuration may name a program that git starts to see what changed.
  const words = ['-c', 'core.fsmonitor=false', 'check-ignore', '--verbose', '--stdin', '-z'];
  const git = programOnPath('git', env);
  if (git === undefined) return [];
  const { stdout, status } = spawnSync(git, words, {
    cwd: root,
    // A partial clone fetches what it lacks, by a program that its own configuration names.
    env: { ...absolutePath(env), GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' },
    input: paths.join('\0'),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: WAIT_MS,
  });
  if (status !== 0) return [];
  const fields = stdout.split('\0');
  // For each path: the file of the pattern, its line, the pattern, the path. A pattern with `!` takes a path out.
  return fields.flatMap((path, i) => {
    const [by = '', , pattern = ''] = fields.slice(i - 3, i);
    return i % 4 === 3 && !pattern.startsWith('!') ? [{ path, by }] : [];
  });
}
