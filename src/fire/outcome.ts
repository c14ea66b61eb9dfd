import type { OutcomeRule } from '../clients/conditions.ts';
import type { Outcome } from '../declarations/when.ts';
import { at, type Payload } from './payload.ts';

/** Whether the tool of a payload failed, by the rule of its native event; undefined: the payload doesn't tell. */
export function outcomeOf(rule: OutcomeRule, payload: Payload, tool: string): Outcome | undefined {
  if (typeof rule === 'string') return rule;
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

/** A text, or text parts as one. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  return value.map((part) => (typeof part === 'string' ? part : (at(part, 'text') ?? ''))).join('\n');
}
