import { dirname, relative } from 'node:path';
import { oneLine, visible } from '../../base/visible.ts';
import type { ExportPlan } from '../../export/plan.ts';
import { NO_FILES } from '../../messages/plan.ts';
import { hooksText, nextLines } from './plan.ts';
import { namesByFolder, shortPath } from './plan-files.ts';
import { header } from './plan-header.ts';
import type { Surroundings } from './surroundings.ts';

/** Returns the text shown before a plugin is written; with `verbose`, including the complete files. */
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
  const out = shortPath(plan.out, around);
  const fits = `${name} ${version}  ${out}`.length <= (columns ?? Number.POSITIVE_INFINITY);
  return [
    ...header(plan, around),
    '',
    ...hooksText(plan, around),
    `${style('bold', `${name} ${version}`)}${fits ? '  ' : '\n  '}${out}`,
    ...(names.length > 0 ? names : [`  ${NO_FILES}`]),
    ...(verbose ? whole : []),
    ...nextLines(plan.clients, around),
  ].join('\n');
}
