import type { Source } from '../declarations/when.ts';
import { runs } from './command-words.ts';
import type { Firing } from './firing.ts';
import type { FireConditions, FireHook } from './format.ts';
import { outcomeOf } from './outcome.ts';
import { at, textAt } from './payload.ts';
import { existsAny } from './project-files.ts';
import { touchedFiles, touches } from './touched-files.ts';
import type { Silence } from './why.ts';

/** What conditions are held against. */
type Circumstances = Pick<Firing, 'payload' | 'tool' | 'project' | 'tree' | 'session'> & {
  data: Pick<Firing['data'], 'payload'>;
};

interface Unmet {
  code: Silence;
  /** What there is instead. */
  detail?: string;
}

type Test = (here: Circumstances, when: FireConditions, hook: FireHook) => Unmet | undefined;

const outcome: Test = ({ data, payload, tool }, { outcome, ifUnknown }) => {
  const { outcome: rule } = data.payload;
  if (outcome === undefined) return undefined;
  const found = rule && outcomeOf(rule, payload, tool?.native ?? '');
  if (found === outcome || (found === undefined && ifUnknown)) return undefined;
  return { code: found === undefined ? 'when.outcome-unknown' : 'when.outcome' };
};

const source: Test = (here, { source }) => {
  if (!source) return undefined;
  const found = sourceOf(here) ?? here.session?.read('armed');
  return source.some((wanted) => wanted === found) ? undefined : { code: 'when.source', detail: found ?? '' };
};

const files: Test = ({ project, tree }, { files }) =>
  !files || [...new Set([tree, project])].some((root) => existsAny(files, root))
    ? undefined
    : { code: 'when.files', detail: project };

const command: Test = ({ tool }, { command }) => {
  if (!command || runs(tool?.commands ?? [], command)) return undefined;
  return {
    code: 'when.command',
    detail: (tool?.commands ?? []).map(({ words }) => words.join(' ')).join('; '),
  };
};

const path: Test = ({ data, payload, tool, tree }, { paths }) => {
  if (!paths) return undefined;
  const { files = {}, toolInput } = data.payload;
  const native = tool?.native ?? '';
  const fields = Object.hasOwn(files, native) ? files[native] : undefined;
  const cwd = textAt(payload, 'cwd') ?? tree;
  const touched = touchedFiles(at(payload, toolInput), fields, cwd);
  return touches(touched, paths, tree) ? undefined : { code: 'when.path', detail: touched.join(', ') };
};

const called: Test = ({ session }, { unlessCalled }, { n }) =>
  unlessCalled && session?.holds(`called.${n}`) ? { code: 'when.called' } : undefined;

const TESTS: readonly Test[] = [outcome, source, files, command, path, called];

/** The first condition that keeps a hook from printing; undefined: all hold. */
export function unmet(here: Circumstances, hook: FireHook): Unmet | undefined {
  const { when } = hook;
  for (const test of when ? TESTS : []) {
    const found = test(here, when as FireConditions, hook);
    if (found) return found;
  }
  return undefined;
}

/** Why a hook rests that printed its text before. */
export function resting({ cooldownMs }: FireHook): Unmet {
  return cooldownMs ? { code: 'cooldown', detail: `${cooldownMs / 1_000}` } : { code: 'cooldown.session' };
}

/** How the session began, where the payload says so. */
export function sourceOf({ data, payload }: Pick<Circumstances, 'data' | 'payload'>): Source | undefined {
  const { source } = data.payload;
  const word = source && textAt(payload, source.path);
  return word !== undefined && Object.hasOwn(source?.words ?? {}, word) ? source?.words[word] : undefined;
}
