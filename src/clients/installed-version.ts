import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Env } from '../base/paths.ts';
import { programOnPath } from '../base/program.ts';
import { jsonIn } from '../base/read-file.ts';
import type { Client } from './client.ts';

/**
 * Version of the client on PATH, read from its files without starting any program. Undefined when the client isn't
 * installed, or its files don't show the version.
 */
export function installedVersion(client: Client, env: Env): string | undefined {
  const { binary, npmPackages = [], versionInPath } = client.program;
  const program = programOnPath(binary, env);
  if (!program) return undefined;
  try {
    const real = realpathSync(program);
    const inPath = versionInPath?.exec(real)?.[1];
    if (inPath) return inPath;
    for (let folder = dirname(real); folder !== dirname(folder); folder = dirname(folder)) {
      const version = versionOf(join(folder, 'package.json'), npmPackages);
      if (version) return version;
    }
  } catch {}
  return undefined;
}

function versionOf(file: string, names: readonly string[]): string | undefined {
  const manifest = jsonIn(file) as { name?: unknown; version?: unknown } | undefined;
  const { name, version } = manifest ?? {};
  return names.some((one) => one === name) && typeof version === 'string' ? version : undefined;
}
