import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/make-folder.ts';
import { quietly } from '../../base/quietly.ts';
import { jsonIn, readNames } from '../../base/read-file.ts';
import type { HookEvent, Priority } from '../../declarations/types.ts';
import { removeQuietly, statOf } from '../files.ts';
import { hashOf } from '../own-folders.ts';
import { markOf } from './markers.ts';

/** A text stored until an event can carry it to the model. */
export interface KeptText {
  format: 1;
  /** Tag of the install that kept the text; texts of other installs are never printed. */
  tag: string;
  n: number;
  /** As of the hook (`markOf`). */
  mark?: string | undefined;
  event: HookEvent;
  priority: Priority;
  /** Id of the session in which the text was kept. */
  session: string;
  /** Time for which the text was meant, ISO 8601. */
  meantAt: string;
  text: string;
  /** Set when the text is a tool's answer; declared texts go before tools' answers. */
  fromTool?: true;
}

/** What names a kept text in a project. */
type Want = Pick<KeptText, 'n' | 'mark' | 'event' | 'session'>;

/** A kept text claimed by one fire, so that no other fire prints the text. */
export interface ClaimedText {
  item: KeptText;
  /** Call this when the text was printed: deletes the text, with `id` (`textId`) only after a while, for `giveBack`. */
  given(id?: string): void;
  /** Call this when the text was not printed: leaves the text for another fire. */
  release(): void;
}

const EXPIRES_MS = 7 * 24 * 3600 * 1000;
/** Age in ms above which a claim was left by a crashed fire. */
const CLAIM_MS = 60_000;
const CLAIM = /^(.+\.json)\.taken-\d+$/;
/** Hidden, so that the shell finds no text to give (templates/shim.sh). */
const GIVEN = /^\.(.+\.json)\.given-(.+)$/;

/** In place of a session: the project's next one. */
const ANY = 'any';

/**
 * Returns the file name of a kept text. A session_end text is for the project's next session, all others for their own
 * session. A newer text replaces the older text of the same name.
 */
function fileName(item: Want, project: string): string {
  const session = item.event === 'session_end' ? ANY : hashOf(item.session);
  return `${markOf(item)}.${hashOf(project)}.${session}.json`;
}

/** Whether a file of the folder, kept or given, is a text that a fire of this session in the project may give. */
export function isFor(name: string, project: string, session: string): boolean {
  const [, place, meant] = /^\.?[0-9a-f]+\.([^.]+)\.([^.]+)\.json(?:\.given-.+)?$/.exec(name) ?? [];
  return place === hashOf(project) && [ANY, hashOf(session)].includes(meant ?? '');
}

/** Whether a file of the folder is a text that was given. */
export const wasGiven = (name: string): boolean => GIVEN.test(name);

/** Stores a text, in place of an older one of the same name (`fileName`). Throws the system's error when that fails. */
export function storeText(folder: string, project: string, item: KeptText): void {
  makeFolder(folder);
  const name = fileName(item, project);
  const written = join(folder, `.${name}.${process.pid}`);
  writeFileSync(written, JSON.stringify(item), { mode: 0o600 });
  renameSync(written, join(folder, name));
}

/** True when a text is kept for a hook. */
export const isKept = (folder: string, project: string, want: Want): boolean =>
  statOf(join(folder, fileName(want, project))) !== undefined;

/** Claims the text kept for a hook; at most one fire gets the text. */
export function claimText(
  folder: string,
  project: string,
  want: Want & Pick<KeptText, 'tag'>,
): ClaimedText | undefined {
  const name = fileName(want, project);
  const file = join(folder, name);
  const claim = `${file}.taken-${process.pid}`;
  try {
    renameSync(file, claim);
  } catch {
    return undefined;
  }
  const given = (id?: string): void => {
    if (id !== undefined) quietly(() => renameSync(claim, join(folder, `.${name}.given-${id}`)));
    removeQuietly(claim);
  };
  const release = (): void => {
    // A text kept in the meantime is newer.
    if (statOf(file)) given();
    else renameSync(claim, file);
  };
  const item = jsonIn(claim) as KeptText | undefined;
  const fresh = item && Date.now() - Date.parse(item.meantAt) < EXPIRES_MS;
  if (fresh && item.format === 1 && item.tag === want.tag && typeof item.text === 'string')
    return { item, given, release };
  given();
  return undefined;
}

/** Makes a given text free again: a fire printed it as `id`, but it had no room beside the texts of other servers. */
export function giveBack(folder: string, id: string): void {
  for (const name of readNames(folder)) {
    const [, before = '', as] = GIVEN.exec(name) ?? [];
    if (as !== id) continue;
    const [given, file] = [join(folder, name), join(folder, before)];
    // A text kept in the meantime is newer.
    if (statOf(file)) rmSync(given, { force: true });
    else renameSync(given, file);
  }
}

/** Gives texts free again that a crashed fire had claimed, and deletes expired texts and those that were given. */
export function tidy(folder: string, now: number = Date.now()): void {
  for (const name of readNames(folder)) {
    const file = join(folder, name);
    const age = now - (statOf(file)?.ctimeMs ?? now);
    const claimed = CLAIM.exec(name)?.[1];
    try {
      // A text kept in the meantime is newer than a claimed one.
      const isDone = GIVEN.test(name) || (claimed !== undefined && statOf(join(folder, claimed)));
      // After the clock was set back, a claim lies in the future.
      const isOver = Math.abs(age) > CLAIM_MS;
      if (isDone ? isOver : age > EXPIRES_MS) rmSync(file, { force: true });
      else if (claimed !== undefined && isOver) renameSync(file, join(folder, claimed));
    } catch {}
  }
}
