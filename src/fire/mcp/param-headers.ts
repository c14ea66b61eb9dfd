import { isObject, valueAt } from '../../base/json-value.ts';

/** Code of JSON-RPC by which a server of 2026-07-28 refuses a request without a header that it demands. */
export const HEADER_MISMATCH = -32_020;

/** A header that repeats an argument: its name after `Mcp-Param-`, and the path of the argument. */
export interface ParamHeader {
  name: string;
  path: readonly string[];
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Returns the headers that a tool's inputSchema demands by `x-mcp-header` (SEP-2243): of properties, at any depth. */
export function paramHeaders(schema: unknown, path: readonly string[] = []): ParamHeader[] {
  if (!isObject(schema)) return [];
  const name = schema['x-mcp-header'];
  const own = typeof name === 'string' && TOKEN.test(name) && path.length > 0 ? [{ name, path }] : [];
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [...own, ...properties.flatMap(([key, inner]) => paramHeaders(inner, [...path, key]))];
}

/** Returns these headers for the arguments of a call; an argument that is missing, or no single value, has none. */
export function headersFor(all: readonly ParamHeader[], args: unknown): [string, string][] {
  return all.flatMap(({ name, path }): [string, string][] => {
    const value = valueAt(args, path);
    const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    const isSingle = typeof value === 'string' || typeof value === 'boolean' || isExact;
    return isSingle ? [[`mcp-param-${name}`, encoded(String(value))]] : [];
  });
}

/** What a header can't hold as it is goes as base64 of its UTF-8. */
const encoded = (text: string): string =>
  /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;
