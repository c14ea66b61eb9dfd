import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TomlError } from 'smol-toml';
import { position } from '../declarations/file.ts';
import { jsonMistake, tomlReason } from '../declarations/syntax.ts';
import type { McpDialect } from '../fire/types.ts';
import { Fault } from '../messages.ts';
import { type Env, homeFolder } from '../paths.ts';
import { readNow } from '../read-now.ts';
import { type Base, type FileAt, type Folder, PROJECT } from './clients.ts';
import { lookUp, parseConfig } from './definition.ts';

/** Reads configuration files once each. */
export interface Files {
  /** undefined: no such file, or broken (then `onBroken` was told). */
  read: (file: string, format: McpDialect['format'], onBroken: (fault: Fault) => void) => unknown;
}

export function openFiles(): Files {
  const seen = new Map<string, { value?: unknown; fault?: Fault }>();
  return {
    read(file, format, onBroken) {
      let found = seen.get(file);
      if (!found) {
        found = load(file, format);
        seen.set(file, found);
      }
      if (found.fault) onBroken(found.fault);
      return found.value;
    },
  };
}

function load(file: string, format: McpDialect['format']): { value?: unknown; fault?: Fault } {
  let text: string;
  try {
    text = readNow(file).toString();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)) return {};
    return { fault: new Fault('server.file-unreadable', { reason: code }, { file }) };
  }
  if (text.trim() === '') return {};
  try {
    return { value: parseConfig(text, file, format) };
  } catch (error) {
    return { fault: syntaxFault(error, text, file, format === 'jsonc') };
  }
}

/** Names no text of the file: a line with a mistake may hold a secret. */
function syntaxFault(error: unknown, text: string, file: string, comments: boolean): Fault {
  if (error instanceof TomlError) {
    const where = { file, line: error.line, column: error.column };
    return new Fault('server.file-syntax', { reason: tomlReason(error.message) }, where);
  }
  const { offset, ...why } = jsonMistake(text, comments) ?? { offset: 0, reason: 'other' };
  return new Fault('server.file-syntax', why, { file, ...position(text, offset) });
}

/** The session's folder as clients see it. */
export interface Place {
  env: Env;
  cwd: string;
  /** Git top level, if any. */
  top: string | undefined;
}

export function placeOf(env: Env, cwd: string): Place {
  return { env, cwd, top: parents(cwd).find((folder) => existsSync(join(folder, '.git'))) };
}

function parents(folder: string): string[] {
  const up = dirname(folder);
  return up === folder ? [folder] : [folder, ...parents(up)];
}

export function folderPath({ env, envSub, home }: Folder, variables: Env): string {
  const set = variables[env];
  return set ? join(set, envSub) : join(homeFolder(variables), home);
}

/** Absolute paths that a `FileAt` stands for, nearest first. */
export function pathsOf(file: { in: Base; path: string }, place: Place): string[] {
  if (typeof file.in === 'object') return [join(folderPath(file.in, place.env), file.path)];
  const all = parents(place.cwd);
  const within = place.top === undefined ? [place.cwd] : all.slice(0, all.indexOf(place.top) + 1);
  const folders = { cwd: [place.cwd], top: [place.top ?? place.cwd], parents: all, repository: within }[
    file.in
  ];
  return folders.map((folder) => join(folder, file.path));
}

/** The paths with `PROJECT` replaced by what it can stand for: git top level or folder, as given and without symlinks. */
export function pointers(at: readonly string[], { top, cwd }: Place): string[][] {
  if (!at.includes(PROJECT)) return [[...at]];
  const folders = [top, top && real(top), cwd, real(cwd)].filter((folder) => folder !== undefined);
  return [...new Set(folders)].map((folder) => at.map((key) => (key === PROJECT ? folder : key)));
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Every value that a `FileAt` stands for, nearest first. */
export function valuesAt(file: FileAt, place: Place, read: (path: string) => unknown): unknown[] {
  return pathsOf(file, place)
    .flatMap((path) => pointers(file.at, place).map((pointer) => lookUp(read(path), pointer)))
    .filter((value) => value !== undefined);
}

/** Folders that match a path with `*`, with the names that the stars stood for; sorted. */
export function matching(root: string, path: string): { folder: string; stars: string[] }[] {
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

function names(folder: string): string[] {
  try {
    return readdirSync(folder).sort(new Intl.Collator('en', { numeric: true }).compare);
  } catch {
    return [];
  }
}
