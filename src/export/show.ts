import { dirname, relative } from 'node:path';
import { oneLine, visible } from '../declarations/visible.ts';
import { header, hooksText, nextLines, type Surroundings } from '../plan/show.ts';
import { namesByFolder, shortPath } from '../plan/show-files.ts';
import type { ExportPlan } from './plan.ts';

/** What a person reads before a plugin is written; `verbose`: the files whole. */
export function exportText(plan: ExportPlan, around: Surroundings): string {
  const { style, columns, verbose } = around;
  const { name, version } = plan.plugin;
  const whole = plan.changes.flatMap(({ path, after }) =>
    after && !path.endsWith('.cjs')
      ? [
          style('bold', `  ${oneLine(relative(plan.out, path))}`),
          visible(Buffer.from(after).toString('utf8')),
        ]
      : [],
  );
  const names = namesByFolder(
    plan.changes,
    (path) => oneLine(relative(plan.out, dirname(path)) || '.'),
    columns,
  );
  return [
    ...header(plan, around),
    '',
    ...hooksText(plan, around),
    `${style('bold', `${name} ${version}`)}  ${shortPath(plan.out, around)}`,
    ...(names.length > 0 ? names : ['  No file changes.']),
    ...(verbose ? whole : []),
    ...nextLines(plan.clients, around),
  ].join('\n');
}
