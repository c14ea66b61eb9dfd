import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns what these lines of source export. They are bundled into dist/ for that, where the package's files are found. */
export async function bundled(name, contents) {
  const folder = join(root, 'dist', `bench-${process.pid}`);
  const outfile = join(folder, `${name}.mjs`);
  try {
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    // What is in dist/ is published.
    rmSync(folder, { recursive: true, force: true });
  }
}
