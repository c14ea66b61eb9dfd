import type { Context } from '../../app/context.ts';
import { withoutMarks } from '../../base/ci-commands.ts';
import { inside, slashed } from '../../base/paths.ts';
import { hanging } from '../../base/text-style.ts';
import { oneLine } from '../../base/visible.ts';
import type { Subject, Warning } from '../../lint/types.ts';
import type { Where } from '../../messages/args.ts';
import type { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import { whenText } from '../../messages/hook-words.ts';
import { warningText, warningWords } from '../../messages/warnings.ts';
import { whereText } from '../../messages/words.ts';
import { code, fence, matrix } from './markdown.ts';
import { type HookMatrix, matrixLines } from './matrix.ts';
import { remarkLines } from './plan.ts';

/** Result of `lint`. Without a subject, the declarations couldn't be read at all. */
export interface LintReport {
  target: string;
  faults: readonly Fault[];
  subject?: Subject;
  warnings?: readonly Warning[];
}

const matrixOf = ({ declarations, clients }: Subject): HookMatrix => ({
  declarations,
  clients: clients.map(({ client, cells }) => ({ client: client.id, cells: [...cells] })),
});

const count = (n: number, what: string): string => `${n === 0 ? 'no' : n} ${what}${n === 1 ? '' : 's'}`;

export function lintText({ target, subject, warnings }: Required<LintReport>, context: Context): string {
  const { style } = context;
  const outcome = matrixOf(subject);
  const { declarations } = outcome;
  return [
    `${style('bold', oneLine(target))}  ${count(declarations.length, 'hook')}, ${count(warnings.length, 'warning')}`,
    ...warnings.filter(({ n }) => n === undefined).flatMap((w) => lintWarningLines(w, context)),
    ...(declarations.length === 0
      ? []
      : ['', ...matrixLines(outcome, style, context.columns), ...remarkLines(outcome, context)]),
    ...declarations.flatMap((declaration, i) => {
      const own = warnings.filter(({ n }) => n === i + 1);
      if (own.length === 0) return [];
      const title = `${String(i + 1).padStart(3)}  ${style('bold', oneLine(whenText(declaration)))}`;
      return ['', title, ...own.flatMap((w) => lintWarningLines(w, context))];
    }),
  ].join('\n');
}

function lintWarningLines(warning: Warning, { style, columns, cwd }: Context): string[] {
  const { what, fix } = warningWords(warning);
  const place = whereText(within(warning.where, cwd));
  return [
    `     ${style('magenta', '!')} ${hanging(what, 7, columns)}`,
    ...(place ? [`       ${style('dim', place)}`] : []),
    ...(fix ? [`       ${style('bold', '→')} ${hanging(fix, 9, columns)}`] : []),
  ];
}

/** Returns a place with its file relative to a folder that contains the file, otherwise with the whole path. */
function within({ file, ...at }: Where, folder: string): Where {
  if (file === undefined) return at;
  return { ...at, file: slashed(inside(folder, file) || file) };
}

/** Folder of the checkout in a GitHub workflow. */
const workflowFolder = ({ env, cwd }: Context): string => env.GITHUB_WORKSPACE || cwd;

/** Returns workflow commands of GitHub Actions: each Fault and each warning at its file and line. */
export function annotations({ faults, warnings = [] }: LintReport, context: Context): string {
  const line = (kind: 'error' | 'warning', of: Fault | Warning, text: string): string => {
    const { file, line, column } = within(of.where, workflowFolder(context));
    const properties = { file, line, col: column, title: `mcphooks ${of.code}` };
    const given = Object.entries(properties).filter(([, value]) => value !== undefined);
    const written = given.map(([name, value]) => `${name}=${property(String(value))}`);
    return `::${kind} ${written.join(',')}::${data(text)}`;
  };
  return [
    ...faults.map((fault) => line('error', fault, faultText({ ...fault, where: path(fault) }))),
    ...warnings.map((w) => line('warning', w, warningText({ ...w, where: path(w) }))),
  ].join('\n');
}

const path = ({ where }: Fault | Warning): Where => (where.path === undefined ? {} : { path: where.path });

/** Escapes a text as the value of a workflow command, so that it can't contain another command, of any CI system. */
const data = (text: string): string =>
  withoutMarks(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Returns results and matrix for a summary. All text from a server or a file is inside code spans. */
export function lintMarkdown(
  { target, faults, subject, warnings = [] }: LintReport,
  context: Context,
): string {
  const placed = <Of extends Fault | Warning>(of: Of): Of => ({
    ...of,
    where: within(of.where, workflowFolder(context)),
  });
  const found = [
    ...(faults.length > 0 ? [count(faults.length, 'fault')] : []),
    ...(subject ? [count(subject.declarations.length, 'hook'), count(warnings.length, 'warning')] : []),
  ];
  return [
    `### mcphooks: ${code(target)}, ${found.join(', ')}`,
    ...(faults.length > 0 ? [fence(faults.map((f) => faultText(placed(f))).join('\n'), 'text')] : []),
    ...(subject && subject.declarations.length > 0 ? [matrix(matrixOf(subject)).join('\n')] : []),
    ...(warnings.length > 0 ? [fence(warnings.map((w) => warningText(placed(w))).join('\n'), 'text')] : []),
  ].join('\n\n');
}
