import type { Unit } from '../../clients/client.ts';
import { type HookOutput, USUAL_OUTPUT } from '../../clients/protocol.ts';
import type { HookEvent, Priority } from '../../declarations/types.ts';

/** Values in the naming line of one text. */
export interface Heading {
  /** Alias of the declaring server. */
  server: string;
  event: HookEvent;
  priority: Priority;
  /**
   * Random value, so that no text can imitate a naming line: new for each fire, or per install in a prepared document.
   */
  tag: string;
  /** For a text printed later than intended: the event and time for which the text was meant. */
  note?: string;
}

export const UNIT_NAMES: Record<Unit, string> = {
  utf16: 'UTF-16 units',
  utf8: 'bytes',
  'code-points': 'characters',
};

/** Separator between two texts of one document. */
export const BETWEEN = '\n\n';

const ESCAPED = /[<>\u007f-\uffff]/g;
const escapeUnit = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes everything in a JSON text that isn't ASCII. */
export const ascii = (json: string): string => json.replace(/[\u007f-\uffff]/g, escapeUnit);

/**
 * Returns a name as quoted ASCII on one line. `<` and `>` are escaped, since Gemini CLI 0.61.0 escapes them in context.
 */
function quoted(name: string): string {
  const characters = [...name];
  const shown = characters.length > 80 ? `${characters.slice(0, 80).join('')}...` : name;
  return JSON.stringify(shown).replace(ESCAPED, escapeUnit);
}

/** Returns a text between its naming lines (docs/security.md, "Servers"). */
export function envelope(heading: Heading, text: string): string {
  const { server, event, priority, tag, note } = heading;
  const parts = [`mcphooks ${tag}`, `MCP server ${quoted(server)}`, event, priority, ...(note ? [note] : [])];
  return `[${parts.join(' | ')}]\n${text}\n[/mcphooks ${tag}]`;
}

type Members = Record<string, unknown>;

/** Sets the value at a dotted path, creating missing objects. */
export function put(into: Members, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) into[first] = value;
  else {
    into[first] ??= {};
    put(into[first] as Members, rest.join('.'), value);
  }
}

/** Returns the end of a hook's document, after its text. */
export function endOf({ text }: HookOutput): string {
  return `"${'}'.repeat(Math.max(...text.map((path) => path.split('.').length)))}`;
}

/** Returns the shape of a client's document, with the event's name filled in. */
export function outputOf(event: string, { text, fixed = {} }: HookOutput = USUAL_OUTPUT): HookOutput {
  const filled = Object.entries(fixed).map(([path, value]) => [path, value === '{event}' ? event : value]);
  return { text, fixed: Object.fromEntries(filled) };
}

/**
 * Returns the client's output document with `text` as its context: one line of ASCII JSON. `endOf` occurs only at the
 * document's end, so that the shell can tell a whole document from a truncated one.
 */
export function documentFor(output: HookOutput, text: string): string {
  const document: Members = {};
  // Lone surrogates have no UTF-8 form, and Codex refuses JSON with an escaped one.
  const shown = text.toWellFormed();
  const members = [
    ...Object.entries(output.fixed ?? {}),
    ...output.text.map((path) => [path, shown] as const),
  ];
  const depth = (path: string): number => path.split('.').length;
  for (const [path, value] of members.sort(([a], [b]) => depth(a) - depth(b))) put(document, path, value);
  const whole = JSON.stringify(document);
  const end = whole.length - endOf(output).length;
  return ascii(whole.slice(0, end)).replaceAll('"}', '"\\u007d') + whole.slice(end);
}

/** Length of a text in a client's unit. */
export function measure(text: string, unit: Unit): number {
  if (unit === 'utf16') return text.length;
  if (unit === 'utf8') return Buffer.byteLength(text);
  let points = 0;
  for (const _ of text) points++;
  return points;
}

/** Returns how much of the model's context a text with its naming lines takes. */
export function sizeOf(text: string): { chars: number; tokens: number } {
  return { chars: measure(text, 'code-points'), tokens: Math.ceil(Buffer.byteLength(text) / 4) };
}
