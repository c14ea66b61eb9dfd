import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** Tests that start no process and change nothing of their own process: one after the other in few threads. */
const PURE = [
  'test/{adapters,declarations,edit,house,lint}/*.test.ts',
  'test/plan/!(command).test.ts',
  'test/servers/!(connect|runner).test.ts',
  'test/docs/{clients,readme}.test.ts',
  'test/export/golden.test.ts',
  'test/fire/{command-words,glob,prefilter,units}.test.ts',
  'test/store/{record,slug}.test.ts',
];
const clients = 'test/clients/**';

export default defineConfig({
  test: {
    globalSetup: './test/global-setup.ts',
    reporters: ['default', './test/count-reporter.mjs'],
    // They wait more than they compute. All of one worker's files share what they import.
    maxWorkers: 4,
    maxConcurrency: 8,
    // Real programs on a busy machine; only what hangs is ended.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // As build.mjs defines it.
    env: { MCPHOOKS_VERSION: version },
    isolate: false,
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, exclude: [clients], pool: 'threads' } },
      {
        extends: true,
        test: {
          name: 'process',
          include: ['test/**/*.test.ts'],
          exclude: [clients, ...PURE],
          pool: 'forks',
        },
      },
    ],
  },
});
