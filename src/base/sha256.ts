import { hash } from 'node:crypto';

/**
 * SHA-256 of a text (as UTF-8) or of bytes, in hexadecimal. Uses the one-shot function: creating a `Hash` takes longer
 * than hashing most of our data.
 */
export const sha256 = (data: Uint8Array | string): string => hash('sha256', data);
