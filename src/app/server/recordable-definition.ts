import { callsTools, type Declaration } from '../../declarations/types.ts';
import { Fault } from '../../messages/fault.ts';
import { literalSecrets } from '../../servers/masking/secrets.ts';
import type { Definition } from '../../servers/types.ts';
import type { ServerRecord } from '../../store/types.ts';

/**
 * Returns the definition from the command line as it may be recorded: whole, or undefined when it contains a literal
 * secret. Hooks that call tools need the definition at fire time, so a secret is then a Fault, `given.secret`.
 */
export function recordableDefinition(
  given: Definition | undefined,
  declarations: readonly Declaration[],
): Definition | undefined {
  const places = given ? literalSecrets(given) : [];
  if (places.length === 0) return given;
  if (callsTools(declarations)) throw new Fault('given.secret', { places });
  return undefined;
}

/**
 * True when the definition came from the command line and was not recorded because of a secret: how to reach the server
 * is then unknown.
 */
export function definitionWasNotRecorded(previous: ServerRecord | undefined): previous is ServerRecord {
  return previous?.definition?.source.scope === 'command-line' && previous.given === undefined;
}
