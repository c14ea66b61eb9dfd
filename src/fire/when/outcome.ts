import type { OutcomeRule } from '../../clients/conditions.ts';
import type { Outcome } from '../../declarations/when.ts';
import { at, type Payload } from '../payload.ts';
import { serialised } from '../text/values.ts';

/**
 * Returns whether the payload's tool failed, by the rule of its native event; undefined when the payload doesn't show
 * that.
 */
export function outcomeOf(rule: OutcomeRule, payload: Payload, tool: string): Outcome | undefined {
  if (typeof rule === 'string') return rule;
  if ('is' in rule) {
    // As the shell decides.
    const isUntold = at(payload, rule.unless) && serialised(payload)?.includes(rule.holds);
    return isUntold ? undefined : rule.is;
  }
  for (const { tools, path, known, failed } of rule.signs) {
    if (tools && !tools.includes(tool)) continue;
    const value = at(payload, path);
    if (path === undefined) return undefined;
    if (failed === undefined) {
      if (value !== undefined && value !== null && value !== false) return 'failure';
      if (!tools) continue;
      return 'success';
    }
    const text = asText(value);
    if (text === undefined || (known !== undefined && !new RegExp(known).test(text))) return undefined;
    return new RegExp(failed).test(text) ? 'failure' : 'success';
  }
  return 'success';
}

/** Returns a text, a flag or a number as written in JSON, or a list of text parts joined. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return undefined;
  return value.map((part) => (typeof part === 'string' ? part : (at(part, 'text') ?? ''))).join('\n');
}
