import { approvedLaunch } from '../approval/approved-launch.ts';
import type { LocalFireData } from '../local-data.ts';
import { type FireProgram, openConnection } from '../mcp/open-connection.ts';
import { callsTo, type OpenServer } from '../tools/calls.ts';

export { isActive } from '../installs/active-install.ts';
export { masked } from '../tools/calls.ts';
export { openWarm } from '../warm/open.ts';

/** Opens the declaring server for one fire, which starts the server. All calls share `leftMs`. */
export const openServer = (
  data: LocalFireData,
  { runtime }: FireProgram,
  startFolder: string,
  hookEnv: NodeJS.ProcessEnv,
  leftMs: number,
): OpenServer =>
  callsTo(data, leftMs, async (_, reached) => {
    const found = approvedLaunch(data, startFolder, hookEnv);
    if ('incident' in found) return found;
    reached(found);
    return openConnection(found, { runtime, state: data.state });
  });
