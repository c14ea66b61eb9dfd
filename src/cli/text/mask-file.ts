/*
 * Masks every value in a client's file that isn't ours, so that a diff shows only keys, structure and our entries. Works
 * on the whole text, since a value may span lines and a line may contain many values.
 */

import { quietly } from '../../base/quietly.ts';
import { maskText } from '../../servers/masking/secrets.ts';

const HIDDEN = '…';

/** Tokens: comments, strings with their quotes, punctuation, and everything between these. */
const JSON_TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"\\]*(?:\\[\s\S]?[^"\\]*)*"?|[{}[\]:,]|[^\s{}[\]:,"]+/g;
const TOML_TOKENS =
  /#[^\n]*|"""(?:[^"\\]|\\[\s\S]?|"(?!""))*(?:"{3,5}|$)|'''[\s\S]*?(?:'{3,5}|$)|"[^"\\\n]*(?:\\[^\n]?[^"\\\n]*)*"?|'[^'\n]*'?|[{}[\]=,\n]|[^\s{}[\]=,"'#]+/g;

/** Values that aren't masked; longer numbers, and other words, may be secrets. */
const HARMLESS = /^(?:true|false|null|[-+]?\d{1,6})$/;

/**
 * Masks values in a text, keeping the number of lines.
 * @param shown texts of our own entries, which aren't masked
 */
export function maskFile(text: string, format: 'json' | 'toml', shown: ReadonlySet<string>): string {
  return format === 'toml' ? maskToml(text, shown) : maskJson(text, shown);
}

const lines = (token: string): string => token.replace(/[^\n]/g, '');

function maskJson(text: string, shown: ReadonlySet<string>): string {
  const keys = new Map<string, string>();
  const key = (token: string): string => {
    const known = keys.get(token) ?? `"${maskText(token.slice(1, -1))}"`;
    keys.set(token, known);
    return known;
  };
  return text.replace(JSON_TOKENS, (token, at: number) => {
    if (/^[{}[\]:,]$/.test(token) || HARMLESS.test(token)) return token;
    if (token.startsWith('//')) return `// ${HIDDEN}`;
    if (token.startsWith('/*')) return `/* ${HIDDEN}${lines(token)} */`;
    if (!token.startsWith('"')) return HIDDEN;
    const isKey = /^\s*:/.test(text.slice(at + token.length, at + token.length + 200));
    if (isKey) return key(token);
    return shown.has(unquoted(token)) ? token : `"${HIDDEN}"`;
  });
}

/** Returns the content of a JSON string, or of a basic string of TOML without its own escapes. */
const unquoted = (token: string): string => quietly(() => JSON.parse(token)) ?? token.slice(1, -1);

function maskToml(text: string, shown: ReadonlySet<string>): string {
  // Brackets open in the current value. Outside of a value, a line that begins with a bracket is a table's head.
  let open: string[] = [];
  let inValue = false;
  return text.replace(TOML_TOKENS, (token, at: number) => {
    if (token === '\n') {
      if (open.length === 0) inValue = false;
      return token;
    }
    if (token === '=') inValue = true;
    if (!inValue) return token.startsWith('#') ? `# ${HIDDEN}` : maskText(token);
    if (token === '[' || token === '{') open.push(token);
    if (token === ']' || token === '}') open = open.slice(0, -1);
    if (/^[{}[\]=,]$/.test(token) || HARMLESS.test(token)) return token;
    if (token.startsWith('#')) return `# ${HIDDEN}`;
    const isKey =
      open.at(-1) === '{' && /^[ \t]*[=.]/.test(text.slice(at + token.length, at + token.length + 200));
    if (isKey) return maskText(token);
    const quote = /^(?:"""|'''|"|')/.exec(token)?.[0];
    if (quote === undefined) return HIDDEN;
    const value = quote === '"' ? unquoted(token) : token.slice(quote.length, -quote.length);
    return shown.has(value) ? token : `${quote}${HIDDEN}${lines(token)}${quote}`;
  });
}
