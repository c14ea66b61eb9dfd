import type { z } from 'zod';
import { valueAt } from '../base/json-value.ts';
import type { Path } from '../declarations/path.ts';
import { shown } from '../declarations/shape-faults.ts';
import type { FaultArgsOf } from '../messages/faults.ts';

/** Returns what an issue of zod's finds in a document, and what that has to be. */
export function wrongValue(issue: z.core.$ZodIssue, document: unknown): FaultArgsOf['config.value'] {
  const value = shown(valueAt(document, issue.path as Path));
  switch (issue.code) {
    case 'invalid_value':
      return { value, allowed: issue.values.map(String) };
    case 'too_small':
      if (issue.origin === 'array') return { value, clients: 1 };
      return { value, [issue.inclusive === false ? 'above' : 'least']: Number(issue.minimum) };
    case 'too_big':
      return { value, most: Number(issue.maximum) };
    case 'invalid_type':
      return { value, type: issue.expected };
    case 'custom':
      return { value, type: String(issue.params?.type) };
    default:
      return { value };
  }
}
