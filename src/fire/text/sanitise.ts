import { TERMINAL_SEQUENCES } from '../../base/terminal-sequences.ts';

/** Control characters except tab and newline, bidirectional controls, and the tag block. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/**
 * Removes control, ANSI, bidirectional and tag characters from outside text. `removed`: UTF-16 units removed; line ends
 * become `\n` and aren't counted.
 */
export function sanitise(text: string): { text: string; removed: number } {
  const lines = text.replace(/\r\n?/g, '\n');
  const clean = lines.replace(TERMINAL_SEQUENCES, '').replace(INVISIBLE, '').toWellFormed();
  return { text: clean, removed: lines.length - clean.length };
}
