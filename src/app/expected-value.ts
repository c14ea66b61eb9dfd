import type { z } from 'zod';
import type { FaultArgsOf } from '../messages/faults.ts';

/** Returns what a value has to be, from an issue of zod's. */
export function expectedOf(issue: z.core.$ZodIssue): Omit<FaultArgsOf['config.value'], 'value'> {
  switch (issue.code) {
    case 'invalid_value':
      return { allowed: issue.values.map(String) };
    case 'too_small':
      if (issue.origin === 'array') return { clients: 1 };
      return issue.inclusive === false ? { above: Number(issue.minimum) } : { least: Number(issue.minimum) };
    case 'too_big':
      return { most: Number(issue.maximum) };
    case 'invalid_type':
      return { type: issue.expected };
    case 'custom':
      return { type: String(issue.params?.type) };
    default:
      return {};
  }
}
