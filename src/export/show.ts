import { relative } from 'node:path';
import { oneLine, visible } from '../declarations/visible.ts';
import { header, hooksText, nextLines, type Surroundings } from '../plan/show.ts';
import type { ExportPlan } from './plan.ts';

/** What a person reads before a plugin is written; `verbose`: the files whole. */
export function exportText(plan: ExportPlan, around: Surroundings): string {
  const { style, home, verbose } = around;
  const { name, version } = plan.plugin;
  const out = plan.out.startsWith(`${home}/`) ? `~${plan.out.slice(home.length)}` : plan.out;
  const lines = plan.changes.flatMap(({ path, before, after }) => [
    `  ${after === null ? '-' : before ? '~' : '+'} ${oneLine(relative(plan.out, path))}`,
    ...(verbose && after && !path.endsWith('.cjs')
      ? visible(Buffer.from(after).toString('utf8'))
          .split('\n')
          .map((line) => `      ${line}`)
      : []),
  ]);
  return [
    ...header(plan, around),
    '',
    ...hooksText(plan, around),
    style('bold', `${name} ${version}  ${oneLine(out)}`),
    ...(lines.length > 0 ? lines : ['  No file changes.']),
    ...nextLines(plan.clients, around),
  ].join('\n');
}
