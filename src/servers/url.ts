/** Hosts on this machine. */
export const LOOPBACK = /^(?:localhost|(?:[\w-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Reason why an address must not be reached. `scheme`: neither http nor https. */
export type UrlRefusal = 'malformed' | 'backslash' | 'user-info' | 'plain-http' | 'scheme';

/** Characters that URL parsers drop at the ends, and some of them within. */
const DROPPED = /[\0-\x20\x7f]/;

/**
 * Returns the URL of a server when it may be reached: https, or http on this machine (contract, "Trust"). Backslashes
 * are refused, since URL parsers read them as slashes and people don't.
 */
export function reachableUrl(text: string): URL | UrlRefusal {
  if (text.includes('\\')) return 'backslash';
  if (DROPPED.test(text) || !URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (url.username || url.password) return 'user-info';
  if (url.protocol === 'http:') return LOOPBACK.test(url.hostname) ? url : 'plain-http';
  return url.protocol === 'https:' ? url : 'scheme';
}

const REFERENCE = /\$\{[^}]*\}|\$[A-Za-z_]\w*/g;

/**
 * Returns a definition's address in the form in which it is reached, with `${VAR}` unexpanded; an address that begins
 * with a variable is returned unchanged. Returns undefined for an address without such a form, or with a user name,
 * which is never reached.
 */
export function canonicalUrl(text: string): string | undefined {
  const references: string[] = [];
  // The placeholder is valid and unchanged in a host, a path and a query; a port needs digits.
  const bare = text.replace(REFERENCE, (reference, at: number) => {
    const n = references.push(reference) - 1;
    if (at === 0) return 'https://ref0.invalid';
    const port = text[at - 1] === ':' && /^(?:[/?#]|$)/.test(text.slice(at + reference.length));
    return port ? String(FIRST_PORT + n) : `ref${n}.invalid`;
  });
  if (bare.includes('\\') || DROPPED.test(bare) || !URL.canParse(bare)) return undefined;
  const url = new URL(bare);
  if (url.username || url.password) return undefined;
  if (/^\$(?:\{|[A-Za-z_])/.test(text)) return text;
  return url.href
    .replace(/ref(\d+)\.invalid/g, (whole, n: string) => references[Number(n)] ?? whole)
    .replace(/:(64\d\d\d)(?=[/?#]|$)/g, (whole, port: string) => {
      const reference = references[Number(port) - FIRST_PORT];
      return reference === undefined ? whole : `:${reference}`;
    });
}

const FIRST_PORT = 64_000;
