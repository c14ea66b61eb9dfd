import type { ClientId } from '../../src/clients/client.ts';
import type { Declaration } from '../../src/declarations/types.ts';
import { type ClientStatus, inspect } from '../../src/inspect/status.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { planInstall } from '../../src/plan/install.ts';
import type { Plan } from '../../src/plan/types.ts';
import { planUninstall, type Removal } from '../../src/plan/uninstall/uninstall.ts';
import type { FileChange, RecordDocument } from '../../src/store/types.ts';
import { filesOf } from '../files.ts';
import { HOME, inputFor } from './golden.ts';

/** A client that reads an event from hooks.json, and from settings.json only where hooks.json lacks it. */
const CLIENT: ClientId = 'droid';
export const HOOKS = `${HOME}/.factory/hooks.json`;
export const LEGACY = `${HOME}/.factory/hooks/hooks.json`;
export const SETTINGS = `${HOME}/.factory/settings.json`;

/** A home whose files change by plans, and by the client. */
export function home(before: Record<string, string>) {
  const texts: Record<string, string> = { ...before };
  let record: RecordDocument | undefined;
  const input = (declarations: Declaration[]): PlanInput => {
    const made = inputFor({ declarations }, CLIENT);
    const reading = record ? { record, bytes: null, untouched: false } : made.reading;
    return { ...made, reading, files: filesOf(texts) } as PlanInput;
  };
  const write = (changes: readonly FileChange[]): void => {
    for (const { path, after } of changes) {
      if (after === null) delete texts[path];
      else texts[path] = Buffer.from(after).toString();
    }
  };
  const install = (...declarations: Declaration[]): Plan => {
    const plan = planInstall(input(declarations));
    for (const { fault } of plan.clients) if (fault) throw fault;
    write(plan.changes);
    record = plan.record;
    return plan;
  };
  const uninstall = (): Removal => {
    const made = input([]);
    const removal = planUninstall({ ...made, cwd: HOME, evenEdited: false });
    for (const { fault } of removal.clients) if (fault) throw fault;
    write(removal.changes);
    record = removal.record;
    return removal;
  };
  const status = (): ClientStatus => {
    const { scope, env, reading } = input([]);
    const [server] = reading.record.servers;
    if (!server) throw new Error('nothing is installed');
    return inspect(server, CLIENT, { scope, reading }, { ...filesOf(texts), env, cwd: HOME });
  };
  const events = (file: string): Record<string, { hooks: unknown[] }[]> => {
    const value = JSON.parse((texts[file] ?? '{}').replace(/^ *\/\/.*$/gm, ''));
    return file === SETTINGS ? (value.hooks ?? {}) : value;
  };
  /** What Droid 0.215.0 does when a person changes anything in /hooks. */
  const copiedByClient = (): void => {
    texts[HOOKS] = JSON.stringify({ ...events(SETTINGS), ...events(HOOKS), hooksDisabled: false }, null, 2);
  };
  const clientFiles = (): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).filter(([path]) => path.includes('/.factory/')));
  return { texts, install, uninstall, status, events, copiedByClient, clientFiles };
}
