import type { FileChange } from './types.ts';

/** A file that a command changes, without its contents. */
export interface ChangedFile {
  path: string;
  change: 'create' | 'update' | 'remove';
}

/** Returns how a file changes. */
export const changedFile = ({ path, before, after }: FileChange): ChangedFile => ({
  path,
  change: before === null ? 'create' : after === null ? 'remove' : 'update',
});
