import { Fault } from '../messages/fault.ts';
import { maskText } from './masking/secrets.ts';
import { canonicalUrl, reachableUrl } from './url.ts';

/**
 * Returns the URL when it is allowed: https, or http on this machine. Throws a `Fault` otherwise, which names `unset`, the
 * variables that aren't set.
 */
export function checkedUrl(text: string, unset: Iterable<string> = []): URL {
  const url = reachableUrl(text);
  if (url instanceof URL) return url;
  // A variable's value can have blanks and line ends, at which masking would take it for over.
  const shown = maskText(text.replace(/^([^?#]*[?#][^\0-\x20\x7f]*)[\0-\x20\x7f].*/s, '$1'));
  const named = { unset: [...unset] };
  if (url === 'plain-http') throw new Fault('server.plain-http', { url: shown }).with(named);
  throw new Fault('server.url', { url: shown, reason: url }).with(named);
}

/** Throws a Fault for an unexpanded URL whose parsed form differs from its text. */
export function assertCanonical(url: string): void {
  if (canonicalUrl(url) !== undefined) return;
  checkedUrl(url);
  throw new Fault('server.url', { url: maskText(url), reason: 'malformed' });
}
