import { clientById } from '../../clients/index.ts';
import type { FireHook, PayloadShape } from '../../fire/format.ts';
import { projectOf } from '../../fire/project.ts';
import { sampleCall, sampleInput, type TriedCall, toolsNamed } from '../../inspect/sample-call.ts';
import type { ServerRecord } from '../../store/types.ts';
import { type FireRequest, installedShims, shimData } from './shim-run.ts';

/**
 * Returns the call with which the installed hooks of an event are tried on a client: what is given of it, and what the
 * first hook accepts for which that can be derived. `unknown`: nothing is given, and no hook accepts what can be derived.
 */
export function callFor(
  record: ServerRecord,
  request: Omit<FireRequest, keyof TriedCall>,
  given: Partial<TriedCall>,
): TriedCall & { unknown: boolean } {
  const client = clientById(request.client);
  const project = projectOf(request.cwd);
  const tools = [...new Set([...(record.ownTools ?? []), ...toolsNamed(record.declarations)])];
  const waitsForFailure = ({ n }: FireHook): boolean =>
    record.declarations[n - 1]?.when?.outcome === 'failure';
  // A sample call succeeds.
  const hooks = textHooksOf(record, request).sort(
    (a, b) => Number(waitsForFailure(a.hook)) - Number(waitsForFailure(b.hook)),
  );
  for (const { hook, shape } of hooks) {
    const declaration = record.declarations[hook.n - 1];
    const about = declaration && { client, hook, shape, declaration, server: record.server, tools, project };
    const call = about && sampleCall(about, given);
    if (call) return { tool: call.tool, input: call.input, unknown: false };
  }
  const { tool = 'Bash' } = given;
  const unknown = hooks.length > 0 && Object.keys({ ...given, ...request.payload }).length === 0;
  return { tool, input: given.input ?? sampleInput(tool, client, project), unknown };
}

/** Returns the installed hooks that give the texts of an event, in the order of their declarations. */
function textHooksOf(
  record: ServerRecord,
  request: Pick<FireRequest, 'client' | 'event' | 'scope'>,
): { hook: FireHook; shape: PayloadShape }[] {
  return installedShims(record, request)
    .shims.flatMap(({ shim }) => shimData(shim) ?? [])
    .flatMap(({ hooks, payload }) => hooks.map((hook) => ({ hook, shape: payload })))
    .filter(({ hook }) => hook.event === request.event && ['emit', 'defer'].includes(hook.does))
    .sort((a, b) => a.hook.n - b.hook.n);
}
