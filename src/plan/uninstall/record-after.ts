import type { FileMemory } from '../../edit/types.ts';
import { withoutApprovals } from '../../store/approvals.ts';
import { disabledOnlyIn } from '../../store/disabled-in.ts';
import type { FileChange, RecordDocument, ServerRecord } from '../../store/types.ts';
import { holds } from '../relocated.ts';
import { isChosenClient, type Staying, type StayingInput } from './staying.ts';

export interface RecordAfterInput extends StayingInput {
  /** Repository whose start approvals are removed; undefined: every repository. */
  repository?: string;
  /** Repositories in which other installs of the server need its start approvals. */
  approvedFor?: readonly string[];
}

/** The clients' files without the server's entries. */
interface RemovedEntries {
  texts: readonly FileChange[];
  memories: Record<string, FileMemory>;
  kept: NonNullable<RecordDocument['kept']>;
}

/**
 * Returns the record afterwards: without the server's approvals, the projects where it is disabled, and files, as far as
 * nothing needs them.
 */
export function recordAfter(
  record: RecordDocument,
  known: ServerRecord | undefined,
  { texts, memories, kept }: RemovedEntries,
  { hooksStay }: Staying,
  input: RecordAfterInput,
): RecordDocument {
  const { slug, scope } = input;
  const { servers } = record;
  const keepsClients = Object.keys(known?.clients ?? {}).some((id) => !isChosenClient(id, input));
  const withoutApproved = keepsClients
    ? record
    : withoutApprovals(record, slug, input.repository, input.approvedFor ?? []);
  const withoutDisabled =
    hooksStay || scope.name !== 'user'
      ? withoutApproved
      : disabledOnlyIn(withoutApproved, slug, input.disabledFileStays ?? []);
  // Without any install, only files that keep entries of ours can need what is remembered.
  const bytesAfter = (path: string): Uint8Array | null =>
    (texts.find((text) => text.path === path) ?? { after: input.files.read(path) }).after;
  const holdsOurs = (file: string): boolean => holds(file, undefined, { read: bytesAfter });
  const remembered = Object.entries(memories).filter(([file]) => servers.length > 0 || holdsOurs(file));
  // What is remembered of a file that is gone goes with the next change.
  const forgets = known !== undefined || texts.length > 0 || servers.length === 0;
  const files = forgets ? Object.fromEntries(remembered) : input.reading.record.files;
  const { kept: _, ...rest } = withoutDisabled;
  const stay = kept.filter(({ file }) => holdsOurs(file));
  return { ...rest, files, ...(stay.length > 0 && { kept: stay }) };
}
