import type { Context } from '../../app/context.ts';
import { belowHome, homeFolder } from '../../base/paths.ts';
import { wrapped } from '../../base/text-style.ts';
import { oneLine } from '../../base/visible.ts';
import { clientById } from '../../clients/index.ts';
import type { Finding } from '../../inspect/doctor/types.ts';
import { findingWords } from '../../messages/findings.ts';
import { whereText } from '../../messages/words.ts';

/** Returns one finding as text: its subject and problem, the place, and the step that solves it. */
export function findingText(finding: Finding, { style, columns, env }: Context): string {
  const { server, scope, client, where, remark } = finding;
  const { what, fix } = findingWords(finding);
  const about = [
    ...(server === undefined ? [] : [`${oneLine(server)}${scope ? ` (${scope})` : ''}`]),
    ...(client ? [clientById(client).title] : []),
  ].join(' on ');
  const home = homeFolder(env);
  const file = where.file && belowHome(where.file, home);
  const place = whereText({ ...where, ...(file !== undefined && { file }) });
  const sentence = wrapped(about ? `${about}: ${what}` : what, 2, columns).slice(2);
  const step = fix === undefined ? undefined : wrapped(fix, 6, columns).slice(6);
  const named = sentence.startsWith(`${about}:`)
    ? style('bold', about) + sentence.slice(about.length)
    : sentence;
  return [
    `${remark ? style('dim', '·') : style('red', '✕')} ${named}`,
    ...(place ? [`    ${style('dim', place)}`] : []),
    ...(step === undefined ? [] : [`    ${style('bold', '→')} ${step}`]),
  ].join('\n');
}
