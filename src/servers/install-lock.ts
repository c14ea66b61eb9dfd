import { linkSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import { isGone, processState } from '../base/process.ts';
import { readText } from '../base/read-file.ts';
import { sha256 } from '../base/sha256.ts';
import type { PackageRun } from './types.ts';

/** A package runner is ended when its server has not answered after this many ms. */
export const LONGEST_INSTALL_MS = 10 * 60_000;

/** Past that age a lock is void, whoever holds it. */
const STALE_MS = LONGEST_INSTALL_MS + 60_000;

/**
 * While a package runner starts a server, and may install it, no other one is started for the same package: what
 * `<state>/installing/<hash>.json` says. It goes with the first answer of the server.
 */
export interface Install {
  format: 1;
  runner: string;
  /** The package as it is asked for, without secrets; empty where options hide it. */
  package: string;
  /** When the runner was started, ISO 8601. */
  since: string;
  /** The lock holds as long as one of these lives. `started`: see `processState`. */
  holders: { pid: number; started?: string }[];
  nonce: string;
}

/** A lock that this process holds. */
export interface HeldInstall {
  file: string;
  install: Install;
}

const folderOf = (state: string): string => join(state, 'installing');

/** Takes the lock, or returns who holds it. `shown` becomes `package`. undefined: the state folder can't be written to. */
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
    holders: [holder(process.pid)],
    nonce: Math.random().toString(36).slice(2),
  };
  for (let i = 0; i < 5; i++) {
    try {
      makeFolder(folderOf(state));
      if (create(file, install)) return { file, install };
      const heldBy = readInstall(file);
      if (heldBy) return { heldBy };
      setAside(file);
    } catch (error) {
      // Another one took the empty folder away.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
    }
  }
  return undefined;
}

/** From now on these processes hold the lock, too. */
export function shareInstall(lock: HeldInstall, pids: readonly (number | undefined)[]): void {
  const { file, install } = lock;
  install.holders.push(...pids.flatMap((pid) => (pid === undefined ? [] : [holder(pid)])));
  const draft = draftOf(file);
  quietly(() => {
    writeFileSync(draft, JSON.stringify(install), { mode: 0o600 });
    renameSync(draft, file);
  });
}

export function endInstall({ file, install }: HeldInstall): void {
  if (parsed(file)?.nonce !== install.nonce) return;
  quietly(() => rmSync(file, { force: true }));
  // Where nothing is installed, reading a server leaves no folder of ours behind.
  const folder = dirname(file);
  for (const empty of [folder, dirname(folder)]) quietly(() => rmdirSync(empty));
}

/** What package runners of servers are starting now. */
export function readInstalls(state: string): Install[] {
  const names = quietly(() => readdirSync(folderOf(state))) ?? [];
  return names
    .filter((name) => /^[0-9a-f]{16}\.json$/.test(name))
    .flatMap((name) => readInstall(join(folderOf(state), name)) ?? []);
}

const holder = (pid: number): Install['holders'][number] => {
  const started = processState(pid)?.started;
  return { pid, ...(started && { started }) };
};

/** undefined: there is none, or nobody who holds it lives. */
function readInstall(file: string): Install | undefined {
  const install = parsed(file);
  if (!install || Date.now() - Date.parse(install.since) > STALE_MS) return undefined;
  return install.holders.some(isAlive) ? install : undefined;
}

function isAlive({ pid, started }: Install['holders'][number]): boolean {
  const state = processState(pid);
  if (state && started !== undefined) return !state.dead && state.started === started;
  return !isGone(pid);
}

function parsed(file: string): Install | undefined {
  try {
    const install = JSON.parse(readText(file)) as Install;
    return install.format === 1 && Array.isArray(install.holders) ? install : undefined;
  } catch {
    return undefined;
  }
}

const draftOf = (file: string): string => join(dirname(file), `.${basename(file)}.${process.pid}`);

/** Written elsewhere and linked: whoever sees the file sees all of it. */
function create(file: string, install: Install): boolean {
  const draft = draftOf(file);
  writeFileSync(draft, JSON.stringify(install), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Moves a void lock away. Where it was another's valid one by then, that one is put back. */
function setAside(file: string): void {
  const aside = `${draftOf(file)}.old`;
  quietly(() => renameSync(file, aside));
  if (readInstall(aside)) quietly(() => linkSync(aside, file));
  quietly(() => rmSync(aside, { force: true }));
}

function quietly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
