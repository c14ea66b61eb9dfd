import { join } from 'node:path';
import { Fault } from '../messages/fault.ts';
import { at, type FileOps, MISSING, removeFile, syncFolder, tolerate, writeNew } from './fs.ts';

/** One file of a transaction. Hashes are sha256 in hex; null: no file. */
export interface Op {
  /** As configured, for messages. */
  path: string;
  /** The real file behind symlinks. */
  target: string;
  /** Beside the target: the new bytes, until they take its place. */
  fresh: string;
  /** Beside the target: the old bytes, until the transaction is over. */
  old: string;
  before: string | null;
  after: string | null;
}

/** All that is needed to finish a transaction either way; written once, before anything else is. */
export interface Journal {
  format: 1;
  ops: Op[];
  /** Folders that are created for it, outermost first. */
  made: string[];
  /** Folders to remove afterwards when they are empty. */
  emptied: string[];
}

/**
 * The phase is the journal's file name, so that going on needs a rename and no space on the disk.
 * `preparing`: no target was touched; `commit`: targets are replaced; `undo`: they are given back; `done`: clean up.
 */
export const PHASES = ['preparing', 'commit', 'undo', 'done'] as const;
export type Phase = (typeof PHASES)[number];

export const journalFile = (state: string, phase: Phase): string => join(state, `journal.${phase}.json`);

export const journalDraft = (state: string): string => join(state, 'journal.tmp');

/** Writes the journal in its first phase, whole or not at all. */
export function writeJournal(fs: FileOps, state: string, journal: Journal): void {
  const file = journalFile(state, 'preparing');
  at(file, () => {
    removeFile(fs, journalDraft(state));
    writeNew(fs, journalDraft(state), Buffer.from(JSON.stringify(journal)), 0o600);
    fs.renameSync(journalDraft(state), file);
    syncFolder(fs, state);
  });
}

export function removeJournal(fs: FileOps, state: string, phase: Phase): void {
  removeDraft(fs, state);
  removeFile(fs, journalFile(state, phase));
  syncFolder(fs, state);
}

/** What is left of a journal that was never finished. */
export function removeDraft(fs: FileOps, state: string): void {
  at(journalDraft(state), () => removeFile(fs, journalDraft(state)));
}

/**
 * The journal that an interrupted run left behind.
 * @throws Fault `apply.journal-newer`, `apply.journal-damaged`
 */
export function readJournal(fs: FileOps, state: string): { phase: Phase; journal: Journal } | undefined {
  for (const phase of PHASES) {
    const file = journalFile(state, phase);
    const text = at(file, () => tolerate(() => fs.readFileSync(file).toString(), MISSING));
    if (text !== undefined) return { phase, journal: parse(text, file) };
  }
  return undefined;
}

function parse(text: string, file: string): Journal {
  let value: Partial<Journal> | null;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const known =
    value &&
    isList(value.ops, isOp) &&
    [value.made, value.emptied].every((folders) => isList(folders, (folder) => typeof folder === 'string'));
  if (value && typeof value.format === 'number' && value.format > 1)
    throw new Fault('apply.journal-newer', { format: value.format }, { file });
  if (!known || value?.format !== 1) throw new Fault('apply.journal-damaged', {}, { file });
  return value as Journal;
}

const isList = (value: unknown, each: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(each);

function isOp(value: unknown): boolean {
  const { path, target, fresh, old, before, after } = (value ?? {}) as Partial<Record<keyof Op, unknown>>;
  const hashes = [before, after].every((hash) => hash === null || typeof hash === 'string');
  return hashes && [path, target, fresh, old].every((text) => typeof text === 'string');
}
