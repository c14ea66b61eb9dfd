import type { McpDialect, ReferenceForm } from '../clients/mcp-config.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import { type Part, referenceParts, tellable } from '../servers/launch/references.ts';

/** How a text is read. `hasRoot`: names for the folder of a plugin count. */
export interface Reading {
  dialect: McpDialect;
  hasRoot: boolean;
}

/**
 * Why a text has no equal. `none`: the other dialect has no such reference; `plain`: it would replace a plain text;
 * `plugin`: it refers to the folder of the plugin with the definition. `value`: the reference, '' for what may be a
 * secret.
 */
export interface NoEqual {
  value: string;
  why: 'none' | 'plain' | 'plugin';
}

/** Forms with `${NAME}`. No client with plugins has another one. */
const BRACED: readonly ReferenceForm[] = ['braces', 'dollar', 'braces-env'];

/** Returns a text, outside of `env`, that means in another dialect what it means where it stands. */
export function translated(text: string, from: Reading, to: Reading): { text: string } | NoEqual {
  const parts = readIn(text, from);
  const plain = parts.map((part) => (isPlain(part) ? part.written : '')).join('');
  // OpenCode replaces variables first, so what they leave of a text counts, too.
  if (from.dialect.includesFiles && [text, plain].some((form) => form.includes('{file:')))
    return { value: /\{file:[^{}]*\}/.exec(text)?.[0] ?? '', why: 'none' };
  if (meansTheSame(readIn(text, to), parts)) return { text };
  const written = parts.map((part) => spelled(part, outsideEnv(to.dialect)));
  const missing = parts.find((_, i) => written[i] === undefined);
  if (missing) return { value: shownReference(missing), why: 'none' };
  const joined = written.join('');
  const read = readIn(joined, to);
  if (meansTheSame(read, parts)) return { text: joined };
  const meant = parts.filter((part) => !isPlain(part));
  const found = read.filter((part) => !isPlain(part));
  const misread = found.find((part, i) => !meansTheSame([part], meant.slice(i, i + 1)));
  return { value: misread && plain.includes(misread.written) ? shownReference(misread) : '', why: 'plain' };
}

/** Returns a text's references to variables and folders. */
export const referencesOf = (text: string, reading: Reading): Part[] =>
  readIn(text, reading).filter((part) => !isPlain(part));

/** A dialect as it is outside of `env`. */
const outsideEnv = (dialect: McpDialect): McpDialect =>
  dialect.expandOnly === undefined ? dialect : { ...dialect, expand: 'none', stands: {} };

const readIn = (text: string, { dialect, hasRoot }: Reading): Part[] =>
  referenceParts(text, outsideEnv(dialect), { hasRoot });

const isPlain = ({ name, place }: Part): boolean => name === undefined && place === undefined;

/** Returns a part as it is written in a dialect; undefined where that has no equal. */
function spelled(part: Part, { expand, fallbacks, stands }: McpDialect): string | undefined {
  const { written, name, fallback, place } = part;
  if (place !== undefined) {
    const equal = Object.keys(stands).find((key) => stands[key] === place);
    return equal === undefined ? undefined : `\${${equal}}`;
  }
  if (name === undefined) return written;
  if (!BRACED.includes(expand) || (fallback !== undefined && fallbacks === false)) return undefined;
  return fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}`;
}

/** True for equal parts, however they are written; adjacent plain parts are one. */
function meansTheSame(a: readonly Part[], b: readonly Part[]): boolean {
  const meaning = (parts: readonly Part[]): unknown[] => {
    const all: unknown[] = [''];
    for (const part of parts)
      if (isPlain(part)) all.push(`${all.pop()}${part.written}`);
      else all.push({ ...part, written: '' }, '');
    return all;
  };
  return canonicalJson(meaning(a)) === canonicalJson(meaning(b));
}

/** Returns a reference to be shown, without its default, which may be a secret; '' where the name may be one. */
export function shownReference({ written, name }: Part): string {
  if (name !== undefined && tellable(name) === '') return '';
  return written.replace(/:-.+\}$/s, ':-...}');
}
