import type { HookGroup, HookHandler } from '../../clients/hook-config.ts';

const keyText = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : stringText(key));

/** Prints a basic string. JSON's escapes are valid in TOML; DEL must be escaped, too. */
function stringText(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

const members = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, v]) => v !== undefined);

/** Prints a value on one line. */
export function tomlText(value: unknown): string {
  if (typeof value === 'string') return stringText(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(tomlText).join(', ')} ]`;
  if (typeof value === 'object' && value !== null) {
    const inside = members(value).map(([k, v]) => `${keyText(k)} = ${tomlText(v)}`);
    return inside.length === 0 ? '{}' : `{ ${inside.join(', ')} }`;
  }
  return String(value);
}

const block = (header: string, value: object, nl: string): string =>
  [header, ...members(value).map(([k, v]) => `${keyText(k)} = ${tomlText(v)}`)].join(nl);

/** Prints a group as one table with inline handlers, without a final line end. */
export function printGroup(event: string, group: HookGroup, nl: string): string {
  return block(`[[hooks.${keyText(event)}]]`, group, nl);
}

/** Prints a handler as a table, for files in which the user wrote handlers as tables. */
export function printHandler(event: string, handler: HookHandler, nl: string): string {
  return block(`[[hooks.${keyText(event)}.hooks]]`, handler, nl);
}
