import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/make-folder.ts';
import { quietly } from '../../base/quietly.ts';
import { jsonIn, readNames } from '../../base/read-file.ts';
import { removeQuietly, statOf } from '../files.ts';
import type { Firing } from '../firing.ts';
import { hashOf } from '../own-folders.ts';
import type { Marker } from '../session/markers.ts';

/** Sessions in a row without an answer in time after which a tool is paused, for `PAUSE_MS`. */
const SESSIONS = 3;
const PAUSE_MS = 24 * 3600 * 1000;

/**
 * State of a tool that missed its deadline, in `<state>/tools/<hash>.json`. Deleted when the tool answers in time; the
 * hash changes when the server's definition is approved anew.
 */
interface ToolState {
  format: 1;
  /** Alias of the declaring server. */
  server: string;
  tool: string;
  /** Of the server's definition, as it was approved; absent in files of earlier versions. */
  hash?: string;
  /**
   * Hashes of the last sessions, at most 3, in which the tool missed its deadline, with no answer in time between them.
   */
  late: string[];
  /** ISO 8601. */
  pausedUntil?: string;
}

const folderOf = (state: string): string => join(state, 'tools');

/** Returns the states of all tools that missed their deadline. A tool whose pause is over may be called again. */
export function toolStates(state: string): ToolState[] {
  return namesIn(state, '.json').flatMap((file) => read(file) ?? []);
}

/**
 * Returns when a tool's pause ends; undefined when the tool may be called. No pause is longer than `PAUSE_MS`: where its
 * end is further ahead, the clock was set back.
 */
export function endOfPause({ pausedUntil = '' }: Pick<ToolState, 'pausedUntil'>): string | undefined {
  const left = Date.parse(pausedUntil) - Date.now();
  return left > 0 && left <= PAUSE_MS ? pausedUntil : undefined;
}

/** Record of a tool whose last call failed, in `<state>/tools/<hash>.failed`. */
type FailedTool = Pick<ToolState, 'server' | 'tool' | 'hash'>;

/** Returns the tools that failed and haven't answered since. */
export function failedTools(state: string): FailedTool[] {
  return namesIn(state, '.failed').flatMap((file) => (jsonIn(file) as FailedTool | undefined) ?? []);
}

function namesIn(state: string, end: string): string[] {
  const folder = folderOf(state);
  return readNames(folder)
    .filter((name) => /^[0-9a-f]+\.\w+$/.test(name) && name.endsWith(end))
    .map((name) => join(folder, name));
}

/** Reads and updates the state of one tool during a fire. */
interface ToolWatch {
  /** End of the tool's pause, ISO 8601; undefined when the tool may be called. */
  pausedUntil(): string | undefined;
  /** Records that the tool missed its deadline. */
  late(): void;
  failed(): void;
  answered(): void;
}

export function watchTool({ data, session }: Firing, tool: string): ToolWatch {
  const { server, server_at } = data;
  const hash = server_at?.hash ?? '';
  const name = join(folderOf(data.state), hashOf(server, tool, hash));
  const [lateFile, failedFile] = [`${name}.json`, `${name}.failed`];
  const answeredMarker: Marker = `gave.${hashOf(tool)}`;
  return {
    pausedUntil: () => {
      const state = statOf(lateFile) && read(lateFile);
      return state && endOfPause(state);
    },
    late: () => {
      if (!session || session.read(answeredMarker) !== undefined) return;
      const here = hashOf(session.id);
      const before = read(lateFile)?.late.filter((one) => one !== here) ?? [];
      const late = [...before, here].slice(-SESSIONS);
      const pausedUntil = new Date(Date.now() + PAUSE_MS).toISOString();
      write(lateFile, {
        format: 1,
        server,
        tool,
        hash,
        late,
        ...(late.length >= SESSIONS && { pausedUntil }),
      });
    },
    failed: () => {
      if (!statOf(failedFile)) write(failedFile, { server, tool, hash });
    },
    answered: () => {
      session?.set(answeredMarker);
      for (const file of [lateFile, failedFile]) if (statOf(file)) removeQuietly(file);
    },
  };
}

function read(file: string): ToolState | undefined {
  const state = jsonIn(file) as ToolState | undefined;
  return state?.format === 1 && Array.isArray(state.late) ? state : undefined;
}

function write(file: string, state: ToolState | FailedTool): void {
  const draft = `${file}.${process.pid}`;
  quietly(() => {
    makeFolder(join(file, '..'));
    writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
    renameSync(draft, file);
  });
}
