import { TEMPLATE_VARIABLES } from '../declarations/types.ts';
import { keptFolder } from './kept.ts';
import { needlesFile, safeRun } from './prefilter.ts';
import { BETWEEN, documentFor, envelope, measure } from './render.ts';
import { sessionsFolder } from './session.ts';
import type { FireData, FireHook } from './types.ts';

/** What the shell needs to decide alone, by the suffix of the file beside the shim (templates/shim.sh). */
export interface SideFiles {
  /** Runs of which one must stand in the payload, else the hook is silent. */
  needles?: string;
  /** The document, where it is always the same. */
  out?: string;
  /** Payload keys in whose presence `out` is not for the shell to give. */
  unless?: string;
  /** Folder of the sessions, and what `out` takes of how much a session may be given. */
  budget?: string;
  /** Folder in which text may wait. */
  kept?: string;
}

export function sideFiles(data: FireData): SideFiles {
  const { state, client, server, tag, yields } = data;
  const files: SideFiles = {};
  const hooks = data.hooks.filter((hook) => hook.does !== 'give-kept');
  const needles = needlesFile(hooks.map(runOf));
  const givesKept = hooks.length < data.hooks.length;
  // Without the folder's name the shell can't tell whether text is waiting.
  if (needles !== null && (state || !givesKept)) files.needles = needles;
  if (state && givesKept) files.kept = `${keptFolder(state, client, server)}\n`;

  if (tag === undefined || yields || hooks.length === 0 || !hooks.every(isFixed)) return files;
  const text = hooks
    .map(({ event, priority, text = '', part }) =>
      envelope({ server, event, priority, tag, ...(part && { note: part }) }, text),
    )
    .join(BETWEEN);
  const units = measure(text, data.unit);
  if (units > Math.min(data.cap, data.eventBudget)) return files;
  files.out = `${documentFor(data.native, text)}\n`;
  const unless = keysThatMatter(data);
  if (unless.length > 0) files.unless = `${unless.map((key) => JSON.stringify(key)).join('\n')}\n\n`;
  if (state) files.budget = `${sessionsFolder(state, client, server)}\n${units} ${data.sessionBudget}\n`;
  return files;
}

function runOf({ does, match }: FireHook): string | null {
  const speaks = does === 'give' || does === 'keep';
  return speaks && match?.contains !== undefined ? safeRun(match.contains) : null;
}

const VARIABLE = new RegExp(`\\{(?:${TEMPLATE_VARIABLES.join('|')})\\}`);

function isFixed({ does, at, match, cooldownMs, text }: FireHook): boolean {
  return does === 'give' && !at && !match && !cooldownMs && text !== undefined && !VARIABLE.test(text);
}

function keysThatMatter({ payload: { skipIf, keepIf, foreign } }: FireData): string[] {
  const paths = [skipIf, keepIf, ...(foreign?.fields ?? [])];
  return paths.flatMap((path) => path?.split('.').at(-1) ?? []);
}
