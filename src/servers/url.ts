/** Hosts on this machine. Where a name below `localhost` leads is for the resolver to say. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Reason why an address must not be reached. `scheme`: neither http nor https. */
export type UrlRefusal = 'malformed' | 'backslash' | 'user-info' | 'plain-http' | 'scheme';

/** Characters that URL parsers drop at the ends, and some of them within. */
const DROPPED = /[\0-\x20\x7f]/;

/**
 * Returns the URL of a server when it may be reached: https, or http on this machine (docs/security.md, "Servers").
 * Backslashes are refused, since URL parsers read them as slashes and people don't.
 */
export function reachableUrl(text: string): URL | UrlRefusal {
  if (text.includes('\\')) return 'backslash';
  if (DROPPED.test(text) || !URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (url.username || url.password) return 'user-info';
  if (url.protocol === 'http:') return LOOPBACK.test(url.hostname) ? url : 'plain-http';
  return url.protocol === 'https:' ? url : 'scheme';
}

/** References to variables, in the forms of all clients. */
const REFERENCE = /\$\{[^}]*\}|\{env:[^}]*\}|\$[A-Za-z_]\w*/g;

/** True when an address may not be known before variables are filled in. */
export const hasReference = (text: string): boolean => /\$|\{env:/.test(text);

/**
 * Placeholders of variables while an address is parsed. A name is valid and unchanged in a host, a path and a query; a port
 * needs digits.
 */
const PLACEHOLDERS = { name: 'ref.invalid', port: ':64000' };
const PLACEHOLDER = /ref\.invalid|:64000(?=[/?#]|$)/g;

/**
 * Returns a definition's address in the form in which it is reached, with `${VAR}` and `{env:VAR}` unexpanded; an
 * address that begins with a variable is returned unchanged. Returns undefined for an address without such a form, with
 * a user name, or with a variable that is unclosed, lost in parsing (`${VAR}/..`) or not distinguishable from the text;
 * it is never reached.
 */
export function canonicalUrl(text: string): string | undefined {
  if (Math.max(text.lastIndexOf('${'), text.lastIndexOf('{env:')) > text.lastIndexOf('}')) return undefined;
  const references: { text: string; kind: 'name' | 'port' }[] = [];
  const bare = text.replace(REFERENCE, (reference, at: number) => {
    const isPort = text[at - 1] === ':' && /^(?:[/?#]|$)/.test(text.slice(at + reference.length));
    references.push({ text: reference, kind: isPort ? 'port' : 'name' });
    return isPort ? PLACEHOLDERS.port.slice(1) : `${at === 0 ? 'https://' : ''}${PLACEHOLDERS.name}`;
  });
  if (bare.includes('\\') || DROPPED.test(bare) || !URL.canParse(bare)) return undefined;
  const url = new URL(bare);
  if (url.username || url.password) return undefined;
  const placed = [...url.href.matchAll(PLACEHOLDER)].map(([found]) => placeholderKind(found));
  const kinds = references.map(({ kind }) => kind);
  const meant = placed.filter((kind) => kinds.includes(kind));
  if (meant.join() !== kinds.join()) return undefined;
  if (text.search(REFERENCE) === 0) return text;
  let next = 0;
  return url.href.replace(PLACEHOLDER, (found) => {
    if (!kinds.includes(placeholderKind(found))) return found;
    const reference = references[next++]?.text ?? '';
    return placeholderKind(found) === 'port' ? `:${reference}` : reference;
  });
}

const placeholderKind = (placeholder: string): 'name' | 'port' =>
  placeholder.startsWith(':') ? 'port' : 'name';
