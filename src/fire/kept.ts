import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import { readText } from '../base/read-file.ts';
import type { HookEvent, Priority } from '../declarations/types.ts';
import { statOf } from './files.ts';
import { hashOf } from './own-folders.ts';

/** A text that waits for an event which can carry it. */
export interface Kept {
  format: 1;
  /** Of the install that kept it; another's text is never given. */
  tag: string;
  n: number;
  event: HookEvent;
  priority: Priority;
  /** Session that it was kept in. */
  session: string;
  /** When it was meant to be read, ISO 8601. */
  meantAt: string;
  text: string;
  /** A tool's answer: it gives way to declared texts. */
  fromTool?: true;
}

/** Text that is about to be given, and claimed so that no other fire gives it. */
export interface Taken {
  item: Kept;
  /** It was given: forget it. */
  given(): void;
  /** It was not: leave it for another fire. */
  back(): void;
}

const EXPIRES_MS = 7 * 24 * 3600 * 1000;
/** A claim this old was left by a fire that crashed. */
const CLAIM_MS = 60_000;
const CLAIM = /^(.+\.json)\.taken-\d+$/;

/**
 * A session_end text is for the project's next session, all others are for the session itself. A newer one replaces
 * the one that waits.
 */
function fileName(item: Pick<Kept, 'n' | 'event' | 'session'>, project: string): string {
  const session = item.event === 'session_end' ? 'any' : hashOf(item.session);
  return `${item.n}.${hashOf(project)}.${session}.json`;
}

export function keep(folder: string, project: string, item: Kept): void {
  makeFolder(folder);
  const name = fileName(item, project);
  const written = join(folder, `.${name}.${process.pid}`);
  writeFileSync(written, JSON.stringify(item), { mode: 0o600 });
  renameSync(written, join(folder, name));
}

/** Claims what waits for declaration `n`; at most one fire gets it. */
export function take(
  folder: string,
  project: string,
  want: Pick<Kept, 'n' | 'event' | 'session' | 'tag'>,
): Taken | undefined {
  const file = join(folder, fileName(want, project));
  const claim = `${file}.taken-${process.pid}`;
  try {
    renameSync(file, claim);
  } catch {
    return undefined;
  }
  const given = (): void => rmSync(claim, { force: true });
  const back = (): void => {
    // What was kept in the meantime is newer.
    if (statOf(file)) given();
    else renameSync(claim, file);
  };
  try {
    const item = JSON.parse(readText(claim)) as Kept;
    const fresh = Date.now() - Date.parse(item.meantAt) < EXPIRES_MS;
    if (item.format === 1 && item.tag === want.tag && fresh && typeof item.text === 'string')
      return { item, given, back };
  } catch {}
  given();
  return undefined;
}

/** Gives claims of crashed fires back, and forgets what expired. */
export function tidy(folder: string, now: number = Date.now()): void {
  for (const name of list(folder)) {
    const file = join(folder, name);
    const age = now - (statOf(file)?.ctimeMs ?? now);
    const claimed = CLAIM.exec(name)?.[1];
    try {
      if (age > EXPIRES_MS) rmSync(file, { force: true });
      else if (claimed && age > CLAIM_MS) renameSync(file, join(folder, claimed));
    } catch {}
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
