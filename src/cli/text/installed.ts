import { join, relative, sep } from 'node:path';
import type { Context } from '../../app/context.ts';
import { gitIgnored } from '../../app/git-ignored.ts';
import { PROJECT_FOLDER, slashed } from '../../base/paths.ts';
import { followed } from '../../base/real-path.ts';
import { checkoutOf } from '../../base/repository.ts';
import { installedSentence, noneLeft, stillDisabled, toCommit, toShare, tryIt } from '../../messages/done.ts';
import { isCarried } from '../../plan/carried.ts';
import type { Plan } from '../../plan/types.ts';

/** Returns what to say after an install: how to take it back, how to try it, and what others of a project need. */
export function installedText(plan: Plan, { cwd, env, scope }: Context): string {
  const first = plan.declarations.find((_, i) =>
    plan.clients.some(({ cells, covered }) => !covered && isCarried(cells[i]?.fidelity)),
  );
  return [
    first || plan.clients.some(({ covered }) => covered)
      ? installedSentence(plan.server, scope.name)
      : noneLeft(plan.server, scope.name),
    ...(first
      ? [plan.disabled ? stillDisabled(plan.server) : tryIt(plan.server, scope.name, first.event)]
      : []),
    ...(scope.name === 'project' ? commitLines(plan, cwd, env) : []),
  ].join('\n');
}

function commitLines({ root = '', changes }: Plan, cwd: string, env: Context['env']): string[] {
  const written = changes.flatMap(({ path, after }) => (after === null ? [] : [relative(root, path)]));
  const shown = (paths: readonly string[]): string[] => [
    ...new Set(
      paths.map((path) => {
        const [top = ''] = path.split(sep);
        // No shell on Windows needs quotes around it then, and git takes it everywhere.
        return slashed(relative(cwd, join(root, top === PROJECT_FOLDER ? top : path))) || '.';
      }),
    ),
  ];
  if (!checkoutOf(followed(root))) return [toShare(shown(written).sort())];
  const ignored = gitIgnored(root, written, env);
  const hidden = new Set(ignored.map(({ path }) => path));
  return toCommit(
    shown(written.filter((path) => !hidden.has(slashed(path)) && !hidden.has(path))).sort(),
    shown([...hidden]).sort(),
    [...new Set(ignored.map(({ by }) => by))].sort(),
  );
}
