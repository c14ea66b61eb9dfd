import * as node from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { Fault } from '../../src/messages/fault.ts';
import { type FileOps, realFs } from '../../src/store/fs.ts';
import { slashed, WINDOWS } from '../platform.ts';

/** A folder of its own, removed after the test. */
export function scratch(): string {
  const folder = node.realpathSync(node.mkdtempSync(join(tmpdir(), 'mcphooks-')));
  onTestFinished(() => node.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same for all tests of a file. */
export function scratchForFile(): { folder: string; remove: () => void } {
  const folder = node.mkdtempSync(join(tmpdir(), 'mcphooks-'));
  return { folder, remove: () => node.rmSync(folder, { recursive: true, force: true }) };
}

export const bytes = (text: string): Uint8Array => Buffer.from(text);

/** The code of the Fault that `action` throws. */
export function faultOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
  return undefined;
}

export function put(path: string, text: string, mode = 0o644): void {
  node.mkdirSync(dirname(path), { recursive: true });
  node.writeFileSync(path, text);
  node.chmodSync(path, mode);
}

const NO_MODE = '000';

/** A tree as `tree` gives it on this system: Windows has no modes. */
export const asHere = (tree: Record<string, string>): Record<string, string> =>
  WINDOWS
    ? Object.fromEntries(Object.entries(tree).map(([path, is]) => [path, is.replace(/^[0-7]{3}/, NO_MODE)]))
    : tree;

/** Every path below `root`: its kind, mode and content. */
export function tree(root: string): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const entry of node.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const mode = WINDOWS ? NO_MODE : (node.lstatSync(path).mode & 0o7777).toString(8);
    const content = entry.isSymbolicLink()
      ? `-> ${node.readlinkSync(path)}`
      : entry.isDirectory()
        ? `${mode} folder`
        : `${mode} ${node.readFileSync(path, 'utf8')}`;
    seen[slashed(relative(root, path))] = content;
  }
  return seen;
}

/** The process is dead: nothing that it would do after this happens. */
export class Dead extends Error {}

export interface Injector {
  fs: FileOps;
  /** Names of the operations so far. */
  done: string[];
}

/**
 * The real operations, but the disk is not waited for, and `fail` is asked before each one. What it gives is thrown;
 * a Dead is thrown by every later operation too, and one that dies in the middle of a write leaves half of it.
 */
export function injector(
  fail: (index: number, name: string, args: unknown[]) => Error | undefined,
): Injector {
  const done: string[] = [];
  let dead: Error | undefined;
  const wrapped = Object.entries(realFs).map(([name, operation]) => {
    return [
      name,
      (...args: unknown[]) => {
        // The system closes the files of a dead process.
        if (dead && name !== 'closeSync') throw dead;
        const error = dead ? undefined : fail(done.length, name, args);
        if (!dead) done.push(name);
        if (error instanceof Dead) dead = error;
        if (error && name === 'closeSync') Reflect.apply(operation, realFs, args);
        if (error && name === 'writeFileSync')
          node.writeFileSync(args[0] as number, (args[1] as Uint8Array).subarray(0, 3));
        if (error) throw error;
        return name === 'fsyncSync' ? undefined : Reflect.apply(operation, realFs, args);
      },
    ];
  });
  return { fs: Object.fromEntries(wrapped), done };
}

export const diesAt = (k: number): Injector => injector((i) => (i === k ? new Dead() : undefined));

export function systemError(code: string, syscall = 'write'): Error {
  return Object.assign(new Error(code), { code, syscall, errno: -1 });
}

/** Bundles a TypeScript program into `folder`, so that plain node can run it. */
export async function program(folder: string, source: string): Promise<string> {
  const outfile = join(folder, 'program.mjs');
  await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    outfile,
    logLevel: 'error',
  });
  return outfile;
}
