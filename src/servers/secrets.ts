import type { Definition } from './types.ts';

export const MASK = '***';

/**
 * Names of flags, headers and variables whose value is a secret: `--api-key`, `ACCESS_TOKEN`, `authToken`, `X-Api-Key`.
 */
const SECRET_NAME =
  /(?:token|secret|password|passwd|apikey)$|(?:^|[-_.])(?:pwd|pass|passphrase|key|auth|authorization|bearer|credentials?|creds|cookie|pat)$/i;
const SECRET_NAME_CAMEL = /[a-z](?:Key|Auth|Credentials?)$/;

/** Token formats of known issuers. */
const TOKEN =
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{16,}|\bxox[abeprs]-[\w-]{8,}|\bAKIA[A-Z0-9]{12,}|\bAIza[\w-]{20,}|\beyJ[\w-]{8,}\.[\w-]*\.?[\w-]*/g;

/**
 * Values of only variables without a default, perhaps after an authentication scheme; the secret itself is elsewhere.
 */
const VARIABLE = /^(?:[A-Za-z]+\s+)?(?:\$(?:\{\w+\}|\w+)[-._:]?)+$/;

export const isVariable = (value: string): boolean => VARIABLE.test(value);

export const isSecretName = (name: string): boolean =>
  !/^(?:OLD)?PWD$/.test(name) && (SECRET_NAME_CAMEL.test(name) || SECRET_NAME.test(name.replace(/^-+/, '')));

/** Masks a value, and adds it to `found`. */
function maskValue(value: string, found?: string[]): string {
  if (value === '' || isVariable(value)) return value;
  found?.push(value);
  return MASK;
}

/** True for a part of a URL's path that looks random: a key in the URL itself. */
const isRandom = (part: string): boolean =>
  /^[\w.~%=-]{20,}$/.test(part) &&
  /\d/.test(part) &&
  /[A-Za-z]/.test(part) &&
  !/[-_.][a-z]{3,}[-_.]/.test(part);

/**
 * Masks userinfo, query and random-looking path parts of every URL in a text, and tokens of known formats. For the
 * user's own files and a server's messages; in a stranger's text this would hide too much. `found` receives the masked
 * values.
 */
export function maskText(text: string, found?: string[]): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)([^\s/?#@]+)@/gi, (_, scheme: string, user: string) => {
      found?.push(...user.split(':').slice(-1));
      return `${scheme}${MASK}@`;
    })
    .replace(
      /([?&#])([^=&#\s]+)=([^&#\s]+)/g,
      (_, mark: string, name: string, value: string) => `${mark}${name}=${maskValue(value, found)}`,
    )
    .replace(/\b(?:https?|wss?):\/\/[^\s'"]+/gi, (url) =>
      url.replace(/(?<=\/)[^/?#]+/g, (part) => (isRandom(part) ? maskValue(part, found) : part)),
    )
    .replace(TOKEN, (token) => maskValue(token, found));
}

/**
 * Masks, in arguments from the user's own files, the values of key- and token-like flags, and applies `maskText` to the
 * rest.
 */
export function maskArgs(args: readonly string[], found?: string[]): string[] {
  return args.map((arg, i) => {
    const flag = args[i - 1] ?? '';
    if (/^--?[\w.-]+$/.test(flag) && isSecretName(flag) && !/^--[a-z]/i.test(arg))
      return maskValue(arg, found);
    const [, name, separator, value] = /^([\w.-]+)([=:]\s*)(.+)$/s.exec(arg) ?? [];
    if (name !== undefined && value !== undefined && isSecretName(name))
      return `${name}${separator}${maskValue(value, found)}`;
    return maskText(maskPairs(arg, found), found);
  });
}

/**
 * Masks pairs such as `NAME=value` and `"name": "value"` in a longer text, e.g. a connection string or a header in a
 * flag.
 */
function maskPairs(text: string, found?: string[]): string {
  return text.replace(
    /(?<![\w.?&#-])([\w.-]+)("?\s*[=:]\s*"?(?:(?:Bearer|Basic|Token)\s+)?)([^\s;|&`<>()"',{}]+)/gi,
    (_, name: string, between: string, value: string) => {
      const secret = isSecretName(name) && !/^(?:\/\/|\$)/.test(value);
      return `${name}${between}${secret ? maskValue(value, found) : maskPairs(value, found)}`;
    },
  );
}

/** Returns the headers and flags of a command line definition that contain a secret instead of naming a variable. */
export function literalSecrets(definition: Definition): string[] {
  if (definition.transport === 'stdio') {
    const { args } = definition;
    return maskArgs(args).flatMap((masked, i) => {
      const flag = args[i - 1] ?? '';
      return masked === args[i] ? [] : [masked === MASK && flag.startsWith('-') ? flag : masked];
    });
  }
  const inUrl = maskText(definition.url) === definition.url ? [] : ['URL'];
  const inHeaders = Object.entries(definition.headers).filter(
    ([name, value]) =>
      !isVariable(value.trim()) &&
      (isSecretName(name) || maskText(value) !== value || value.split(/[\s,;]+/).some(isRandom)),
  );
  return [...inUrl, ...inHeaders.map(([name]) => name)];
}

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

/**
 * Returns texts to keep out of messages, longest first. Very short texts are left out: masking them would garble
 * messages.
 */
export function longestFirst(secrets: readonly string[]): string[] {
  return [...new Set(secrets)].filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
}

/** Returns a server's message without the secrets sent to the server. */
export function redact(text: string, secrets: readonly string[]): string {
  return maskText(secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text));
}

/**
 * Returns values of a server's environment that may be secrets: variables set by its definition, and variables with
 * secret-like names.
 */
export function secretValues(
  env: Readonly<Record<string, string | undefined>>,
  named: Iterable<string>,
): string[] {
  const names = new Set(named);
  return Object.entries(env).flatMap(([name, value]) =>
    value && (names.has(name) || isSecretName(name)) ? [value] : [],
  );
}
