import { sha256 } from './sha256.ts';

const PLAIN = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** 80 bits of the alias's hash in base 36: nobody makes another alias that meets it. */
const HASHED = /-[0-9a-z]{16}$/;
/** Names that Windows keeps for devices. */
const RESERVED = /^(con|prn|aux|nul|(com|lpt)[0-9])$/;
const PLAIN_MAX = 40;
const HASHED_MAX = 24 + 17;

const isPlain = (name: string): boolean =>
  name.length <= PLAIN_MAX && PLAIN.test(name) && !RESERVED.test(name) && !HASHED.test(name);

/**
 * A safe file name for any alias: the alias itself when it is one, else a readable form and a hash. No two aliases
 * share one, on file systems that ignore case or normalise Unicode too.
 */
export function slugFor(alias: string): string {
  if (isPlain(alias)) return alias;
  const words = alias
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['server'];
  const readable = words.join('-').slice(0, 24).replace(/-$/, '');
  // As UTF-16, since UTF-8 has one form for all lone surrogates.
  const hash = sha256(Buffer.from(alias, 'utf16le')).slice(0, 20);
  return `${readable}-${BigInt(`0x${hash}`).toString(36).padStart(16, '0')}`;
}

/** Whether `slugFor` can have made this name. */
export function isSlug(name: string): boolean {
  return isPlain(name) || (name.length <= HASHED_MAX && PLAIN.test(name) && HASHED.test(name));
}
