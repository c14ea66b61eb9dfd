import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { quietly } from './quietly.ts';

/**
 * Creates a file (mode 0600) that no reader ever sees in part. Throws `EEXIST` when the file exists, and other errors of
 * the file system, also where that has no hard links.
 */
export function createWhole(file: string, text: string): void {
  // Not named by the process: two processes in containers that share the folder may have equal ids.
  const draft = `${file}.${Math.random()}`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    // Fails when the file exists, unlike a rename.
    linkSync(draft, file);
  } finally {
    quietly(() => rmSync(draft, { force: true }));
  }
}
