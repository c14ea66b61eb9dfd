import { valuesByKey } from '../../base/grouped.ts';
import { ranges } from '../../base/ranges.ts';
import { clientById, titlesOf } from '../../clients/index.ts';
import { callsTools } from '../../declarations/types.ts';
import type { FaultArgs, Where } from '../../messages/args.ts';
import { noteText } from '../../messages/notes.ts';
import { differenceOn, hasAlteredLock } from '../../plan/difference.ts';
import type { Comparison } from '../../plan/install.ts';
import type { Scope } from '../../plan/scopes/scope.ts';
import type { DefinitionDifference } from '../../plan/types.ts';
import { configReader } from '../../servers/definitions/config-files.ts';
import { dialectOf } from '../../servers/definitions/resolve.ts';
import type { Absence } from '../../servers/types.ts';
import { approvedDefinitions } from '../../store/record.ts';
import type { ServerRecord } from '../../store/types.ts';
import { wordsToRepeat } from '../repeated-install.ts';
import { selfCalling } from '../self-calling.ts';
import type { Surveyed } from '../survey.ts';
import { aboutInstall } from './installs.ts';
import type { Check, Finding } from './types.ts';

/** Finds servers that were disabled or differ from what was approved. */
export const approvals: Check = ({ servers }) => servers.flatMap(approvalFindings);

/** Returns the findings about one server that is disabled, has no hooks, or differs from what was approved. */
export function approvalFindings({ scope, record, disabled, comparison }: Surveyed): Finding[] {
  const { changed = [], clientToName } = comparison ?? {};
  const left = changed.flatMap((what) => (what === 'definition' ? [] : [what]));
  return [
    ...(Object.keys(record.clients).length === 0
      ? [aboutInstall('doctor.no-hooks', scope, record, {}, { remark: true })]
      : []),
    ...(disabled ? [disabledFinding(scope, record)] : []),
    ...(comparison
      ? [
          ...goneFindings(scope, comparison),
          ...changedDefinitions(scope, comparison),
          ...stoppedHooks(scope, comparison),
          ...lockFindings(scope, comparison),
        ]
      : []),
    ...left.map((what) => naming(clientToName)(serverFinding(`doctor.${what}.changed`, scope, record, what))),
  ];
}

function disabledFinding(scope: Scope, record: ServerRecord): Finding {
  return aboutInstall('doctor.disabled', scope, record, { active: titlesOf(selfCalling(record)) });
}

/** Returns why hooks that were approved would not fire any more, where the entries differ for that reason. */
function stoppedHooks(scope: Scope, comparison: Comparison): Finding[] {
  const { previous, clients } = comparison;
  return clients.flatMap((one) => {
    if (!previous || differenceOn(one, comparison) !== 'changed') return [];
    const stopped = one.stopped ?? [];
    const reasons = valuesByKey(stopped.map(({ n, notes }) => [notes.map(noteText).join('; '), n]));
    return [...reasons].map(([reason, hooks]) => {
      const args = { reason, hooks: ranges(hooks), n: hooks.length };
      return aboutInstall('doctor.stops', scope, previous, args, { client: one.client });
    });
  });
}

/** Finds a lock file that was edited, or a file of ours that was altered together with its hash in it. */
function lockFindings(scope: Scope, comparison: Comparison): Finding[] {
  const { file } = scope.store;
  if (!comparison.previous || !hasAlteredLock(comparison, file)) return [];
  return [aboutInstall('doctor.lock-altered', scope, comparison.previous, {}, { where: { file } })];
}

/** Returns findings for approved sources that no longer exist. */
export function goneFindings(
  scope: Scope,
  comparison: Pick<Comparison, 'previous' | 'gone' | 'changed' | 'clientToName' | 'renamed' | 'clients'>,
): Finding[] {
  const { previous, gone, changed, clientToName } = comparison;
  if (!previous) return [];
  const other = adding(changed.includes('definition') ? { other: 1 } : {});
  return gone.flatMap((what) =>
    what === 'definition'
      ? definitionFindings('gone', scope, comparison)
          .map(renaming(comparison))
          .map(other)
          .map(naming(clientToName))
      : [serverFinding(`doctor.${what}.gone`, scope, previous, what)],
  );
}

