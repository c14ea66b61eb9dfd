import { isSecretName, maskArgs, maskText } from './secrets.ts';

/** Returns every secret in a started command or a URL. */
export function secretsIn(
  launched: { args: readonly string[] } | { url: string; headers: Record<string, string> },
): string[] {
  const found: string[] = [];
  if ('args' in launched) maskArgs(launched.args, found);
  else {
    maskText(launched.url, found);
    for (const value of Object.values(launched.headers))
      found.push(value, value.replace(/^(?:Bearer|Basic|Token)\s+/i, ''));
  }
  return found;
}

/** Returns texts to keep out of messages. Very short texts are left out: masking them would garble messages. */
export function withoutShort(secrets: readonly string[]): string[] {
  return [...new Set(secrets)].filter((secret) => secret.length >= 4);
}

/**
 * True for a value that is hardly a word: variables may give a server its name, and matchers and messages need names and
 * words.
 */
export const isNoWord = (value: string): boolean => value.length >= 12 && /\d/.test(value);

/**
 * Returns values of a server's environment that may be secrets, and the secrets within them, such as the password in a
 * URL: of variables set by its definition, and of variables with secret-like names.
 */
export function secretValues(
  env: Readonly<Record<string, string | undefined>>,
  named: Iterable<string>,
): string[] {
  const names = new Set(named);
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || !(names.has(name) || isSecretName(name))) return [];
    const within: string[] = [];
    maskText(value, within);
    return [value, ...within];
  });
}
