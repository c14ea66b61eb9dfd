import type { Context } from '../../app/context.ts';
import { valuesByKey } from '../../base/grouped.ts';
import { belowHome, homeFolder } from '../../base/paths.ts';
import { hanging, wrapped } from '../../base/text-style.ts';
import { oneLine } from '../../base/visible.ts';
import { clientById } from '../../clients/index.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import type { Finding } from '../../inspect/doctor/types.ts';
import { findingWords } from '../../messages/findings.ts';
import { alsoConcerns, serverAt, whereText } from '../../messages/words.ts';

/** Returns findings as texts: one text for those that differ by their server alone. */
export function findingTexts(findings: readonly Finding[], context: Context): string[] {
  const groups = valuesByKey(findings.map((finding) => [canonicalJson(ofAnyServer(finding)), finding]));
  return [...groups.values()].map(([first, ...more]) => {
    if (more.length > 0 && isOnClient(first)) return findingText(ofAnyServer(first), [], context);
    return findingText(first, more, context);
  });
}

/** True for a finding on a client that names no server: it holds for all servers there. */
const isOnClient = ({ client, args }: Finding): boolean => client !== undefined && args.name === undefined;

/** Returns what is equal in findings on several servers that are said once. */
function ofAnyServer({ server, scope, ...finding }: Finding): Finding {
  const { name, ...args } = finding.args;
  return {
    ...finding,
    ...(name === server && { args }),
    ...(scope && !isOnClient(finding) && { scope }),
    ...(finding.isOnce && { args: {}, where: {} }),
  };
}

/**
 * Returns one finding as text: its subject and problem, the place, and the step that solves it. `more`: the same of other
 * servers.
 */
function findingText(finding: Finding, more: readonly Finding[], { style, columns, env }: Context): string {
  const { server, scope, client, where, remark } = finding;
  const { what, fix } = findingWords(finding);
  const others = [...new Set(more.flatMap((one) => one.server ?? []))].filter((one) => one !== server);
  const withName = (name: string): Finding => ({ ...finding, args: { ...finding.args, name } });
  const repeats =
    finding.args.name === server && others.some((one) => findingWords(withName(one)).fix !== fix);
  const about = [
    ...(server === undefined ? [] : [serverAt(server, scope)]),
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
    ...(others.length > 0 ? [`    ${hanging(alsoConcerns(others.map(oneLine), repeats), 4, columns)}`] : []),
  ].join('\n');
}
