import { visible } from '../../base/visible.ts';
import { sameAs } from '../../messages/plan.ts';
import type { Plan } from '../../plan/types.ts';
import { isClients, shortPath } from './plan-files.ts';
import type { TextContext } from './text-context.ts';

/** Returns every file of ours that a plan writes, whole: equal texts once, and of scripts that are alike one whole. */
export function ownFilesText(plan: Plan, context: TextContext): string {
  const { style } = context;
  const byText = new Map<string, string[]>();
  for (const { path, after } of plan.changes) {
    if (!after || isClients(plan, path)) continue;
    // The runtime is our own code, on one line.
    const text = path.endsWith('.cjs') ? `(${after.length} bytes)` : Buffer.from(after).toString();
    byText.set(text, [...(byText.get(text) ?? []), path]);
  }
  const shown = new Map<string, { lines: Set<string>; path: string }>();
  const blocks = [...byText].map(([text, paths]) => {
    // Scripts of one template begin with the same remark.
    const kind = text.startsWith('#!') ? /^# Written by .*/m.exec(text)?.[0] : undefined;
    const whole = kind === undefined ? undefined : shown.get(kind);
    const [path = ''] = paths;
    if (kind !== undefined && !whole) shown.set(kind, { lines: new Set(text.split('\n')), path });
    const differs = whole && text.split('\n').filter((line) => !whole.lines.has(line));
    return [
      ...paths.map((one) => style('bold', shortPath(one, context))),
      ...(whole ? [style('dim', sameAs(shortPath(whole.path, context)))] : []),
      visible(differs ? differs.join('\n') : text.trimEnd()),
      '',
    ].join('\n');
  });
  return blocks.join('\n');
}
