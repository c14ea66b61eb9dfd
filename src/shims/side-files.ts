import { FIRE_VARIABLE } from '../declarations/variables.ts';
import type { FireData, FireHook } from '../fire/format.ts';
import { keptFolder, sessionsFolder } from '../fire/own-folders.ts';
import { BETWEEN, documentFor, envelope, measure, outputOf } from '../fire/render.ts';
import { conditionFiles, runsOf } from './condition-files.ts';
import { needlesFile } from './prefilter.ts';

/** What the shell needs to decide alone, by the suffix of the file beside the shim (templates/shim.sh). */
interface SideFiles {
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
  /** As `needles`, of further conditions that must hold, too. */
  also?: string;
  /** Patterns of which one must name something in the project. */
  files?: string;
  /** Folder of the sessions, and the marks that keep the hooks silent. */
  marks?: string;
  /** Folder of the sessions, and what to mark when one of the server's own tools was called. */
  called?: string;
}

export function sideFiles(data: FireData): SideFiles {
  const { state, client, server, tag, yields } = data;
  const files: SideFiles = {};
  const hooks = data.hooks.filter((hook) => hook.does !== 'emit-deferred');
  const runs = hooks.map((hook) => runsOf(hook, data));
  const needles = needlesFile(runs.map(([first]) => first ?? null));
  const also = runs.some(([, second]) => second)
    ? needlesFile(runs.map(([, second]) => second ?? null))
    : null;
  const givesKept = hooks.length < data.hooks.length;
  if (state && givesKept) files.kept = `${keptFolder(state, client, server)}\n`;
  // Without the folder's name the shell can't tell whether text is waiting.
  if (state || !givesKept) {
    if (needles !== null) files.needles = needles;
    if (also !== null) files.also = `${also}\n`;
    Object.assign(files, conditionFiles(hooks, data));
  }

  // The shell can tell that a key stands in the payload, and nothing of its value.
  const { skipUnless, skipLike, oncePer } = data.payload;
  const plain = !yields && !skipUnless && !skipLike && !oncePer;
  if (tag === undefined || !plain || hooks.length === 0 || !hooks.every(isFixed)) return files;
  const text = hooks
    .map(({ event, priority, text = '' }) => envelope({ server, event, priority, tag }, text))
    .join(BETWEEN);
  const units = measure(text, data.unit);
  if (units > Math.min(data.cap, data.eventBudget)) return files;
  files.out = `${documentFor(data.output ?? outputOf(data.native), text)}\n`;
  const unless = keysThatMatter(data);
  if (unless.length > 0) files.unless = `${unless.map((key) => JSON.stringify(key)).join('\n')}\n\n`;
  if (state) files.budget = `${sessionsFolder(state, client, server)}\n${units} ${data.sessionBudget}\n`;
  return files;
}

function isFixed({ does, at, match, when, cooldownMs, text }: FireHook): boolean {
  const always = does === 'emit' && !at && !match && !when && cooldownMs === undefined;
  return always && text !== undefined && text.search(FIRE_VARIABLE) < 0;
}

function keysThatMatter({ payload: { skipIf, keepIf, foreign } }: FireData): string[] {
  const paths = [skipIf ?? [], keepIf ?? [], foreign?.fields ?? []].flat();
  return paths.flatMap((path) => path.split('.').at(-1) ?? []);
}
