import type { Declaration } from '../declarations/types.ts';
import { Fault } from '../messages/fault.ts';
import { literalSecrets } from '../servers/secrets.ts';
import type { Definition } from '../servers/types.ts';
import type { ServerRecord } from '../store/types.ts';

/**
 * What of a definition from the command line may be written down: all of it, or nothing where it holds a secret
 * itself. Hooks that call tools need it at fire time: then that is a Fault, `given.secret`.
 */
export function rememberable(
  given: Definition | undefined,
  declarations: readonly Declaration[],
): Definition | undefined {
  const places = given ? literalSecrets(given) : [];
  if (places.length === 0) return given;
  if (declarations.some((d) => d.context_tool !== undefined)) throw new Fault('given.secret', { places });
  return undefined;
}

/** It was given on the command line and held a secret, so nobody knows any more how to reach it. */
export function isForgotten(previous: ServerRecord | undefined): previous is ServerRecord {
  return previous?.definition?.source.scope === 'command-line' && previous.given === undefined;
}
