import { beforeEach, expect } from 'vitest';
import { holds, table } from './excluded.ts';

// Keeps the tests of the table from running.
const rows = table.tests.filter(holds);
beforeEach(({ task, skip }) => {
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
