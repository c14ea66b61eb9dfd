import { mapTexts } from '../../base/json-value.ts';
import type { Firing } from '../firing.ts';
import type { FireHook } from '../format.ts';
import { fill } from './template.ts';
import { valuesFor } from './values.ts';

/** Returns the text of a hook whose matcher accepts the tool `toolName`; undefined when there is no text now. */
export async function hookText(
  firing: Firing,
  hook: FireHook,
  toolName: string,
): Promise<string | undefined> {
  const { n, text, call } = hook;
  const values = valuesFor(hook, toolName, firing.facts, (incident, detail) =>
    firing.note(incident, n, detail),
  );
  if (text !== undefined) return fill(text, values);
  return (
    call && firing.answer(firing, hook, { ...call, args: mapTexts(call.args, (arg) => fill(arg, values)) })
  );
}
