import { beforeEach, expect } from 'vitest';
import { holds, table } from './excluded.ts';

// Keeps the tests of the table from running, and those of files that begin after MCPHOOKS_UNTIL (ms since 1970).
const rows = table.tests.filter(holds);
const until = Number(process.env.MCPHOOKS_UNTIL || Number.POSITIVE_INFINITY);
const late = Date.now() > until;
if (late) console.log(`!! SKIPPED, no time was left: ${expect.getState().testPath}`);
beforeEach(({ task, skip }) => {
  if (late) skip('no time was left');
  const row = rows.find(({ file, test }) => task.file.name === file && task.fullTestName.startsWith(test));
  if (row) skip(table.reasons[row.why]?.text);
});

// Files and folders have no modes: `644 text` is any file with this text.
const MODE = /^[0-7]{3,4} /;
const withoutMode = (value: unknown): string | undefined =>
  typeof value === 'string' && MODE.test(value) ? value.replace(MODE, '') : undefined;
expect.addEqualityTesters([
  (a, b) => {
    const [one, other] = [withoutMode(a), withoutMode(b)];
    return one === undefined || other === undefined ? undefined : one === other;
  },
]);
