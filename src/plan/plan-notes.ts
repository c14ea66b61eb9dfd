import { addressOf, LONGEST_FOLDER, warmFolder } from '../fire/warm/address.ts';
import type { Note } from '../messages/notes.ts';
import { isForOneProject } from '../servers/source.ts';
import { isLeftIn } from './chosen-hooks.ts';
import type { PlanInput } from './input.ts';
import type { Plan } from './types.ts';

/** Returns the remarks on a whole plan: how its server starts and is kept running, and those of its input. */
export function notesOf(input: PlanInput): Pick<Plan, 'notes'> {
  const { toolAccess, notes = [], options, declared, scope } = input;
  const calls = declared.declarations.some(
    ({ context_tool, event }, i) => context_tool !== undefined && isLeftIn(event, i + 1, options),
  );
  const isSet = options.keepWarm > 0 && calls && 'at' in toolAccess;
  const wanted = isSet && !toolAccess.remote;
  const folder = warmFolder(scope.paths.state);
  const keeps = wanted && addressOf(folder, '', 0) !== undefined;
  const ofStart = ('at' in toolAccess && toolAccess.notes) || [];
  const kept: Note = { code: 'server.kept', args: { minutes: options.keepWarm } };
  const length = Buffer.byteLength(folder);
  const notKept: Note = { code: 'server.not-kept', args: { folder, length, most: LONGEST_FOLDER } };
  // A tool is called in that project alone.
  const beyond =
    scope.name === 'user' &&
    'at' in toolAccess &&
    isForOneProject(toolAccess.at.source) &&
    declared.declarations.some(({ context }) => context !== undefined);
  const all = [
    ...ofStart.filter(({ code }) => (calls && !keeps) || code !== 'runner.per-call'),
    ...(wanted ? [keeps ? kept : notKept] : []),
    ...(isSet && toolAccess.remote ? [{ code: 'server.never-kept', args: {} } as const] : []),
    ...(beyond ? [{ code: 'server.one-project', args: {} } as const] : []),
    ...notes,
  ];
  return all.length > 0 ? { notes: all } : {};
}
