import type { Context } from '../app/context.ts';
import { scan } from '../app/scan.ts';
import { oneLine } from '../base/visible.ts';
import { Fault } from '../messages/fault.ts';
import { INSTALLED, PICK, stateText } from '../messages/scan.ts';

/**
 * Asks a person which of the servers that `scan` finds to use: those with hooks first. Undefined: there are none. Throws a
 * Fault, `consent.declined`, after cancelling.
 */
export async function chooseServer(context: Context): Promise<string | undefined> {
  const { servers } = await scan({ check: false, timeout: 0 }, context);
  const isSure = ({ hooks = 0 }: { hooks?: number }): boolean => hooks > 0;
  const sorted = [...servers.filter(isSure), ...servers.filter((one) => !isSure(one))];
  const names = [...new Set(sorted.map(({ alias }) => alias))];
  if (names.length === 0) return undefined;
  const picked = await context.ask.pick(
    PICK,
    names.map((value) => {
      const found = sorted.find(({ alias }) => alias === value);
      const about = [found?.identity.join(', '), found && stateText(found)].filter(Boolean).join(': ');
      const known = found?.installed ? ` · ${INSTALLED}` : '';
      return { value, label: `${oneLine(value)}  ${oneLine(about)}${known}` };
    }),
  );
  if (picked === undefined) throw new Fault('consent.declined', {}, {}, 3);
  return picked;
}
