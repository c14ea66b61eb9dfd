import { existsSync } from 'node:fs';
import { realPath } from '../../base/real-path.ts';
import { resting } from '../../fire/firing.ts';
import { type Payload, refusal, toolOf } from '../../fire/payload.ts';
import { readShellLine, unmet } from '../../fire/programs/conditions.ts';
import { projectOf } from '../../fire/project.ts';
import { markOf } from '../../fire/session/markers.ts';
import { sessionsOf } from '../../fire/session/sessions-of.ts';
import { skippedPrompt } from '../../fire/skip.ts';
import { factsOf } from '../../fire/text/values.ts';
import { scriptFile } from '../../shims/command.ts';
import type { ServerRecord } from '../../store/types.ts';
import { type FireRequest, type Reason, shimData } from './shim-run.ts';

/** Returns why the shell alone ended a shim without text, in the order of its tests (templates/shim.sh). */
export function shellReasons(
  shim: string,
  payload: Payload,
  record: ServerRecord,
  { env, scope, cwd }: FireRequest,
): Reason[] {
  if (!existsSync(scope.shared ? shim : scriptFile(shim, process)))
    return [{ code: 'shim.gone', detail: shim }];
  if (existsSync(scope.disabledFile(record.slug))) return [{ code: 'disabled' }];
  if (env.MCPHOOKS_DISABLE === '1') return [{ code: 'environment', detail: '1' }];
  const data = shimData(shim);
  // Not every client starts a project's hooks below its root.
  const { root = cwd } = scope;
  const failed: Reason =
    scope.shared && realPath(cwd) !== realPath(root)
      ? { code: 'shim.below', detail: root }
      : { code: 'shim.failed', detail: shim };
  // Without these files the shell skips no payload: node was started and printed nothing.
  const decides = ['needles', 'also', 'called', 'marks', 'files', 'once'].some((suffix) =>
    existsSync(`${shim}.${suffix}`),
  );
  if (!data || !decides) return [failed];
  const { payload: shape } = data;
  const tool = toolOf(payload, shape, readShellLine);
  const project = projectOf(cwd);
  const { input } = factsOf(payload, shape, project);
  const shared = { state: scope.paths.state, owner: 'shared' as const };
  const { session, reader } = sessionsOf(
    data.state === undefined ? { ...data, ...shared } : { ...data, state: data.state },
    payload,
  );
  const skipped = skippedPrompt(payload, shape, session);
  if (skipped) return [{ code: skipped }];
  const here = {
    payload,
    shape,
    projectDir: project.root,
    tree: project.tree,
    ...(tool && { tool }),
    ...(session && { session }),
  };
  const reasons = data.hooks.map((hook): Reason | undefined => {
    const { n, does } = hook;
    if (does === 'emit-deferred') return { code: 'kept.nothing', n };
    if (does === 'note-call') return { code: 'noted.call', n };
    const refused = refusal(hook, tool, input);
    if (refused) return { code: refused.code, n, detail: refused.got };
    const reason =
      unmet(here, hook) ?? (reader?.holds(`cooldown.${markOf(hook)}`) ? resting(hook) : undefined);
    return reason && { ...reason, n };
  });
  const known = reasons.filter((reason) => reason !== undefined);
  return known.length === reasons.length ? known : [failed];
}
