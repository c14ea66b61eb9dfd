import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TomlError } from 'smol-toml';
import { valueAt } from '../../base/json-value.ts';
import { conflictAt } from '../../base/merge-conflict.ts';
import { once } from '../../base/once.ts';
import { type Env, homeFolder, inside, slashed } from '../../base/paths.ts';
import { HERE } from '../../base/platform.ts';
import { readIfThere, readNames } from '../../base/read-file.ts';
import { followed } from '../../base/real-path.ts';
import { foldersUp, mainCheckout, mainWorktree } from '../../base/repository.ts';
import { folderPath } from '../../clients/folder.ts';
import type { McpDialect } from '../../clients/mcp-config.ts';
import {
  type Base,
  type FileAt,
  isPlaceholder,
  MAIN_WORKTREE,
  type Placeholder,
  PROJECT,
  type ProjectGate,
  REPOSITORY,
} from '../../clients/mcp-config.ts';
import { deepestPosition, invalidPosition, position } from '../../declarations/json-text.ts';
import { jsonMistake, tomlReason } from '../../declarations/syntax.ts';
import { Fault } from '../../messages/fault.ts';
import { parseConfig } from './definition.ts';

/** Returns a file's value; undefined for a missing file, or for a broken file after calling `onBroken`. */
type ReadConfig = (file: string, format: McpDialect['format'], onBroken?: (fault: Fault) => void) => unknown;

/** Returns a reader of configuration files that reads each file once. */
export function configReader(): ReadConfig {
  const seen = new Map<string, { value?: unknown; fault?: Fault }>();
  return (file, format, onBroken) => {
    // Several clients read `.mcp.json`, each by its own rules.
    const found = seen.get(`${format} ${file}`) ?? load(file, format);
    seen.set(`${format} ${file}`, found);
    if (found.fault) onBroken?.(found.fault);
    return found.value;
  };
}

function load(file: string, format: McpDialect['format']): { value?: unknown; fault?: Fault } {
  let bytes: Buffer | undefined;
  try {
    bytes = readIfThere(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)) return {};
    return { fault: new Fault('server.file-unreadable', { reason: code }, { file }) };
  }
  if (bytes === undefined) return {};
  const text = bytes.toString().replace(/^\uFEFF/, '');
  if (text.trim() === '') return { value: {} };
  try {
    return { value: parseConfig(text, file, format) };
  } catch (error) {
    if (isUtf8(bytes)) return { fault: syntaxFault(error, text, file, format) };
    const where = { file, ...invalidPosition(bytes) };
    return { fault: new Fault('server.file-unreadable', { reason: 'UTF8' }, where) };
  }
}

/** Returns a Fault without any text of the file, since a line with a mistake may contain a secret. */
function syntaxFault(error: unknown, text: string, file: string, format: McpDialect['format']): Fault {
  const conflict = conflictAt(text);
  if (conflict !== undefined) return new Fault('edit.conflict', {}, { file, ...position(text, conflict) });
  if (error instanceof RangeError)
    return new Fault('server.file-syntax', { reason: 'deep' }, { file, ...deepestPosition(text) });
  if (error instanceof TomlError) {
    const where = { file, line: error.line, column: error.column };
    return new Fault('server.file-syntax', { reason: tomlReason(error.message) }, where);
  }
  const { offset, ...why } = jsonMistake(text, format.startsWith('jsonc'), format === 'jsonc,') ?? {
    offset: 0,
    reason: 'other',
  };
  return new Fault('server.file-syntax', why, { file, ...position(text, offset) });
}

/** The session's folder and environment. */
export interface SessionPlace {
  env: Env;
  cwd: string;
  /** Git top level, if any. */
  top: string | undefined;
  /** The folder itself and all above, the nearest first. */
  above: readonly string[];
  /** Paths by which a client may name the project, by the placeholder in a key. */
  projects: Readonly<Record<Placeholder, () => readonly string[]>>;
}

/** Returns the place of a session in `cwd`; looks for `.git` in the folders above. */
export function placeOf(env: Env, cwd: string): SessionPlace {
  const above = foldersUp(cwd);
  const top = above.find((folder) => existsSync(join(folder, '.git')));
  // Top level and folder, as given and with links resolved.
  const own = once(() => {
    const folders = [top, top && followed(top), cwd, followed(cwd)].filter((folder) => folder !== undefined);
    return [...new Set(folders)];
  });
  const inMain = (main: string | undefined): readonly string[] => (main === undefined ? own() : [main]);
  const projects = {
    [PROJECT]: own,
    [REPOSITORY]: once(() => inMain(top && mainCheckout(followed(top), followed(homeFolder(env))))),
    [MAIN_WORKTREE]: once(() => inMain(top && mainWorktree(followed(top)))),
  };
  return { env, cwd, top, above, projects };
}

