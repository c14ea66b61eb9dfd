import { isUtf8 } from 'node:buffer';

/**
 * Returns the text of UTF-8 bytes, keeping a byte order mark, so that writing the text restores the bytes; undefined
 * for other bytes.
 */
export const utf8 = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : undefined;

/**
 * Returns the text before the first byte that isn't UTF-8, without a byte order mark; the whole text where there is no
 * such byte.
 */
export function beforeInvalid(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString();
  // A replacement character stands for an invalid byte, unless the bytes are those of the character itself.
  let [from, length] = [0, 0];
  for (const { index } of text.matchAll(/\uFFFD/g)) {
    length += Buffer.byteLength(text.slice(from, index));
    from = index;
    if (buffer.toString('latin1', length, length + 3) !== '\xEF\xBF\xBD')
      return text.slice(0, index).replace(/^\uFEFF/, '');
  }
  return text.replace(/^\uFEFF/, '');
}
