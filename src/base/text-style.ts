import { stripVTControlCharacters, styleText } from 'node:util';
import { once } from './once.ts';
import type { Env } from './paths.ts';
import { PLAIN } from './visible.ts';

/** Formats readable on both light and dark terminals; yellow, cyan and bright colours aren't. */
type Format = 'bold' | 'dim' | 'green' | 'red' | 'magenta';

/** Colours text, or returns it unchanged where colours aren't wanted. */
export type Style = (format: Format, text: string) => string;

/** East Asian wide characters and emoji, which take two columns. */
const wide = once(
  () =>
    /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u,
);

/** Number of terminal columns of a text; colour sequences take none. */
export function widthOf(text: string): number {
  const shown = stripVTControlCharacters(text);
  if (PLAIN.test(shown)) return shown.length;
  return [...shown].reduce((sum, c) => sum + (wide().test(c) ? 2 : 1), 0);
}

/**
 * Breaks a one-line text between words into lines of at most `columns` characters, all indented by `indent` spaces. A
 * longer word stays whole, so that it can be copied.
 */
export function wrapped(text: string, indent: number, columns = Number.POSITIVE_INFINITY): string {
  if (columns === Number.POSITIVE_INFINITY) return ' '.repeat(indent) + text;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === '' && lines.length > 1) lines[lines.length - 1] = word;
    else if (last !== undefined && indent + widthOf(last) + 1 + widthOf(word) <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else {
      // Of two spaces between words, neither belongs to a line that breaks there.
      if (last !== undefined) lines[lines.length - 1] = last.trimEnd();
      lines.push(word);
    }
  }
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}

/** Like `wrapped`, but without indent on the first line, for text beside something of `indent` columns. */
export function hanging(text: string, indent: number, columns?: number): string {
  return wrapped(text, indent, columns).slice(indent);
}

/** An indented line to paste into a settings file: broken within a text, it would be no JSON or TOML. */
const SETTING = /^ +(?:"[^"]*": |\w+ = )["[]/;

/** Breaks each line between words, except settings; continuation lines are indented by two more. */
export function fitted(text: string, columns?: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const indent = line.search(/\S|$/);
      if (SETTING.test(line)) return line;
      if (line.startsWith('│ ', indent)) return barred(line.slice(indent + 2), UNSTYLED, columns, indent);
      return ' '.repeat(indent) + wrapped(line.slice(indent), indent + 2, columns).slice(indent + 2);
    })
    .join('\n');
}

/**
 * Splits a line into rows of at most `room` columns, between words or folders where possible. The joined rows equal the
 * line.
 */
export function rowsOf(line: string, room: number): string[] {
  if (room === Number.POSITIVE_INFINITY) return [line];
  const rows = [''];
  for (const word of line.split(/(?<=[ /])(?=[^ /])/)) {
    const row = rows.at(-1) ?? '';
    if (widthOf(row + word) <= room) rows[rows.length - 1] = row + word;
    else if (widthOf(word) <= room) rows.push(word);
    else
      for (const c of word) {
        const last = rows.at(-1) ?? '';
        if (widthOf(last + c) > room) rows.push(c);
        else rows[rows.length - 1] = last + c;
      }
  }
  return rows;
}

/**
 * Puts a bar before every line on the screen, so that no line of the text can pass for ours; a long line continues
 * behind a broken bar. Without `columns` (no terminal) lines stay whole.
 */
export function barred(text: string, style: Style, columns = Number.POSITIVE_INFINITY, indent = 5): string[] {
  const room = Math.max(20, columns - indent - '│ '.length);
  const bar = (i: number): string => ' '.repeat(indent) + style('dim', i === 0 ? '│' : '┊');
  return text.split('\n').flatMap((line) => rowsOf(line, room).map((row, i) => `${bar(i)} ${row}`));
}

const UNSTYLED: Style = (_format, text) => text;

/** Returns the style for an output: no colour outside of a terminal or under NO_COLOR. */
export function styleFor(terminal: boolean, env: Env): Style {
  const plain = !terminal || (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb';
  return plain ? UNSTYLED : (format, text) => styleText(format, text, { validateStream: false });
}
