import { resolve } from 'node:path';
import { type Env, homeFolder, type OwnPaths } from '../../base/paths.ts';
import { CLIENTS, clientFolder } from '../../clients/index.ts';
import { clientOnWindows } from '../../clients/tools.ts';
import {
  invocationWords,
  type System,
  shimInvocation,
  startOnWindows,
  unquotable,
} from '../../shims/command.ts';
import { machineShims } from '../../shims/own-files.ts';
import { parseRecord, type RecordStore, recordChanges, recordFile } from '../../store/record.ts';
import { fullRecordShapes } from '../option-shapes.ts';
import type { Scope } from './scope.ts';

/** Scope members for shims that run on this machine alone: absolute paths, this node. */
export function machineForm(
  paths: OwnPaths,
  system: System,
): Pick<Scope, 'invoke' | 'start' | 'from' | 'forbidden' | 'shims' | 'since' | 'clientHere'> {
  return {
    invoke: (shim, client) => shimInvocation(shim, client, system),
    start: (shim, client) =>
      system.platform === 'win32'
        ? startOnWindows(shim, system)
        : invocationWords(shimInvocation(shim, client, system)),
    from: (path) => path,
    clientHere: (client) => (system.platform === 'win32' ? clientOnWindows(client) : client),
    since: (client) => (system.platform === 'win32' ? client.hooks.windows.since : undefined),
    forbidden: (folder, client) =>
      client.hooks.forbiddenInCommand.find((text) => folder.includes(text)) ??
      unquotable(folder, client, system),
    shims: (wanted) => machineShims(wanted, paths, system),
  };
}

/** Record store in the state folder of this machine. */
export function machineStore({ data, state }: OwnPaths, env: Env): RecordStore {
  const file = recordFile(state);
  return {
    file,
    today: {
      home: resolve(homeFolder(env)),
      others: () => [...CLIENTS.map((c) => clientFolder(c, env)), data, state].map((f) => resolve(f)),
    },
    parse: (bytes) => parseRecord(bytes, file, fullRecordShapes),
    changes: (reading, record, now) => recordChanges(state, reading, record, now),
  };
}
