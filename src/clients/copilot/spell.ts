// The name with a slash is the package's: without it, node's own deprecated module is meant.
import { encode } from 'punycode/';

/**
 * Returns an alias as Copilot CLI 1.0.102 writes it in names of tools: other characters become `-`, and a name that
 * isn't ASCII is encoded as a label of a domain name is, without a change of case.
 */
export function spell(alias: string): string {
  const safe = alias.replace(/[\0-,./:-@[-^`{-\x7f]/g, '-');
  return /[^\0-\x7f]/.test(safe) ? `xn--${encode(safe)}` : safe;
}
