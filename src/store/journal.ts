import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jsonOrUndefined } from '../base/json-value.ts';
import { Fault } from '../messages/fault.ts';
import { type FileOps, MISSING, namingFile, removeFile, syncFolder, tolerate, writeNew } from './fs.ts';

/** One file of a transaction. Hashes are sha256 in hex; null: no file. */
export interface Op {
  /** Path as configured, for messages. */
  path: string;
  /** Real file behind symlinks. */
  target: string;
  /** Temporary file beside the target: the new bytes, until they replace the target. */
  fresh: string;
  /** Temporary file beside the target: the old bytes, until the transaction ends. */
  old: string;
  before: string | null;
  after: string | null;
}

/** All that is needed to finish or undo a transaction; written once, before any other change. */
export interface Journal {
  format: 1;
  ops: Op[];
  /** Folders that the transaction creates, outermost first. */
  made: string[];
  /** Folders to remove after the transaction when they are empty. */
  emptied: string[];
  /** Own folders and files to remove with their contents, once all targets are replaced. */
  cleared?: string[];
}

/**
 * The phase is part of the journal's file name: entering the next phase needs a rename and no disk space. `preparing`:
 * no target was touched; `commit`: targets are being replaced; `undo`: targets are being restored; `done`: only
 * clean-up is left.
 */
export const PHASES = ['preparing', 'commit', 'undo', 'done'] as const;
export type Phase = (typeof PHASES)[number];

export const journalFile = (state: string, phase: Phase): string => join(state, `journal.${phase}.json`);

/** Returns the journals of interrupted changes, and of a running one. */
export const journalsIn = (state: string): string[] =>
  PHASES.map((phase) => journalFile(state, phase)).filter((path) => existsSync(path));

export const journalDraft = (state: string): string => join(state, 'journal.tmp');

/** Writes the journal in its first phase, whole or not at all. */
export function writeJournal(fs: FileOps, state: string, journal: Journal): void {
  const file = journalFile(state, 'preparing');
  namingFile(file, () => {
    removeFile(fs, journalDraft(state));
    writeNew(fs, journalDraft(state), Buffer.from(JSON.stringify(journal)), 0o600);
    fs.renameSync(journalDraft(state), file);
    syncFolder(fs, state);
  });
}

/** Removes the journal of a phase, and a draft that was left beside it. */
export function removeJournal(fs: FileOps, state: string, phase: Phase): void {
  removeDraft(fs, state);
  removeFile(fs, journalFile(state, phase));
  syncFolder(fs, state);
}

/** Removes the draft of a journal whose writing was interrupted. */
export function removeDraft(fs: FileOps, state: string): void {
  namingFile(journalDraft(state), () => removeFile(fs, journalDraft(state)));
}

/** Reads the journal that an interrupted run left behind. Faults: `apply.journal-newer`, `apply.journal-damaged`. */
export function readJournal(fs: FileOps, state: string): { phase: Phase; journal: Journal } | undefined {
  for (const phase of PHASES) {
    const file = journalFile(state, phase);
    const text = namingFile(file, () => tolerate(() => fs.readIfThere(file)?.toString(), MISSING));
    if (text !== undefined) return { phase, journal: parse(text, file) };
  }
  return undefined;
}

function parse(text: string, file: string): Journal {
  const value = jsonOrUndefined(text) as Partial<Journal> | null | undefined;
  const known =
    value &&
    isList(value.ops, isOp) &&
    [value.made, value.emptied, value.cleared ?? []].every((folders) =>
      isList(folders, (folder) => typeof folder === 'string'),
    );
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
