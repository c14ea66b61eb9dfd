import { isUtf8 } from 'node:buffer';

/**
 * The text of bytes that are UTF-8, a byte order mark included, so that writing it back gives the same bytes; undefined:
 * they aren't.
 */
export const utf8 = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : undefined;
