import type { Client } from '../clients/client.ts';
import type { Invocation } from '../clients/hook-config.ts';
import { compareVersions } from '../clients/versions.ts';
import { Fault } from '../messages/fault.ts';
import { type Form, INVOCATION_FORMS } from './forms.ts';

/** A system, as plans get it. */
export interface System {
  platform: string;
  /** Absolute path of node. */
  node: string;
}

/** Oldest node version that can run mcphooks and hooks (package.json, `engines`). */
export const OLDEST_NODE = '20.17.0';

/**
 * System and node with which mcphooks runs now. Throws a Fault where that is no node: scripts would name it, and Bun
 * first runs what the session's folder names in bunfig.toml.
 */
export function thisSystem(): System {
  const { bun, deno, node } = process.versions;
  if (bun || deno || compareVersions(node, OLDEST_NODE) < 0)
    throw new Fault('internal.not-node', {
      oldest: OLDEST_NODE,
      program: bun ? 'Bun' : deno ? 'Deno' : 'Node',
      version: bun ?? deno ?? node,
    });
  return { platform: process.platform, node: process.execPath };
}

const formOf = ({ hooks }: Client, { platform }: System): Form =>
  INVOCATION_FORMS[platform === 'win32' ? hooks.windows.form : hooks.posix];

/**
 * Returns the invocation of a hook script. On Windows node is started directly with the script `<shim>.cjs`; elsewhere
 * a shell runs the shim itself, and the command succeeds on all clients even when the shim is missing or broken.
 */
export function shimInvocation(shim: string, client: Client, system: System): Invocation {
  return formOf(client, system).invoke(wordsFor(shim, system));
}

/** Returns the part of a shim's path that the client's shell wouldn't take literally; undefined when there is none. */
export function unquotable(shim: string, client: Client, system: System): string | undefined {
  const { forbidden = /\0/ } = formOf(client, system);
  return wordsFor(shim, system)
    .map((word) => forbidden.exec(word)?.[0])
    .find((c) => c !== undefined);
}

const wordsFor = (shim: string, { platform, node }: System): string[] =>
  platform === 'win32' ? [node, `${shim}.cjs`] : [shim];

/** Returns the program and arguments that an invocation starts, where /bin/sh reads a line. */
export const invocationWords = ({ command, args }: Invocation): [string, ...string[]] =>
  args ? [command, ...args] : ['/bin/sh', '-c', command];

/** Returns the file that a client starts for a hook script. */
export const scriptFile = (shim: string, { platform }: Pick<System, 'platform'>): string =>
  platform === 'win32' ? `${shim}.cjs` : shim;

/** Returns the words by which Windows starts a hook script, whichever shell a client puts around them. */
export const startOnWindows = (shim: string, { node }: System): [string, ...string[]] =>
  invocationWords(INVOCATION_FORMS.exec.invoke([node, `${shim}.cjs`]));
