import { dirname, join, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { isObject } from '../base/json-value.ts';
import { type Env, homeFolder, isAround } from '../base/paths.ts';
import { readText } from '../base/read-file.ts';
import { followed } from '../base/real-path.ts';
import type { McpDialect } from '../clients/mcp-config.ts';
import type { DefinitionSource } from './types.ts';

const INCLUDE = /\{file:([^{}]+)\}/g;

const REFERENCE = /\{env:[^}]+\}/g;

/**
 * Returns a project's entry with the content of the files that it includes (Cursor's `envFile`, OpenCode's `{file:}`) in
 * their place: an approval covers the content, and what starts is what was hashed. Entries of other scopes come back as
 * they are. `project`: folder of the project. undefined: the entry can't be used, because it includes a file that is
 * missing, or outside the project, or has references to variables: the client leaves those as they are.
 */
export function withProjectFiles(
  entry: unknown,
  { scope, file = '' }: Pick<DefinitionSource, 'scope' | 'file'>,
  { includesFiles, keys, stands }: Pick<McpDialect, 'includesFiles' | 'keys' | 'stands'>,
  project: string | undefined,
): unknown {
  if (scope !== 'project') return entry;
  const contentOf = (from: string, path: string): string => {
    const found = resolve(from, path);
    if (project === undefined || !isAround(followed(project), followed(found)))
      throw new Error(`${found} is outside the project`);
    return withoutReferences(readText(found));
  };
  try {
    if (keys.envFile !== undefined && isObject(entry) && entry[keys.envFile]) {
      const { [keys.envFile]: written, [keys.env]: own, ...rest } = entry;
      const from = project ?? '';
      const path = withoutReferences(placed(String(written), stands, from));
      const variables = parseEnv(contentOf(from, path));
      return { ...rest, [keys.env]: { ...variables, ...(isObject(own) && own) } };
    }
    if (!includesFiles) return entry;
    const inlined = mapTexts(entry, (text) =>
      text.replace(INCLUDE, (_, path: string) => contentOf(dirname(file), path).trim()),
    );
    return includesMore(inlined) ? undefined : inlined;
  } catch {
    return undefined;
  }
}

/** OpenCode replaces variables first, so what they leave of a text counts, too. */
function includesMore(entry: unknown): boolean {
  const text = JSON.stringify(entry);
  return [text, text.replace(REFERENCE, '')].some((form) => form.includes('{file:'));
}

function withoutReferences(text: string): string {
  if (/\$\{|\{env:/.test(text)) throw new Error('the text refers to variables');
  return text;
}

/** Returns a path with the names of the project's folder and of the separator replaced. */
const placed = (path: string, stands: McpDialect['stands'], project: string): string =>
  Object.entries(stands).reduce(
    (text, [name, meaning]) =>
      text.replaceAll(`\${${name}}`, () =>
        meaning.replace('<cwd>', () => project).replace('<sep>', () => sep),
      ),
    path,
  );

/** Returns a value of JSON with each text in it, but no key, changed. */
const mapTexts = (value: unknown, change: (text: string) => string): unknown =>
  JSON.parse(JSON.stringify(value), (_, item) => (typeof item === 'string' ? change(item) : item));

/**
 * Returns a value with the texts of the files that it includes, without white space around; '' for a missing file. Of a
 * project's definition, whatever its variables make of it, no file is read.
 */
export function withFiles(value: string, { scope, file = '' }: DefinitionSource, env: Env): string {
  if (scope === 'project') return value;
  return value.replace(INCLUDE, (_, path: string) => {
    const from = path.startsWith('~/') ? join(homeFolder(env), path.slice(2)) : resolve(dirname(file), path);
    try {
      return readText(from).trim();
    } catch {
      return '';
    }
  });
}
