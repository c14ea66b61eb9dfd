import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Row {
  file: string;
  why: string;
}

/** What can't run on Windows, by name and with the reason. */
export interface Excluded {
  /** `wine`: only Wine can't run it. */
  reasons: Record<string, { text: string; wine?: true }>;
  files: Row[];
  /** `test`: how the full name of a test begins. `all`: shorter runs than MCPHOOKS_TEST=all may not have it. */
  tests: (Row & { test: string; all?: true })[];
}

export const table: Excluded = JSON.parse(readFileSync(join(import.meta.dirname, 'excluded.json'), 'utf8'));

/** Whether a row counts on this machine. */
export const holds = ({ why }: Row): boolean => {
  const reason = table.reasons[why];
  if (reason === undefined) throw new Error(`excluded.json has no reason ${why}`);
  return !reason.wine || process.env.MCPHOOKS_WINE === '1';
};

/** Files of which no test runs here. */
export const excludedFiles = (): string[] => table.files.filter(holds).map(({ file }) => file);
