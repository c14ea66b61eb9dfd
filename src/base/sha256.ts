import { hash } from 'node:crypto';

/**
 * SHA-256 of a text (as UTF-8) or of bytes, in hexadecimal. In one go: a `Hash` takes longer to set up than most of ours
 * take to compute.
 */
export const sha256 = (data: Uint8Array | string): string => hash('sha256', data);
