import { jsonOrUndefined } from '../../base/json-value.ts';
import { absolutePath } from '../../base/paths.ts';
import { approvedDefinition } from '../../fire/approval/approved-definition.ts';
import type { FireData } from '../../fire/format.ts';
import { unlessFault } from '../../messages/fault.ts';
import { isForOneProject } from '../../servers/source.ts';
import type { MachineView } from '../settings.ts';
import type { Surveyed } from '../survey.ts';
import { aboutInstall } from './installs.ts';
import type { Check, Finding } from './types.ts';

/**
 * Finds the user's own hooks that give no text in this folder, because their server's definition is for another project,
 * or depends on the folder. These hooks act in every folder, so that is only a remark.
 */
export function silentHere({ scope, record, disabled }: Surveyed, view: MachineView): Finding[] {
  if (scope.shared || disabled) return [];
  const { declarations, clients } = record;
  const found = Object.entries(clients).flatMap(([client, { own }]) => {
    const data = Object.keys(own).flatMap((path) => (path.endsWith('.json') ? dataIn(path, view) : []));
    const calling = data.find(({ server_at }) => server_at);
    if (!calling?.server_at) return [];
    const session = { folder: view.cwd, env: absolutePath(view.env), state: scope.paths.state };
    const reached = approvedDefinition(calling.server_at, client, session);
    const isElsewhere = 'incident' in reached && reached.incident === 'definition.elsewhere';
    return isElsewhere ? [calling] : [];
  });
  const [first] = found;
  if (!first?.server_at) return [];
  const { source } = first.server_at;
  const n = first.hooks.find(({ call }) => call)?.n ?? 1;
  const args = {
    event: declarations[n - 1]?.event ?? '',
    ...(isForOneProject(source) && { project: 1 }),
  };
  const where = source.file === undefined ? {} : { file: source.file };
  return [aboutInstall('doctor.elsewhere', scope, record, args, { where, remark: true })];
}

/** Returns the data of a hook script, where the file holds such data. */
function dataIn(path: string, { read }: MachineView): FireData[] {
  const bytes = unlessFault(() => read(path), null);
  const data = bytes && (jsonOrUndefined(Buffer.from(bytes).toString()) as FireData | undefined);
  return data && Array.isArray(data.hooks) ? [data] : [];
}

export const elsewhere: Check = (context) =>
  context.servers.flatMap((surveyed) => silentHere(surveyed, context));
