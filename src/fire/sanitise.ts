import { wellFormed } from './render.ts';

/** Terminal sequences as a whole: CSI, then OSC, DCS and similar up to their end, then two-character sequences. */
const ANSI =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;

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
  const clean = wellFormed(lines.replace(ANSI, '').replace(INVISIBLE, ''));
  return { text: clean, removed: lines.length - clean.length };
}
