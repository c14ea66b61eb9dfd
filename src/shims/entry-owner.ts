import { remembering } from '../base/once.ts';
import { PROJECT_FOLDER } from '../base/paths.ts';
import type { Invocation } from '../clients/hook-config.ts';
import { CLIENTS } from '../clients/index.ts';
import { NATIVE_NAME } from '../clients/names.ts';
import { signatureOf } from '../edit/decide.ts';
import { INVOCATION_FORMS } from './forms.ts';

/** Mark of an entry without a command: the tail of the path that a shim would have. */
export function entryMark(
  key: string,
  { slug, digest, client, shared }: { slug: string; digest: string; client: string; shared: boolean },
): string {
  return `/${shared ? PROJECT_FOLDER : 'mcphooks'}/hooks/${slug}/${digest}/${client}/${key}`;
}

/**
 * Returns the number of the declaration behind an entry without a command, for which the client calls the tool itself; by
 * the entry's key.
 */
export function calledDeclaration(key: string): number | undefined {
  const n = /\.tool(\d+)$/.exec(key)?.[1];
  return n === undefined ? undefined : Number(n);
}

// `-2` and so on: earlier versions split long texts over several entries.
const KEY = String.raw`(${NATIVE_NAME}(?:-\d+|\.tool\d+)?)`;
const TAIL = new RegExp(
  String.raw`[/\\]mcphooks[/\\]hooks[/\\]([^/\\]+)[/\\][0-9a-f]{16}[/\\]([^/\\]+)[/\\]${KEY}(?:\.cjs)?$`,
);

/** Ends of the paths of scripts that serve all servers of a scope. */
const JOINT = new RegExp(String.raw`[/\\]mcphooks[/\\]joint[/\\]([^/\\]+)[/\\](${NATIVE_NAME})(?:\.cjs)?$`);

const SHARED = new RegExp(String.raw`\.mcphooks/hooks/([^/]+)/[0-9a-f]{16}/([^/]+)/${KEY}`);

/** Path of such a script in a project, as its command names it. */
export const SHARED_JOINT = new RegExp(String.raw`\.mcphooks/joint/()([^/]+)/(${NATIVE_NAME})`);

/** The owner of an entry, read from its signature. */
interface EntryOwner {
  slug: string;
  client: string;
  key: string;
  /** The entry serves all servers of the scope; `slug` is then empty. */
  joint?: true;
  /** True for an entry shared by all users of the project. */
  shared: boolean;
  /** Set when an earlier version wrote the command in a form that this version doesn't write. */
  outdated?: true;
}

/**
 * Returns the owner of an entry by its signature (a command or a mark), with any digest; undefined when the entry isn't
 * ours. Remembered, since the plan of each server asks about all entries in a file.
 */
export const shimOf = remembering((signature: string) => machineShim(signature) ?? sharedShim(signature));

/** A command in a project's files is ours only when this or an earlier version would write exactly this command. */
function sharedShim(signature: string): EntryOwner | undefined {
  const [path, slug, id, key] = SHARED.exec(signature) ?? SHARED_JOINT.exec(signature) ?? [];
  const client = CLIENTS.find((c) => c.id === id);
  if (path === undefined || slug === undefined || key === undefined || !client) return undefined;
  const { inProject, inProjectBefore = [] } = client.hooks;
  const shim = { slug, client: client.id, key, shared: true, ...(slug === '' && { joint: true as const }) };
  if (signature === `/${path}` || signature === signatureOf(inProject(path))) return shim;
  return inProjectBefore.some((before) => signature === signatureOf(before(path)))
    ? { ...shim, outdated: true }
    : undefined;
}

/** Returns all that an entry of ours in a project's files has to start its script, by its signature. */
export function sharedInvocation(signature: string): Invocation | undefined {
  const [path] = SHARED.exec(signature) ?? SHARED_JOINT.exec(signature) ?? [];
  const client = CLIENTS.find(({ id }) => id === shimOf(signature)?.client);
  return path === undefined ? undefined : client?.hooks.inProject(path);
}

/** Returns the path of the hook script in the signature of an entry on one machine. */
export function shimPath(signature: string): string | undefined {
  for (const form of Object.values(INVOCATION_FORMS)) {
    const word = form.lastWord(signature);
    if (word !== undefined) return word;
  }
  return undefined;
}

/** Returns the node that an entry of ours starts itself, as on Windows; elsewhere its script does. */
export function nodeIn(signature: string): string | undefined {
  if (shimPath(signature) === undefined) return undefined;
  const [, exec, cmd, line] =
    /^(?:([^\0]+)\0-e\0|"([^"]*)" "|(?:try \{ )?& '((?:[^']|'')*)' )/.exec(signature) ?? [];
  return exec ?? cmd ?? line?.replace(/(['\u2018-\u201b])\1/g, '$1');
}

function machineShim(signature: string): EntryOwner | undefined {
  const path = shimPath(signature) ?? (signature.startsWith('/mcphooks/') ? signature : '');
  const [, id, native] = JOINT.exec(path) ?? [];
  if (id !== undefined && native !== undefined)
    return { slug: '', client: id, key: native, shared: false, joint: true };
  const [, slug, client, key] = TAIL.exec(path) ?? [];
  return slug !== undefined && client !== undefined && key !== undefined
    ? { slug, client, key, shared: false }
    : undefined;
}

/**
 * Returns the entry's key when `signature` belongs to this server, client and scope. `joint`: true for a native event
 * whose entry for all servers counts as this server's.
 */
export function ownShim(
  signature: string,
  { slug, client, scope }: { slug: string; client: string; scope: { shared: boolean } },
  joint: (native: string) => boolean = () => false,
): string | undefined {
  const shim = shimOf(signature);
  if (shim?.client !== client || shim.shared !== scope.shared) return undefined;
  return (shim.joint ? joint(shim.key) : shim.slug === slug) ? shim.key : undefined;
}

/** True when a file may contain entries that serve all servers. */
export const holdsJoint = (bytes: Uint8Array | null): boolean => includesPath(bytes, ['mcphooks', 'joint']);

/** True when a file may contain entries of a server, or of any server: the file contains bytes of their commands. */
export function holdsEntries(bytes: Uint8Array | null, slug?: string): boolean {
  return includesPath(bytes, ['mcphooks', 'hooks', ...(slug === undefined ? [] : [slug])]);
}

/** True when a text contains a part of a path, in the spelling of any system; JSON and TOML escape backslashes. */
function includesPath(bytes: Uint8Array | null, steps: readonly string[]): boolean {
  if (bytes === null) return false;
  const text = Buffer.from(bytes).toString('latin1');
  return new RegExp(`${steps.join('[/\\\\]+')}[/\\\\]`).test(text);
}
