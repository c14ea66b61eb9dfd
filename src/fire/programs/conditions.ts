import type { Firing, SilenceReason } from '../firing.ts';
import type { FireConditions, FireHook } from '../format.ts';
import { at, sourceOf, textAt } from '../payload.ts';
import { markOf } from '../session/markers.ts';
import { outcomeOf } from '../when/outcome.ts';
import { existsAny } from '../when/project-files.ts';
import { touchedFiles, touches } from '../when/touched-files.ts';
import type { LoggedSilence } from '../why.ts';

export { readShellLine } from '../shell/shell-line.ts';

/** The facts of a fire against which conditions are tested. */
type Circumstances = Pick<Firing, 'payload' | 'shape' | 'tool' | 'projectDir' | 'tree' | 'session'>;

type Test = (
  here: Circumstances,
  when: FireConditions,
  hook: FireHook,
) => SilenceReason<LoggedSilence> | undefined;

const outcome: Test = ({ shape, payload, tool }, { outcome, ifUnknown }) => {
  const { outcome: rule } = shape;
  if (outcome === undefined) return undefined;
  const found = rule && outcomeOf(rule, payload, tool?.native ?? '');
  if (found === outcome || (found === undefined && ifUnknown)) return undefined;
  return { code: found === undefined ? 'when.outcome-unknown' : 'when.outcome' };
};

const source: Test = ({ shape, payload, session }, { source }) => {
  if (!source) return undefined;
  const found = sourceOf(payload, shape) ?? session?.read('armed');
  return source.some((wanted) => wanted === found) ? undefined : { code: 'when.source', detail: found ?? '' };
};

const files: Test = ({ projectDir, tree }, { files }) =>
  !files || [...new Set([tree, projectDir])].some((root) => existsAny(files, root))
    ? undefined
    : { code: 'when.files', detail: projectDir };

const command: Test = ({ tool }, { command }) =>
  !command || tool?.line?.runs(command)
    ? undefined
    : { code: 'when.command', detail: tool?.line?.text ?? '' };

const path: Test = ({ shape, payload, tool, tree }, { paths }) => {
  if (!paths) return undefined;
  const { files = {}, toolInput } = shape;
  const native = tool?.native ?? '';
  const fields = Object.hasOwn(files, native) ? files[native] : undefined;
  const cwd = textAt(payload, 'cwd') ?? tree;
  const touched = touchedFiles(at(payload, toolInput), fields, cwd);
  return touches(touched, paths, tree) ? undefined : { code: 'when.path', detail: touched.join(', ') };
};

const called: Test = ({ session }, { unlessCalled }, hook) =>
  unlessCalled && session?.holds(`called.${markOf(hook)}`) ? { code: 'when.called' } : undefined;

const TESTS: readonly Test[] = [outcome, source, files, command, path, called];

/** Returns the first condition that doesn't hold; undefined when all hold. */
export function unmet(here: Circumstances, hook: FireHook): SilenceReason<LoggedSilence> | undefined {
  const { when } = hook;
  for (const test of when ? TESTS : []) {
    const found = test(here, when as FireConditions, hook);
    if (found) return found;
  }
  return undefined;
}
