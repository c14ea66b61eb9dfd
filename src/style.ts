import { styleText } from 'node:util';
import type { Env } from './paths.ts';

type Format = Parameters<typeof styleText>[0];

/** Colours text, or leaves it as it is where colour would only be noise. */
export type Style = (format: Format, text: string) => string;

/**
 * A text on one line, broken between words into lines of at most `columns` characters, all of them indented by
 * `indent` spaces. A longer word stays whole, so that it can be copied.
 */
export function wrapped(text: string, indent: number, columns = Number.POSITIVE_INFINITY): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && indent + last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}

/**
 * A text of which every line on the screen begins with a bar, so that none can pass for a line of ours: a line that is
 * too long goes on behind a broken bar. Without `columns` (no terminal) lines stay whole.
 */
export function barred(text: string, style: Style, columns = Number.POSITIVE_INFINITY): string[] {
  const room = Math.max(20, columns - '     │ '.length);
  return text.split('\n').flatMap((line) => {
    const characters = [...line];
    const rows = Math.max(1, Math.ceil(characters.length / room));
    return Array.from({ length: rows }, (_, i) => {
      const row = rows === 1 ? line : characters.slice(i * room, (i + 1) * room).join('');
      return `     ${style('dim', i === 0 ? '│' : '┊')} ${row}`;
    });
  });
}

/** No colour when not a terminal or under NO_COLOR. */
export function styleFor(stream: { isTTY?: boolean }, env: Env): Style {
  const plain = !stream.isTTY || (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb';
  return plain
    ? (_format, text) => text
    : (format, text) => styleText(format, text, { validateStream: false });
}
