import { once } from '../../base/once.ts';
import type { Definition } from '../types.ts';

export const MASK = '***';

/**
 * Names of flags, headers and variables whose value is a secret: `--api-key`, `ACCESS_TOKEN`, `authToken`, `X-Api-Key`.
 */
const SECRET_NAME =
  /(?:token|secret|password|passwd|apikeys?)$|(?:^|[-_.])(?:pwd|pass|passphrase|key|auth|authorization|bearer|credentials?|creds|cookie|pat)$/i;
const SECRET_NAME_CAMEL = /[a-z](?:Key|Auth|Credentials?)$/;

/** The end of an escape in JSON, whose letters are no part of the word behind it. */
const ESCAPED = String.raw`(?<=\\(?:[bfnrt]|u[\da-fA-F]{4}))`;
/** Where a word begins, also behind such an escape. */
export const WORD_START = String.raw`(?:\b|${ESCAPED})`;
/** Token formats of known issuers. */
const TOKEN = new RegExp(
  String.raw`${WORD_START}(?:(?:sk|pk|rk)[-_][\w-]{16,}|gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{8,}|xapp-\d-[\w-]{16,}|A[KS]IA[A-Z0-9]{12,}|AIza[\w-]{20,}|ya29\.[\w-]{20,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{24,}|pypi-AgE[\w-]{24,}|SG\.[\w-]{16,}\.[\w-]{16,})`,
  'g',
);
/** Blanks and line ends, also escaped ones. */
const BREAK = String.raw`(?:\s|\\+[nr])+`;
/** A private key in lines of base64, perhaps behind the headers of an encrypted one. */
const PRIVATE_KEY = new RegExp(
  String.raw`(-----BEGIN [A-Z ]*PRIVATE KEY-----)((?:${BREAK}(?:Proc-Type|DEK-Info):[^\n\\]*){0,4}(?:${BREAK}[A-Za-z0-9+/=]{16,}){1,400}(?:${BREAK}[A-Za-z0-9+/=]{1,15}(?=${BREAK}-----END))?)`,
  'g',
);
/** The password in a data source name of Go's MySQL driver: `user:password@tcp(host)`. */
const DATA_SOURCE = /((?<![\w.-])[\w.-]{1,64}:)([^\s@"'/]{1,64})(?=@(?:tcp|unix)\()/g;
/** JSON Web Tokens. The lookahead finds the dot once for a run of characters, so that no `eyJ` reads the run again. */
const WEB_TOKEN = new RegExp(
  String.raw`(?:(?<![\w-])|${ESCAPED})(?=[\w-]*\.)((?:[\w-]*?-)??)(eyJ[\w-]{8,}\.[\w-]*\.?[\w-]*)`,
  'g',
);

/**
 * Values of only variables without a default, perhaps after an authentication scheme; the secret itself is elsewhere.
 */
const VARIABLE = /^(?:[A-Za-z]+\s+)?(?:\$(?:\{\w+\}[-._:]?|\w+[-.:]?))+$/;

export const isVariable = (value: string): boolean => VARIABLE.test(value);

export const isSecretName = (name: string): boolean =>
  !/^(?:OLD)?PWD$/.test(name) && (SECRET_NAME_CAMEL.test(name) || SECRET_NAME.test(name.replace(/^-+/, '')));

/** A member of a connection string (ODBC), in which `PWD` is a password and not the working folder. */
const MEMBER = String.raw`\s*(?:uid|user|user id|username|server|driver|host|data source|dsn|database|dbname)\s*=`;
const CONNECTION = new RegExp(`;${MEMBER}|^["']?${MEMBER}[^;]*;`, 'i');
/** The beginning of a path or of a reference to a variable. */
const PATH = /^["'{]?(?:[~./$%]|[A-Za-z]:[\\/])/;

/** Returns a function that is true for a pair of a text whose value is a secret. `value` may be its beginning alone. */
function secretNames(text: string): (name: string, value: string) => boolean {
  const connects = once(() => CONNECTION.test(text));
  return (name, value) => isSecretName(name) || (name === 'PWD' && !PATH.test(value) && connects());
}

/** Names that mean a secret wherever they stand; `key` or `auth` may be anything in code, JSON or SQL. */
export const STRONG_NAME =
  /(?:token|secret|password|passwd|pwd|passphrase|(?:api|access|secret|private|auth)[-_.]?keys?)$/i;

/** A reference to a variable in the form of some client or system. */
const REFERENCE = /^(?:\$\{[\w:.-]+\}|\{?env:\w+\}?|%\w+%|\{\{[^{}]*\}\})$/;

/**
 * True for a value that can be shown: it only names variables. `$Name` with small letters may be a secret, which most
 * clients take as it is.
 */
const namesVariable = (value: string): boolean =>
  isVariable(value) && !/\$(?!\{|[A-Z_][A-Z0-9_]*(?!\w))/.test(value);

/** References of the forms `${NAME}`, `${NAME:-default}`, `${env:NAME}` and `{env:NAME}`. */
const REFERENCES = /\$\{(?:env:)?(\w+|\/)(?=[:}])|(?<!\$)\{env:(\w+)\}/g;

/** Returns the references in a value, as `${NAME}` without a default. */
export const referencesIn = (value: string): string[] =>
  [...value.matchAll(REFERENCES)].map(([, name, curly]) => `\${${name ?? curly}}`);

/**
 * Masks all of a value but its authentication scheme and the names of its variables; undefined for a value without
 * variables.
 */
export function maskAroundVariables(value: string): string | undefined {
  if (namesVariable(value)) return value;
  const names = referencesIn(value).join('');
  if (names === '') return undefined;
  const scheme = /^(?:Bearer|Basic|Token) /i.exec(value)?.[0] ?? '';
  const rest = value.slice(scheme.length).replace(/\$?\{(?:env:)?[\w/]+\}/g, '');
  return scheme + (rest === '' ? '' : MASK) + names;
}

/** Masks a value, and adds it and its longer words to `found`. */
export function maskValue(value: string, found?: string[]): string {
  if (value === '' || namesVariable(value)) return value;
  found?.push(value, ...value.split(/[\s=;,"]+/).filter((word) => word.length >= 8));
  return MASK;
}

/** True for a part of a URL's path that looks random: a key in the URL itself. Four letters may be a UUID's. */
const isRandom = (part: string): boolean =>
  /^[\w.~%=-]{20,}$/.test(part) &&
  /\d/.test(part) &&
  /[A-Za-z]/.test(part) &&
  !/[-_.](?![a-f]{4}[-_.])[a-z]{3,}[-_.]/.test(part);

/**
 * Masks userinfo, query and random-looking path parts of every URL in a text, and tokens of known formats. For the
 * user's own files and a server's messages; in a stranger's text this would hide too much. `found` receives the masked
 * values.
 */
export function maskText(text: string, found?: string[]): string {
  return text
    .replace(
      /(?<![a-z0-9+.-])([0-9+.-]*[a-z][a-z0-9+.-]*:\/\/)([^\s/?#@]+(?:@[^\s/?#@"'`,<>]+)*)@/gi,
      (_, scheme: string, user: string) => {
        found?.push(user.slice(user.indexOf(':') + 1));
        return `${scheme}${MASK}@`;
      },
    )
    .replace(
      /([?&#])([^=?&#\s]+)=([^&#\s]+)/g,
      (_, mark: string, name: string, value: string) => `${mark}${name}=${maskValue(value, found)}`,
    )
    .replace(/\b(?:https?|wss?):\/\/[^\s'"]+/gi, (url) =>
      url
        .replace(/(?<=\/)[^/?#]+/g, (part) => (isRandom(part) ? maskValue(part, found) : part))
        .replace(
          /([?&#])([^=?&#]+)(?=[?&#]|$)/g,
          (_, mark: string, part: string) =>
            mark + (mark !== '#' || isRandom(part) ? maskValue(part, found) : part),
        ),
    )
    .replace(PRIVATE_KEY, (_, begin: string, body: string) => {
      found?.push(...body.split(/\s+|\\+[nr]/).filter((word) => word.length >= 16));
      return begin + MASK;
    })
    .replace(DATA_SOURCE, (_, before: string, password: string) => before + maskValue(password, found))
    .replace(WEB_TOKEN, (_, before: string, token: string) => before + maskValue(token, found))
    .replace(TOKEN, (token) => maskValue(token, found));
}

/** Flags whose value is a header, or a cookie; `-b` only with a pair. */
const HEADER_FLAG = /^(?:-H|--?(?:[\w-]*-)?headers?)$/i;
const COOKIE_FLAG = /^--?cookies?$/i;

/** Masks the value of a flag that takes a header or a cookie: any of these may be a secret. undefined: another flag. */
function maskHeader(flag: string, value: string, found?: string[]): string | undefined {
  const pair = (form: RegExp): string | undefined => {
    const [, name, rest = ''] = form.exec(value) ?? [];
    return name === undefined ? undefined : name + maskValue(rest, found);
  };
  if (flag === '-b') return pair(/^([\w.-]+=)(.+)$/s);
  if (COOKIE_FLAG.test(flag)) return maskValue(value, found);
  if (!HEADER_FLAG.test(flag)) return undefined;
  if (value.startsWith('{'))
    return value.replace(
      /(:\s*")((?:[^"\\]|\\.)*)/g,
      (_, before: string, text: string) => before + maskValue(text, found),
    );
  return pair(/^([\w.-]+:\s*)(.+)$/s) ?? maskValue(value, found);
}

/** Masks what follows the name of an authentication scheme. */
const maskSchemes = (text: string, found?: string[]): string =>
  text.replace(
    /\b(Bearer\s+|(?:Basic|Token|Digest|ApiKey)\s+(?=\S*\d|\S{16}))([^\s"',;]+)/gi,
    (_, scheme: string, token: string) => scheme + maskValue(token, found),
  );

/**
 * Masks, in arguments from the user's own files, headers, cookies and the values of key- and token-like flags, and
 * applies `maskText` to the rest.
 */
export function maskArgs(args: readonly string[], found?: string[]): string[] {
  return args.map((arg, i) => {
    const flag = args[i - 1] ?? '';
    if (/^--?[\w.-]+$/.test(flag) && isSecretName(flag) && !/^--[a-z]/i.test(arg))
      return maskValue(arg, found);
    const whole = maskHeader(flag, arg, found);
    if (whole !== undefined) return whole;
    const [, own = '', joined = ''] = /^(-H(?=[\w.-]+:)|--?[\w-]+=)(.+)$/s.exec(arg) ?? [];
    const header = maskHeader(own.replace(/=$/, ''), joined, found);
    if (header !== undefined) return own + header;
    const [, name = '', separator = '', value = ''] =
      /^((?:--?[\w-]+=(?=[\w.-]+=))?[\w.-]+)([=:]\s*)(.+)$/s.exec(arg) ?? [];
    // `sh -c 'TOKEN=x evil'`: the rest is code.
    const isCode = /^(?:-[a-z]*c|\/c|--?(?:command|eval))$/i.test(flag) && /[\s;|&`()<>]/.test(value);
    if (!isCode && isSecretName(name.replace(/^.*=/, ''))) return name + separator + maskValue(value, found);
    return maskText(maskPairs(maskQuoted(maskSchemes(arg, found), found), found), found);
  });
}

/**
 * Masks pairs whose value stands between quotes, or between braces as in ODBC, with all that is between them:
 * `password='a b'`.
 */
function maskQuoted(text: string, found?: string[]): string {
  const pair = /(?<![\w.-])([\w.-]+)(?:(?:\\?["'])?\s*[=:]\s*(\\?["'])|=(\{)(?!["'{]))/g;
  const isSecret = secretNames(text);
  let masked = '';
  let from = 0;
  for (let match = pair.exec(text); match; match = pair.exec(text)) {
    const [whole, name = '', quote] = match;
    const start = match.index + whole.length;
    if (!STRONG_NAME.test(name) || !isSecret(name, text.slice(start, start + 4))) continue;
    const close = text.indexOf(quote ?? '}', start);
    const end = close < 0 ? text.length : close;
    const value = text.slice(start, end);
    masked += text.slice(from, start) + (REFERENCE.test(value) ? value : maskValue(value, found));
    from = end;
    pair.lastIndex = end;
  }
  return masked + text.slice(from);
}

/**
 * Masks pairs such as `NAME=value` and `"name": "value"` in a longer text, e.g. a connection string or a header in a
 * flag.
 */
function maskPairs(text: string, found?: string[]): string {
  const isSecret = secretNames(text);
  return text.replace(
    /(?<![\w.?&#-])([\w.-]+)("?\s*[=:]\s*"?(?:(?:Bearer|Basic|Token)\s+)?)([^\s;|&`<>()"',{}]+)/gi,
    (_, name: string, between: string, value: string) => {
      const secret = isSecret(name, value) && !/^(?:\/\/|\$)/.test(value);
      return `${name}${between}${secret ? maskValue(value, found) : maskInner(value, isSecret, found)}`;
    },
  );
}

/** Masks the same in a value, which has no blanks or quotes: `a=b=key=value`. */
function maskInner(text: string, isSecret: ReturnType<typeof secretNames>, found?: string[]): string {
  for (const pair of text.matchAll(/(?<![\w.?&#-])([\w.-]+)[=:]/g)) {
    const start = pair.index + pair[0].length;
    const value = text.slice(start, start + 2);
    if (isSecret(pair[1] ?? '', value) && !/^(?:\/\/|\$)/.test(value))
      return text.slice(0, start) + maskValue(text.slice(start), found);
  }
  return text;
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
