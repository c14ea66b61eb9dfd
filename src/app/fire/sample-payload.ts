import { randomUUID } from 'node:crypto';
import type { Client } from '../../clients/client.ts';
import { type Paths, type Step, wiringOf } from '../../clients/protocol.ts';
import { at, type Payload } from '../../fire/payload.ts';
import { put } from '../../fire/text/render.ts';
import { builtInName, callFields, firstOf } from '../../inspect/sample-call.ts';
import type { FireRequest } from './shim-run.ts';

/** What a request says of a payload. */
type ToolRequest = Pick<FireRequest, 'tool' | 'input' | 'payload' | 'cwd'>;

/** One native event, in the session of the request (`next`: in the session after it). */
interface SampleEvent {
  native: string;
  next: boolean;
}

/**
 * Returns the native events to fire. A payload may name its event. Otherwise: the event that prints the text (of several,
 * the one whose tool's result the payload has), after the session's start for a hook that gives its text once after each
 * start; or a turn, the event that keeps the text, and the event that prints kept texts.
 */
export function sequence(client: Client, { event, payload }: FireRequest): SampleEvent[] {
  const given = at(payload, client.protocol.input.event);
  if (typeof given === 'string') return [{ native: given, next: false }];
  const cell = client.events[event];
  const wiring = wiringOf(cell);
  const that = (step: Step): string[] => wiring.filter((w) => w.does === step).map((w) => w.native);
  const now = (natives: string[]): SampleEvent[] => natives.map((native) => ({ native, next: false }));
  const emits = wiring.filter((w) => w.does === 'emit');
  const gives = emits.find((w) => at(payload, client.natives[w.native]?.output) !== undefined) ?? emits[0];
  if (gives) return now([...(gives.at === 'start' ? that('start-session') : []), gives.native]);
  const keeps = that('defer');
  const turn = that('mark-turn').filter((native) => !keeps.includes(native));
  const next = 'moment' in cell && cell.moment === 'next-session';
  const later = [...(next ? that('start-session') : []), ...that('emit-deferred')];
  return [...now([...turn.slice(-1), ...keeps]), ...later.map((native) => ({ native, next }))];
}

/** Returns a payload of a native event: the client's sample, with what the request says. */
export function samplePayload(
  client: Client,
  { native, session }: { native: string; session: string },
  request: ToolRequest,
  servers: readonly string[] = [],
): Payload {
  const { input } = client.protocol;
  const event = client.natives[native];
  const ofTool = event?.toolSamples?.[builtInName(client, request.tool)];
  const payload: Payload = structuredClone({
    cwd: request.cwd,
    ...input.sample,
    ...event?.sample,
    ...ofTool,
  });
  put(payload, firstOf(input.session), session);
  // Each is a prompt of its own: a hook gives nothing at another with its id.
  if (event?.oncePer) put(payload, event.oncePer, randomUUID());
  const isGiven = (paths: Paths | undefined): boolean => at(request.payload, paths) !== undefined;
  // A tool that the payload names is not of the server of the sample.
  const isNamed = isGiven(input.toolName);
  for (const [path, value] of event?.matchesTools ? callFields(client, request, servers) : [])
    if ([input.toolInput].flat().includes(path) ? !isGiven(input.toolInput) : !isNamed)
      put(payload, path, value);
  // The payload may have its result at a later one of the client's paths.
  if (isGiven(event?.output))
    for (const path of [event?.output ?? []].flat()) delete payload[path.split('.')[0] ?? ''];
  Object.assign(payload, request.payload);
  if (input.event !== undefined) put(payload, firstOf(input.event), native);
  return payload;
}
