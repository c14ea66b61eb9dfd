import { styleText } from 'node:util';
import type { Env } from './paths.ts';

type Format = Parameters<typeof styleText>[0];

/** Colours text, or leaves it as it is where colour would only be noise. */
export type Style = (format: Format, text: string) => string;

/** No colour when not a terminal or under NO_COLOR. */
export function styleFor(stream: { isTTY?: boolean }, env: Env): Style {
  const plain = !stream.isTTY || (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb';
  return plain
    ? (_format, text) => text
    : (format, text) => styleText(format, text, { validateStream: false });
}
