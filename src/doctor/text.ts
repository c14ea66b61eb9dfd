import { clientById } from '../clients/index.ts';
import { oneLine } from '../declarations/visible.ts';
import { findingWords, whereText } from '../messages.ts';
import type { Style } from '../style.ts';
import type { Finding } from './types.ts';

/** One finding as text: what it is about and what is wrong; where; the step that mends it. */
export function findingText(finding: Finding, home: string, style: Style): string {
  const { server, client, where, remark } = finding;
  const { what, fix } = findingWords(finding);
  const about = [
    ...(server === undefined ? [] : [oneLine(server)]),
    ...(client ? [clientById(client).title] : []),
  ].join(' on ');
  const file = where.file?.startsWith(`${home}/`) ? `~${where.file.slice(home.length)}` : where.file;
  const place = whereText({ ...where, ...(file !== undefined && { file }) });
  const sign = remark ? style('dim', '·') : style('red', '✕');
  return [
    `${sign} ${about ? `${style('bold', about)}: ` : ''}${what}`,
    ...(place ? [`    ${style('dim', place)}`] : []),
    ...(fix ? [`    ${style('cyan', '→')} ${fix}`] : []),
  ].join('\n');
}

export function findingJson(finding: Finding): Record<string, unknown> {
  const { code, server, client } = finding;
  const { what, fix } = findingWords(finding);
  const where = whereText(finding.where);
  return {
    code,
    ...(server !== undefined && { server }),
    ...(client && { client }),
    ...(where && { where }),
    message: what,
    ...(fix && { fix }),
  };
}
