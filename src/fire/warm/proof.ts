import { closeSync, openSync, readSync } from 'node:fs';
import { hmac } from './hmac.ts';

/** Returns 16 random bytes, in hexadecimal. Loading node:crypto takes longer than reading the system's own source. */
export function newNonce(): string {
  const bytes = new Uint8Array(16);
  try {
    const source = openSync('/dev/urandom', 'r');
    try {
      if (readSync(source, bytes) < bytes.length) throw new Error('too few bytes');
    } finally {
      closeSync(source);
    }
  } catch {
    crypto.getRandomValues(bytes);
  }
  return Buffer.from(bytes).toString('hex');
}

/**
 * Returns the proofs that keeper and fire know the secret: the halves of one HMAC-SHA-256. Each side proves it with the
 * other's nonce, so that the secret itself is never sent and a proof is worth nothing in another connection. The fire
 * sends its half only after it has seen the keeper's.
 */
export function proofsOf(
  secret: string,
  { fire, keeper }: { fire: string; keeper: string },
): { keeper: string; fire: string } {
  const both = hmac(Buffer.from(secret, 'hex'), `${fire}\0${keeper}`);
  return { keeper: both.slice(0, 32), fire: both.slice(32) };
}

/** Compares all characters, so that the time tells nothing about where a wrong proof differs. */
export function proves(proof: unknown, expected: string): boolean {
  if (typeof proof !== 'string' || proof.length !== expected.length) return false;
  let differs = 0;
  for (let i = 0; i < expected.length; i++) differs |= proof.charCodeAt(i) ^ expected.charCodeAt(i);
  return differs === 0;
}
