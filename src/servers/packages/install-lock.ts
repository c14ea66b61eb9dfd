import { linkSync, renameSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createWhole } from '../../base/create-whole.ts';
import { makeFolder } from '../../base/make-folder.ts';
import {
  isElsewhere,
  isRunning,
  ownProcessTable,
  type ProcessTable,
  recordedProcess,
} from '../../base/process.ts';
import { quietly } from '../../base/quietly.ts';
import { jsonIn, readNames } from '../../base/read-file.ts';
import { sha256 } from '../../base/sha256.ts';
import type { PackageRun } from '../types.ts';

/** Milliseconds without an answer from the server after which its package runner is ended. */
export const LONGEST_INSTALL_MS = 10 * 60_000;

/** Age in milliseconds above which a lock is void, whoever holds it. */
const STALE_MS = LONGEST_INSTALL_MS + 60_000;

/** Milliseconds between two times at which a holder touches the lock file. */
const TOUCH_MS = 5_000;
/** Time in milliseconds without a touch after which a lock is void whose holders can't be checked from here. */
const UNTOUCHED_MS = 60_000;

/**
 * Content of the lock `<state>/installing/<hash>.json`. While a package runner starts a server, and may be installing
 * its package, no second one is started for the same package. The lock is released at the server's first answer.
 */
export interface Install extends Partial<ProcessTable> {
  format: 1;
  runner: string;
  /** The package as requested, without secrets; empty when options hide the package. */
  package: string;
  /** Start time of the runner, ISO 8601. */
  since: string;
  /**
   * Processes of which one must be running for the lock to be valid. Where these can't be checked, as in another
   * container, the file must have been touched of late.
   */
  holders: ReturnType<typeof recordedProcess>[];
  nonce: string;
}

/** A lock held by this process. */
export interface HeldInstall {
  file: string;
  install: Install;
  /** Folders that were created for it, outermost first. */
  made?: readonly string[];
}

const folderOf = (state: string): string => join(state, 'installing');

/**
 * Takes the lock, or returns the Install that holds it. `shown` becomes `package`. Returns undefined when the state
 * folder can't be written.
 */
export function lockInstall(
  state: string,
  { runner, spec }: Pick<PackageRun, 'runner' | 'spec'>,
  command: readonly string[],
  shown: string,
): HeldInstall | { heldBy: Install } | undefined {
  const name = sha256(JSON.stringify([runner, spec ?? command])).slice(0, 16);
  const file = join(folderOf(state), `${name}.json`);
  const install: Install = {
    format: 1,
    runner,
    package: shown,
    since: new Date().toISOString(),
    ...ownProcessTable(),
    holders: [recordedProcess(process.pid)],
    nonce: Math.random().toString(36).slice(2),
  };
  const made: string[] = [];
  for (let i = 0; i < 5; i++) {
    try {
      makeFolder(folderOf(state), made);
      createWhole(file, JSON.stringify(install));
      const held = { file, install, made };
      touchInstall(held);
      return held;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another process removed the empty folder.
      if (code === 'ENOENT') continue;
      if (code !== 'EEXIST') return undefined;
    }
    const heldBy = readInstall(file);
    if (heldBy) return { heldBy };
    setAside(file);
  }
  return undefined;
}

/** Adds processes to the holders of the lock. */
export function shareInstall(lock: HeldInstall, pids: readonly (number | undefined)[]): void {
  const { file, install } = lock;
  install.holders.push(...pids.flatMap((pid) => (pid === undefined ? [] : [recordedProcess(pid)])));
  const draft = draftOf(file);
  quietly(() => {
    writeFileSync(draft, JSON.stringify(install), { mode: 0o600 });
    renameSync(draft, file);
  });
}

/** Touches the lock file every few seconds while this process runs and the lock is held: a sign of life. */
export function touchInstall({ file, install }: HeldInstall): void {
  const timer = setInterval(() => {
    if (parsed(file)?.nonce !== install.nonce) return clearInterval(timer);
    quietly(() => utimesSync(file, new Date(), new Date()));
  }, TOUCH_MS);
  timer.unref();
}

/** Removes the lock file of an installation if it is still this one, and folders that are empty then. */
export function endInstall({ file, install, made = [] }: HeldInstall): void {
  if (parsed(file)?.nonce !== install.nonce) return;
  quietly(() => rmSync(file, { force: true }));
  // Reading a server without an install must leave no folder of ours behind.
  const folder = dirname(file);
  for (const empty of [folder, dirname(folder), ...made.toReversed()]) quietly(() => rmdirSync(empty));
}

/** Returns the installs that package runners have under way. */
export function readInstalls(state: string): Install[] {
  return readNames(folderOf(state))
    .filter((name) => /^[0-9a-f]{16}\.json$/.test(name))
    .flatMap((name) => readInstall(join(folderOf(state), name)) ?? []);
}

/** Returns the install; undefined when there is none, or when none of its holders seems to be running. */
function readInstall(file: string): Install | undefined {
  const install = parsed(file);
  if (!install || Date.now() - Date.parse(install.since) > STALE_MS) return undefined;
  const isHeld = isElsewhere(install) ? isTouched(file) : install.holders.some(isRunning);
  return isHeld ? install : undefined;
}

const isTouched = (file: string): boolean =>
  Math.abs(Date.now() - (quietly(() => statSync(file).mtimeMs) ?? 0)) <= UNTOUCHED_MS;

function parsed(file: string): Install | undefined {
  const install = jsonIn(file) as Install | undefined;
  return install?.format === 1 && Array.isArray(install.holders) ? install : undefined;
}

const draftOf = (file: string): string => join(dirname(file), `.${basename(file)}.${process.pid}`);

/** Moves a void lock away. If another process has meanwhile replaced it by a valid lock, puts that lock back. */
function setAside(file: string): void {
  const aside = `${draftOf(file)}.old`;
  quietly(() => renameSync(file, aside));
  if (readInstall(aside)) quietly(() => linkSync(aside, file));
  quietly(() => rmSync(aside, { force: true }));
}
