import { appendFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import { statOf } from './files.ts';
import { sanitise } from './sanitise.ts';

/** Reason why a hook printed less than declared. `mcphooks doctor` has the sentence for each. */
export type Incident =
  | 'data.unreadable'
  | 'payload.unreadable'
  | 'text.sanitised'
  | 'text.cut'
  | 'text.dropped'
  | 'value.cut'
  | 'budget.session'
  | 'definition.changed'
  | 'definition.missing'
  | 'definition.elsewhere'
  | 'url.refused'
  | 'tool.failed'
  | 'tool.slow'
  | 'tool.installing'
  | 'tool.resting'
  | 'tool.paused'
  | 'fire.failed';

export interface LogLine {
  /** ISO 8601. */
  at: string;
  incident: Incident;
  server?: string;
  client?: string;
  native?: string;
  /** Number of the declaration. */
  n?: number;
  /** At most 200 characters, sanitised; never tool data or a secret. */
  detail?: string;
}

/** Most bytes of `<state>/log`; older lines move to `<state>/log.1`. */
const LARGEST = 128 * 1024;

/** Appends one line for an incident. A hook doesn't fail because the log can't be written. */
export function log(state: string | undefined, line: Omit<LogLine, 'at'>): void {
  if (!state) return;
  const detail = line.detail && { detail: sanitise(line.detail).text.slice(0, 200) };
  try {
    makeFolder(state);
    const file = join(state, 'log');
    if ((statOf(file)?.size ?? 0) > LARGEST) renameSync(file, `${file}.1`);
    const text = JSON.stringify({ at: new Date().toISOString(), ...line, ...detail });
    appendFileSync(file, `${text}\n`, { mode: 0o600 });
  } catch {}
}
