import type { HookEvent, Priority } from '../declarations/types.ts';

/** What one text is introduced by. */
export interface Heading {
  /** Alias of the declaring server. */
  server: string;
  event: HookEvent;
  priority: Priority;
  /** Random per install, so that no text can imitate a naming line. */
  tag: string;
  /** For a text given later: what it was meant for and when. */
  note?: string;
}

export type Unit = 'utf16' | 'utf8' | 'code-points';

export const UNIT_NAMES: Record<Unit, string> = {
  utf16: 'UTF-16 units',
  utf8: 'bytes',
  'code-points': 'characters',
};

/** Between two texts of one document. */
export const BETWEEN = '\n\n';

const ESCAPED = /[<>\u007f-\uffff]/g;
const escapeUnit = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A name as quoted ASCII on one line. Gemini CLI 0.61.0 escapes `<` and `>` in context, so they are spelled out. */
function quoted(name: string): string {
  const characters = [...name];
  const shown = characters.length > 80 ? `${characters.slice(0, 80).join('')}...` : name;
  return JSON.stringify(shown).replace(ESCAPED, escapeUnit);
}

/** A text between its naming lines (contract, "What reaches the model"). */
export function envelope(heading: Heading, text: string): string {
  const { server, event, priority, tag, note } = heading;
  const parts = [`mcphooks ${tag}`, `MCP server ${quoted(server)}`, event, priority, ...(note ? [note] : [])];
  return `[${parts.join(' | ')}]\n${text}\n[/mcphooks ${tag}]`;
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Lone surrogates have no UTF-8, and Codex refuses JSON that spells one. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
}

/**
 * The client's output document with `text` as its context: one line of ASCII JSON. `"}}` stands in it only at its
 * end, by which the shell tells a whole document from a cut one.
 */
export function documentFor(native: string, text: string): string {
  const document = JSON.stringify({
    hookSpecificOutput: { hookEventName: native, additionalContext: wellFormed(text) },
  });
  const end = document.length - 3;
  const ascii = document.slice(0, end).replace(/[\u007f-\uffff]/g, escapeUnit);
  return ascii.replaceAll('"}', '"\\u007d') + document.slice(end);
}

/** Length of a text in a client's unit. */
export function measure(text: string, unit: Unit): number {
  if (unit === 'utf16') return text.length;
  if (unit === 'utf8') return Buffer.byteLength(text);
  let points = 0;
  for (const _ of text) points++;
  return points;
}

/** The longest beginning of `text` that measures at most `most`; no character is split. */
function beginning(text: string, most: number, unit: Unit): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += measure(character, unit);
    if (used > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** `text` within `most` units, ending in a line that says that it was cut. */
export function cut(text: string, most: number, unit: Unit): string {
  const whole = measure(text, unit);
  if (whole <= most) return text;
  const said = `\n[cut by mcphooks: ${most} of ${whole} ${UNIT_NAMES[unit]}]`;
  return beginning(text, Math.max(0, most - said.length), unit) + said;
}
