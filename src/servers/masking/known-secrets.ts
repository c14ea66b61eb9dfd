import type { Definition } from '../types.ts';
import { isSecretName, maskArgs, maskText } from './secrets.ts';

/** A server as it is started or reached. */
type Launched =
  | { args: readonly string[]; env: Readonly<Record<string, string | undefined>> }
  | { url: string; headers: Readonly<Record<string, string>> };

/** Returns the secrets of a server that is started or reached as `launched`, to keep out of messages and the log. */
export function secretsOf(definition: Definition, launched: Launched): string[] {
  const found: string[] = [];
  if ('args' in launched) {
    const named =
      definition.transport === 'stdio' ? [...Object.keys(definition.env), ...(definition.passEnv ?? [])] : [];
    maskArgs(launched.args, found);
    found.push(...secretValues(launched.env, named));
  } else {
    maskText(launched.url, found);
    for (const value of Object.values(launched.headers))
      found.push(value, value.replace(/^(?:Bearer|Basic|Token)\s+/i, ''));
  }
  // To mask very short texts would garble messages.
  return [...new Set(found)].filter((secret) => secret.length >= 4);
}

/**
 * True for a value that is hardly a word: variables may give a server its name, and matchers and messages need names and
 * words.
 */
export const isNoWord = (value: string): boolean => value.length >= 12 && /\d/.test(value);

/**
 * Returns values of a server's environment that may be secrets, and the secrets within them, such as the password in a
 * URL: of variables that its definition sets or passes on (`named`), and of variables with secret-like names.
 */
function secretValues(env: Readonly<Record<string, string | undefined>>, named: Iterable<string>): string[] {
  const names = new Set(named);
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || !(names.has(name) || isSecretName(name))) return [];
    const within: string[] = [];
    maskText(value, within);
    return [value, ...within];
  });
}
