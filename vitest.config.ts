import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { excludedFiles } from './test/windows/excluded.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** The program of a client whose hooks are code is a text, as for esbuild. */
const programs: Plugin = {
  name: 'programs',
  enforce: 'pre',
  load: (id) =>
    /\/src\/clients\/[^/]+\/program\.js$/.test(id)
      ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}`
      : null,
};

/** The tests import source files as build.mjs compiled them; where vitest watches the sources, as they are. */
let compiled = true;
const sources: Plugin = {
  name: 'sources',
  enforce: 'pre',
  configureVitest: ({ vitest }) => {
    compiled = !vitest.config.watch;
  },
  resolveId: (id, importer) => {
    if (!compiled || importer === undefined || !/^\.\.?\/.*\.ts$/.test(id)) return null;
    const file = relative(import.meta.dirname, resolve(dirname(importer), id)).replaceAll('\\', '/');
    return file.startsWith('src/')
      ? join(import.meta.dirname, file.replace(/^src(.*)ts$/, 'dist/sources$1cjs')).replaceAll('\\', '/')
      : null;
  },
};

export default defineConfig({
  plugins: [sources, programs],
  test: {
    globalSetup: './test/global-setup.ts',
    reporters: ['default', './test/count-reporter.mjs'],
    // They wait about as much as they compute. All of one worker's files share what they import.
    maxWorkers: 4,
    // Each test runs code of its own, mostly once: what V8 optimizes by its own rule takes longer to compile than it saves.
    execArgv: [
      Number(process.versions.node.split('.')[0]) < 22
        ? '--interrupt-budget=1000000'
        : '--invocation-count-for-turbofan=45000',
    ],
    maxConcurrency: 8,
    // Real programs on a busy machine; only what hangs is ended.
    testTimeout: 600_000,
    hookTimeout: 60_000,
    // As build.mjs defines it.
    env: { MCPHOOKS_VERSION: version },
    isolate: false,
    server: { deps: { external: [/\/dist\/sources\//] } },
    // Signals, the umask and the working folder are a process's own.
    pool: 'forks',
    include: ['test/**/*.test.ts'],
    exclude: ['test/clients/**', ...(process.platform === 'win32' ? excludedFiles() : [])],
    setupFiles: process.platform === 'win32' ? ['./test/windows/setup.ts'] : [],
  },
});
