import { dirname, join, resolve } from 'node:path';
import { isObject } from '../base/json-value.ts';
import { type Env, homeFolder } from '../base/paths.ts';
import { quietly } from '../base/quietly.ts';
import { readText } from '../base/read-file.ts';
import type { McpDialect } from '../clients/mcp-config.ts';
import type { DefinitionSource } from './types.ts';

const INCLUDE = /\{file:([^{}]+)\}/g;

const REFERENCE = /\{env:[^}]+\}/g;

/**
 * True when an entry of a project stands for more than it says: an approval covers the entry, and no file that it
 * includes (Cursor's `envFile`, OpenCode's `{file:}`). Such an entry isn't used. OpenCode replaces variables first, so
 * what they leave of a text counts, too.
 */
export const includesUnapproved = (
  entry: unknown,
  { scope }: Pick<DefinitionSource, 'scope'>,
  { includesFiles, keys }: McpDialect,
): boolean => {
  if (scope !== 'project') return false;
  if (keys.envFile !== undefined && isObject(entry) && entry[keys.envFile]) return true;
  if (!includesFiles) return false;
  const text = JSON.stringify(entry);
  return [text, text.replace(REFERENCE, '')].some((form) => form.includes('{file:'));
};

/**
 * Returns a value with the texts of the files that it includes, without white space around; '' for a missing file. Of a
 * project's definition, whatever its variables make of it, no file is read.
 */
export function withFiles(value: string, { scope, file = '' }: DefinitionSource, env: Env): string {
  if (scope === 'project') return value;
  return value.replace(INCLUDE, (_, path: string) => {
    const from = path.startsWith('~/') ? join(homeFolder(env), path.slice(2)) : resolve(dirname(file), path);
    return quietly(() => readText(from).trim()) ?? '';
  });
}