/** Returns the absolute paths of a `FileAt`, nearest first. */
export function pathsOf(file: { in: Base; path: string }, place: SessionPlace): string[] {
  if (typeof file.in === 'object') return [join(folderPath(file.in, place.env), file.path)];
  const { cwd, top, above } = place;
  const within = top === undefined ? [cwd] : above.slice(0, above.indexOf(top) + 1);
  const folders = { cwd: [cwd], top: [top ?? cwd], parents: above, repository: within }[file.in];
  return folders.map((folder) => join(folder, file.path));
}

/**
 * Returns the key paths in a file's value with a placeholder replaced by each of its possible values. On Windows, each
 * is a key as the file spells that folder: clients differ in slashes, and sessions in the case of letters.
 */
export function pointers(at: readonly string[], { projects }: SessionPlace, value: unknown): string[][] {
  const placeholder = at.find(isPlaceholder);
  if (placeholder === undefined) return [[...at]];
  const table = HERE.windows ? valueAt(value, at.slice(0, at.indexOf(placeholder))) : undefined;
  const spelled = (folder: string): string[] => {
    const others = Object.keys(table ?? {}).filter((key) => isPath(folder, key));
    // As written first: the nearest entry of a server counts.
    return [...others.filter((key) => slashed(key) === slashed(folder)), ...others];
  };
  const folders = projects[placeholder]();
  const keys = HERE.windows ? new Set(folders.flatMap(spelled)) : folders;
  return [...keys].map((folder) => at.map((key) => (key === placeholder ? folder : key)));
}

/** True when a value of a file is this path. */
const isPath = (path: string, value: unknown): boolean =>
  typeof value === 'string' && inside(path, value) === '';

/** Returns all values at a `FileAt` with their files, nearest first. */
export function settingsAt(
  file: FileAt,
  place: SessionPlace,
  read: (path: string) => unknown,
): { path: string; value: unknown }[] {
  return pathsOf(file, place)
    .flatMap((path) =>
      pointers(file.at, place, read(path)).map((at) => ({ path, value: valueAt(read(path), at) })),
    )
    .filter(({ value }) => value !== undefined);
}

/** Returns all values at a `FileAt`, nearest first. */
export const valuesAt = (file: FileAt, place: SessionPlace, read: (path: string) => unknown): unknown[] =>
  settingsAt(file, place, read).map(({ value }) => value);

/** True when the client reads a project's files here. */
export function isOpen(gate: ProjectGate, place: SessionPlace, read: (path: string) => unknown): boolean {
  const values = valuesAt(gate, place, read);
  if ('is' in gate) {
    const { otherwise } = gate;
    const unset = values.length === 0 && otherwise !== undefined;
    return (unset ? valuesAt({ ...gate, at: otherwise }, place, read) : values).includes(gate.is);
  }
  const root = place.top ?? place.cwd;
  const main = place.projects[MAIN_WORKTREE]();
  const folders = [root, followed(root), ...main].flatMap((folder) => foldersUp(folder));
  return values.some(
    (list) => Array.isArray(list) && list.some((one) => folders.some((folder) => isPath(folder, one))),
  );
}

/** Returns the folders that match a path with `*`, sorted, with the names matched by each `*`. */
export function matchingFolders(root: string, path: string): { folder: string; stars: string[] }[] {
  let found = [{ folder: root, stars: [] as string[] }];
  for (const step of path.split('/')) {
    found = found.flatMap(({ folder, stars }) =>
      step === '*'
        ? names(folder).map((name) => ({ folder: join(folder, name), stars: [...stars, name] }))
        : [{ folder: join(folder, step), stars }],
    );
  }
  return found;
}

// An Intl.Collator would take a quarter of Node's start.
const names = (folder: string): string[] =>
  readNames(folder).sort((a, b) => (withLongNumbers(a) < withLongNumbers(b) ? -1 : 1));

/** Returns a name with numbers of equal length, so that 1.9 comes before 1.10. */
const withLongNumbers = (name: string): string => name.replace(/\d+/g, (digits) => digits.padStart(20, '0'));
