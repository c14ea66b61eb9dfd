import { Fault } from '../messages/fault.ts';

/**
 * Throws a Fault, `own.not-utf8`, for a path that Node has misread: for bytes that aren't UTF-8 it gives U+FFFD, and a
 * file that is written there lands in another folder.
 */
export function assertUtf8(path: string): void {
  if (path.includes('\uFFFD')) throw new Fault('own.not-utf8', {}, { file: path });
}
