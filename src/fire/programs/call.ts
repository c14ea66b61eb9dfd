import { approvedLaunch } from '../approval/approved-launch.ts';
import { openConnection, type ServerOfFire } from '../mcp/open-connection.ts';
import { callsTo, type OpenServer } from '../tools/calls.ts';

// call.cjs also contains what few fires need and would otherwise need a program of its own: the check of the user's other
// install, masking for the log, and the slow way to a server that is kept running.
export { isActive } from '../installs/active-install.ts';
export { masked } from '../tools/calls.ts';
export { openWarm } from '../warm/open.ts';

/** Returns the server of one fire. The first call of a tool starts or reaches it; all calls share `leftMs`. */
export const openServer = ({ data, program, startFolder, hookEnv, leftMs }: ServerOfFire): OpenServer =>
  callsTo(data, leftMs, async (_, reached) => {
    const found = approvedLaunch(data, startFolder, hookEnv);
    if ('incident' in found) return found;
    reached(found);
    return openConnection(found, { runtime: program.runtime, state: data.state });
  });
