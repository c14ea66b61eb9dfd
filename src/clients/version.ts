import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Env } from '../paths.ts';
import type { Client } from './types.ts';

/** Absolute path of a program on PATH; undefined: there is none. */
export function programOnPath(name: string, env: Env): string | undefined {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * Version of the client that PATH leads to, read from its files: nothing is started. undefined: not installed, or
 * installed in a way that doesn't say.
 */
export function installedVersion(client: Client, env: Env): string | undefined {
  const program = programOnPath(client.binary, env);
  if (!program) return undefined;
  try {
    const real = realpathSync(program);
    const inPath = client.versionInPath?.exec(real)?.[1];
    if (inPath) return inPath;
    for (let folder = dirname(real); folder !== dirname(folder); folder = dirname(folder)) {
      const version = versionOf(join(folder, 'package.json'), client.npmPackage);
      if (version) return version;
    }
  } catch {}
  return undefined;
}

function versionOf(file: string, name: string): string | undefined {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; version?: unknown };
    return manifest.name === name && typeof manifest.version === 'string' ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a version lies within those on which the client was proved. Only the numbers before a `-` count. */
export function isProved(version: string, { oldest, newest }: Client['proved']): boolean {
  return compareVersions(oldest, version) <= 0 && compareVersions(version, newest) <= 0;
}

/** Below 0: `a` is the older one. Only the numbers before a `-` count. */
export function compareVersions(a: string, b: string): number {
  const numbers = (v: string): number[] => (v.split('-')[0] ?? '').split('.').map(Number);
  const [x, y] = [numbers(a), numbers(b)];
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
