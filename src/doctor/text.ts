import { clientById } from '../clients/index.ts';
import type { Context } from '../context.ts';
import { oneLine } from '../declarations/visible.ts';
import { findingWords, whereText } from '../messages.ts';
import { homeFolder } from '../paths.ts';
import { wrapped } from '../style.ts';
import type { Finding } from './types.ts';

/** One finding as text: what it is about and what is wrong; where; the step that mends it. */
export function findingText(finding: Finding, { style, columns, env }: Context): string {
  const { server, scope, client, where, remark } = finding;
  const { what, fix } = findingWords(finding);
  const about = [
    ...(server === undefined ? [] : [`${oneLine(server)}${scope ? ` (${scope})` : ''}`]),
    ...(client ? [clientById(client).title] : []),
  ].join(' on ');
  const home = homeFolder(env);
  const file = where.file?.startsWith(`${home}/`) ? `~${where.file.slice(home.length)}` : where.file;
  const place = whereText({ ...where, ...(file !== undefined && { file }) });
  const said = wrapped(about ? `${about}: ${what}` : what, 2, columns).slice(2);
  const step = fix === undefined ? undefined : wrapped(fix, 6, columns).slice(6);
  const named = said.startsWith(`${about}:`) ? style('bold', about) + said.slice(about.length) : said;
  return [
    `${remark ? style('dim', '·') : style('red', '✕')} ${named}`,
    ...(place ? [`    ${style('dim', place)}`] : []),
    ...(step === undefined ? [] : [`    ${style('bold', '→')} ${step}`]),
  ].join('\n');
}

export function findingJson(finding: Finding): Record<string, unknown> {
  const { code, server, scope, client } = finding;
  const { what, fix } = findingWords(finding);
  const where = whereText(finding.where);
  return {
    code,
    ...(server !== undefined && { server }),
    ...(scope && { scope }),
    ...(client && { client }),
    ...(where && { where }),
    message: what,
    ...(fix && { fix }),
  };
}
