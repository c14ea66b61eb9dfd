import type { Client } from '../../clients/client.ts';
import { nativeEvent } from '../../clients/index.ts';
import { SCOPES, type ScopeName } from '../../clients/scopes.ts';
import type { FireData, JointData, JointRole } from '../../fire/format.ts';
import { mostText } from './budget.ts';

/** Returns the data of the script that serves all servers at a native event; `data`: that of one server's script. */
export function jointData(
  { format, client: id, native, output, silent, state, unit }: FireData,
  client: Client,
  scope: ScopeName,
): JointData {
  const cap = mostText(client, native);
  const { startFolderEnv } = client.protocol;
  return {
    format,
    client: id,
    native,
    ...(output && { output }),
    ...(silent && { silent }),
    ...(state !== undefined && { state }),
    unit,
    ...(cap !== undefined && { cap }),
    ...(startFolderEnv !== undefined && { startFolderEnv }),
    role: roleOf(client, native, scope),
  };
}

/**
 * Returns what an entry does where another scope has one for the same event, so that the model reads the texts of both.
 * An entry of the user never runs what a project holds, so that the one whose text is not used leaves it to the other.
 */
function roleOf(client: Client, native: string, scope: ScopeName): JointRole {
  const { textsUsed, allUsedFrom } = nativeEvent(client, native);
  if (typeof textsUsed === 'object') return { scope, shares: true };
  const { order = [], inTurn } = client.hooks;
  const place = (name: ScopeName): number => {
    const at = order.findIndex((one) => one.scope === name);
    return textsUsed === 'first' ? -at : at;
  };
  const others = SCOPES.filter((name) => name !== scope && client.hooks[name].length > 0);
  const known = [scope, ...others].every((name) => order.some((one) => one.scope === name));
  if (!known) return { scope };
  return {
    scope,
    ...(others.some((name) => place(name) > place(scope)) && { leaves: inTurn ? 'text' : 'always' }),
    ...(others.some((name) => place(name) < place(scope)) && { takes: inTurn ? 'now' : 'wait' }),
    ...(allUsedFrom && { before: allUsedFrom }),
  };
}
