import { dirname, relative } from 'node:path';
import { oneLine, visible } from '../../base/visible.ts';
import type { ExportPlan } from '../../export/plan.ts';
import { NO_FILES } from '../../messages/plan.ts';
import { hooksText, nextLines } from './plan.ts';
import { namesByFolder, shortPath } from './plan-files.ts';
import { header } from './plan-header.ts';
import type { TextContext } from './text-context.ts';

/** Returns the text shown before a plugin is written; with `verbose`, including the complete files. */
export function exportText(plan: ExportPlan, context: TextContext): string {
  const { style, columns, verbose } = context;
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
  const out = shortPath(plan.out, context);
  const fits = `${name} ${version}  ${out}`.length <= (columns ?? Number.POSITIVE_INFINITY);
  return [
    ...header(plan, context),
    '',
    ...hooksText(plan, context),
    `${style('bold', `${name} ${version}`)}${fits ? '  ' : '\n  '}${out}`,
    ...(names.length > 0 ? names : [`  ${NO_FILES}`]),
    ...(verbose ? whole : []),
    ...nextLines(plan.clients, context),
  ].join('\n');
}
