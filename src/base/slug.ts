import { normalized } from './normalized.ts';
import { sha256 } from './sha256.ts';

const PLAIN = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** A slug's hash: 80 bits in base 36, so that nobody can construct an alias with an equal hash. */
const HASHED = /-[0-9a-z]{16}$/;
/** Names reserved by Windows for devices. */
const RESERVED = /^(con|prn|aux|nul|(com|lpt)[0-9])$/;
const PLAIN_MAX = 40;
const HASHED_MAX = 24 + 17;

const isPlain = (name: string): boolean =>
  name.length <= PLAIN_MAX && PLAIN.test(name) && !RESERVED.test(name) && !HASHED.test(name);

/**
 * Returns a safe file name for any alias: the alias itself when that is safe, otherwise a readable form and a hash.
 * Different aliases have different names, even on file systems that ignore case or normalise Unicode.
 */
export function slugFor(alias: string): string {
  if (isPlain(alias)) return alias;
  const words = normalized(alias, 'NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['server'];
  const readable = words.join('-').slice(0, 24).replace(/-$/, '');
  // Hashed as UTF-16, because UTF-8 encodes all lone surrogates alike.
  const hash = sha256(Buffer.from(alias, 'utf16le')).slice(0, 20);
  return `${readable}-${BigInt(`0x${hash}`).toString(36).padStart(16, '0')}`;
}

/** True when `slugFor` can have returned this name. */
export function isSlug(name: string): boolean {
  return isPlain(name) || (name.length <= HASHED_MAX && PLAIN.test(name) && HASHED.test(name));
}