/** Adds the name that the definition has now, and the options that an install under that name needs. */
const renaming =
  ({ previous, renamed }: Pick<Comparison, 'previous' | 'renamed'>) =>
  (finding: Finding): Finding => {
    if (!renamed) return finding;
    const { to, isInstalled, mayDiffer } = renamed;
    const options = previous && wordsToRepeat(previous);
    const more = {
      ...(isInstalled && { isInstalled: 1 }),
      ...(mayDiffer && { mayDiffer: 1 }),
      ...(options && { options }),
    };
    return adding({ renamed: to, ...more })(finding);
  };

function changedDefinitions(scope: Scope, comparison: Comparison): Finding[] {
  const { previous, changed, clientToName } = comparison;
  const found = definitionFindings('changed', scope, comparison);
  const all =
    found.length > 0 || !previous || !changed.includes('definition')
      ? found
      : [serverFinding('doctor.definition.changed', scope, previous, 'definition')];
  return all.map(naming(clientToName));
}

/** Adds the client that an install must name. */
const naming = (from: Comparison['clientToName']) => adding(from === undefined ? {} : { from });

const adding =
  (more: FaultArgs) =>
  (finding: Finding): Finding => ({ ...finding, args: { ...finding.args, ...more } });

/** Said once where it holds for all clients that have the hooks, else for each of them. */
function definitionFindings(
  is: DefinitionDifference['is'],
  scope: Scope,
  { previous, clients }: Pick<Comparison, 'previous' | 'clients'>,
): Finding[] {
  if (!previous) return [];
  const code = `doctor.definition.${is}` as const;
  const differing = clients.filter(({ definition, fault }) => !fault && definition?.is === is);
  const places = new Set(differing.map(({ definition }) => definition?.file));
  if (differing.length > 1 && differing.length === clients.length && places.size === 1)
    return [serverFinding(code, scope, previous, 'definition', differing[0]?.definition?.absent)];
  return differing.map(({ client, definition }) => {
    const { file, instead, absent, of } = definition ?? {};
    const args = {
      calls: callsTools(previous.declarations) ? 1 : 0,
      ...(absent && { absent }),
      ...(of && { of: clientById(of).title }),
      ...(instead && { instead: clientById(instead).title }),
    };
    return aboutInstall(code, scope, previous, args, { where: placeIn(file, absent, previous), client });
  });
}

function serverFinding(
  code: Finding['code'],
  scope: Scope,
  record: ServerRecord,
  about: 'definition' | 'declarations' | 'options',
  absent?: Absence,
): Finding {
  const { declarations, definition, from } = record;
  const calls = callsTools(declarations) ? 1 : 0;
  const file =
    about === 'definition'
      ? definition?.source.file
      : about === 'declarations' && from.kind === 'file'
        ? from.file
        : undefined;
  const where = placeIn(file, absent, record);
  return aboutInstall(code, scope, record, { calls, ...(absent && { absent }) }, { where });
}

/** Returns a file of an approval, with the place of the mistake for a client's file that can't be parsed. */
function placeIn(file: string | undefined, absent: Absence | undefined, record: ServerRecord): Where {
  if (file === undefined) return {};
  let where: Where = { file };
  // A client that stops at no mistake may have found a change in the same file.
  const isUnread = absent === 'unreadable' || absent === 'conflict';
  const source = isUnread && approvedDefinitions(record).find((one) => one.source.file === file)?.source;
  if (source)
    configReader()(file, dialectOf(source).format, (fault) => {
      where = fault.where;
    });
  return where;
}
