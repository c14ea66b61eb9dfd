import { isDisabledByVariable } from './disabled-by-variable.ts';
import type { SilenceReason } from './firing.ts';
import type { PayloadShape } from './format.ts';
import type { LocalFireData } from './local-data.ts';
import { at, foreignSign, type Payload, textAt } from './payload.ts';
import { isContinuation } from './session/continuation.ts';
import type { Session } from './session/session.ts';

/** Returns the reason why no hook of this fire runs, if there is one. Writes nothing. */
export function skipReason(
  data: LocalFireData,
  payload: Payload,
  env: NodeJS.ProcessEnv,
  session: Session | undefined,
): SilenceReason | undefined {
  const { payload: shape } = data;
  if (isDisabledByVariable(env, data.server))
    return { code: 'environment', detail: env.MCPHOOKS_DISABLE ?? '' };
  const foreign = foreignSign(payload, shape, env);
  if (foreign !== undefined) return { code: 'client.other', detail: foreign };
  const { skipLike } = shape;
  if (at(payload, shape.skipIf) !== undefined)
    return { code: 'prompt.sub-agent', detail: String(shape.skipIf) };
  if (skipLike && new RegExp(skipLike.like).test(textAt(payload, skipLike.path) ?? ''))
    return skipLike.by
      ? { code: skipLike.by === 'turn' ? 'turn.no-end' : 'prompt.none' }
      : { code: 'prompt.sub-agent', detail: skipLike.path };
  const code =
    skippedPrompt(payload, shape, session) ??
    (session && isContinuation(payload, shape, session) ? 'prompt.continuation' : undefined);
  return code && { code };
}

/** Returns why a prompt is skipped, by the rules that the shell has, too (`answered` in templates/shim.sh). */
export function skippedPrompt(
  payload: Payload,
  { skipUnless, oncePer, newIf }: PayloadShape,
  session: Session | undefined,
): 'prompt.none' | 'prompt.again' | undefined {
  if (skipUnless && !at(payload, skipUnless)) return 'prompt.none';
  if (textAt(payload, newIf)) return undefined;
  const id = textAt(payload, oncePer);
  return id !== undefined && session?.read('once') === id ? 'prompt.again' : undefined;
}
