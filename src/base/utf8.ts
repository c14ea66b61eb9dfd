import { isUtf8 } from 'node:buffer';

/**
 * Returns the text of UTF-8 bytes, keeping a byte order mark, so that writing the text restores the bytes; undefined
 * for other bytes.
 */
export const utf8 = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : undefined;
