import { canonicalHash } from '../declarations/canonical.ts';
import { visible } from '../declarations/visible.ts';
import type { Definition } from './types.ts';

export const MASK = '***';

/** A flag, header or variable whose value is a secret: `--api-key`, `ACCESS_TOKEN`, `authToken`, `X-Api-Key`. */
const SECRET_NAME =
  /(?:token|secret|password|passwd|apikey)$|(?:^|[-_.])(?:pwd|pass|passphrase|key|auth|authorization|bearer|credentials?|creds|cookie|pat)$/i;
const SECRET_NAME_CAMEL = /[a-z](?:Key|Auth|Credentials?)$/;

/** Shapes that issuers give their tokens. */
const TOKEN =
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{16,}|\bxox[abeprs]-[\w-]{8,}|\bAKIA[A-Z0-9]{12,}|\bAIza[\w-]{20,}|\beyJ[\w-]{8,}\.[\w-]*\.?[\w-]*/g;

/** Nothing but variables without a default, and the word that names a scheme: what they hold isn't here. */
const VARIABLE = /^(?:[A-Za-z]+\s+)?(?:\$(?:\{\w+\}|\w+)[-._:]?)+$/;

const isSecretName = (name: string): boolean =>
  !/^(?:OLD)?PWD$/.test(name) && (SECRET_NAME_CAMEL.test(name) || SECRET_NAME.test(name.replace(/^-+/, '')));

/** Masks a value, and notes it in `found`. */
function maskValue(value: string, found?: string[]): string {
  if (value === '' || VARIABLE.test(value)) return value;
  found?.push(value);
  return MASK;
}

/** A part of a URL's path that nobody chose as a name: a key that stands in the address itself. */
const isRandom = (part: string): boolean =>
  /^[\w.~%=-]{20,}$/.test(part) &&
  /\d/.test(part) &&
  /[A-Za-z]/.test(part) &&
  !/[-_.][a-z]{3,}[-_.]/.test(part);

interface Masking {
  /** Takes what was masked. */
  found?: string[];
  /** A stranger wrote it: leave out only what is named as a secret, so that nothing else hides behind a mask. */
  strict?: boolean;
}

/** Userinfo, query and random-looking path parts of every URL in a text, and what looks like an issued token. */
export function maskText(text: string, { found, strict = false }: Masking = {}): string {
  const named = text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)([^\s/?#@]+)@/gi, (_, scheme: string, user: string) => {
      found?.push(...user.split(':').slice(-1));
      return `${scheme}${MASK}@`;
    })
    .replace(/([?&#])([^=&#\s]+)=([^&#\s]+)/g, (pair, mark: string, name: string, value: string) =>
      strict && !isSecretName(name) ? pair : `${mark}${name}=${maskValue(value, found)}`,
    );
  if (strict) return named;
  return named
    .replace(/\b(?:https?|wss?):\/\/[^\s'"]+/gi, (url) =>
      url.replace(/(?<=\/)[^/?#]+/g, (part) => (isRandom(part) ? maskValue(part, found) : part)),
    )
    .replace(TOKEN, (token) => maskValue(token, found));
}

/** What ends a word for a shell: behind it may stand code, which must not hide in a masked value. */
const WORD = /^(?:(?:Bearer|Basic|Token)\s+)?[^\s;|&`<>()]+/i;
/** The operand of these is code for some interpreter. */
const TAKES_CODE = /^(?:-{1,2}[\w-]*[cepr]|--?(?:eval|exec|print|command|script)|\/c)$/i;

/**
 * Arguments with the values of key- and token-like flags left out; when strict, single words of them: what follows
 * may be code that is to be approved.
 */
export function maskArgs(args: readonly string[], masking: Masking = {}): string[] {
  const { found, strict = false } = masking;
  const hide = (value: string): string => {
    const word = strict ? (WORD.exec(value)?.[0] ?? '') : value;
    return maskValue(word, found) + value.slice(word.length);
  };
  return args.map((arg, i) => {
    const flag = args[i - 1] ?? '';
    if (/^--?[\w.-]+$/.test(flag) && isSecretName(flag) && !/^--[a-z]/i.test(arg)) return hide(arg);
    const [, name, separator, value] = /^([\w.-]+)([=:]\s*)(.+)$/s.exec(arg) ?? [];
    const code = strict && TAKES_CODE.test(flag) && !/^[A-Z][A-Z0-9_]*$/.test(name ?? '');
    if (name !== undefined && value !== undefined && isSecretName(name) && !code)
      return `${name}${separator}${hide(value)}`;
    return maskText(code ? arg : maskPairs(arg, found), masking);
  });
}

/** `NAME=value`, `"name": "value"` and the like within a longer text, e.g. a connection string or a header in a flag. */
function maskPairs(text: string, found?: string[]): string {
  return text.replace(
    /(?<![\w.?&#-])([\w.-]+)("?\s*[=:]\s*"?(?:(?:Bearer|Basic|Token)\s+)?)([^\s;|&`<>()"',{}]+)/gi,
    (_, name: string, between: string, value: string) => {
      const secret = isSecretName(name) && !/^(?:\/\/|\$)/.test(value);
      return `${name}${between}${secret ? maskValue(value, found) : maskPairs(value, found)}`;
    },
  );
}

/** Values of these can make other code run, so they belong to what is approved although variables' values don't. */
const RUNS_CODE =
  /^(?:NODE_\w+|PATH|HOME|SHELL\w*|BASH\w*|ENV|IFS|PS4|ZDOTDIR|XDG_\w+|PYTHON\w*|RUBY\w*|GEM_\w+|BUNDLE_\w+|PERL\w*|JAVA_\w+|_JAVA_OPTIONS|JDK_\w+|CLASSPATH|DOTNET_\w+|DENO_\w+|BUN_\w+|GO\w*|CARGO_\w+|RUSTC?_\w+|PHP_?\w*|LD_\w+|DYLD_\w+|GIT_\w+|SSH_\w+|npm_\w+|UV_\w+|PIP_\w+|EDITOR|VISUAL|PAGER|BROWSER|\w+_PROXY|SSL_\w+)$/i;
const runsCode = (name: string): boolean => RUNS_CODE.test(name) && !isSecretName(name);

/** What an approval covers (contract, "Trust"), as sha256: `${VAR}` unexpanded, secret values left out. */
export function definitionHash(definition: Definition): string {
  if (definition.transport !== 'stdio') {
    const { transport, url, headers, envHeaders = {}, bearerEnv, heldBy } = definition;
    const names = Object.keys(headers)
      .map((name) => name.toLowerCase())
      .sort();
    return canonicalHash({
      transport,
      url: maskText(url, { strict: true }),
      headers: names,
      envHeaders,
      bearerEnv,
      heldBy,
    });
  }
  const { transport, command, args, cwd, env, passEnv = [] } = definition;
  const variables = Object.keys(env).sort();
  const code = Object.fromEntries(
    variables.filter(runsCode).map((name) => [name, maskText(env[name] ?? '', { strict: true })]),
  );
  return canonicalHash({
    transport,
    command,
    args: maskArgs(args, { strict: true }),
    cwd,
    variables,
    code,
    passEnv: [...passEnv].sort(),
  });
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./*-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * How the server is run or reached, on one line, quoted as for a shell, secrets masked, invisible characters written
 * out. `strict`: it comes from a stranger, so that no code may hide behind a mask.
 */
export function showDefinition(definition: Definition, { strict = false } = {}): string {
  const line =
    definition.transport === 'stdio' ? showCommand(definition, strict) : showUrl(definition, strict);
  return visible(line).replaceAll('\n', '<U+000A>').replaceAll('\t', '<U+0009>');
}

function showCommand(
  { command, args, cwd, env, passEnv = [] }: Definition & { transport: 'stdio' },
  strict: boolean,
): string {
  const variables = Object.entries(env).map(([name, value]) =>
    runsCode(name) ? `${name}=${quoted(maskText(value, { strict }))}` : `${name}=${MASK}`,
  );
  const words = [...variables, ...passEnv.map((name) => `${name}=$${name}`)];
  const place = cwd === undefined ? '' : ` (in ${quoted(cwd)})`;
  return `${[...words, quoted(maskText(command, { strict })), ...maskArgs(args, { strict }).map(quoted)].join(' ')}${place}`;
}

function showUrl(definition: Exclude<Definition, { transport: 'stdio' }>, strict: boolean): string {
  const { url, headers, envHeaders = {}, bearerEnv } = definition;
  const names = [
    ...Object.keys(headers),
    ...Object.entries(envHeaders).map(([name, variable]) => `${name}: $${variable}`),
    ...(bearerEnv ? [`Authorization: Bearer $${bearerEnv}`] : []),
  ];
  return maskText(url, { strict }) + (names.length > 0 ? ` (headers: ${names.join(', ')})` : '');
}

/** Where calls of the server's tools go: the host of its URL, undefined for a process on this machine. */
export function destination(definition: Definition): string | undefined {
  if (definition.transport === 'stdio') return undefined;
  const { url } = definition;
  return URL.canParse(url) ? new URL(url).host : maskText(url);
}

/** Where a definition from the command line holds a secret itself instead of naming a variable: header names and flags. */
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
      !VARIABLE.test(value.trim()) &&
      (isSecretName(name) || maskText(value) !== value || value.split(/[\s,;]+/).some(isRandom)),
  );
  return [...inUrl, ...inHeaders.map(([name]) => name)];
}

/** Every secret that stands in a started command or a URL. */
export function secretsIn(
  launched: { args: readonly string[] } | { url: string; headers: Record<string, string> },
): string[] {
  const found: string[] = [];
  if ('args' in launched) maskArgs(launched.args, { found });
  else {
    maskText(launched.url, { found });
    for (const value of Object.values(launched.headers))
      found.push(value, value.replace(/^(?:Bearer|Basic|Token)\s+/i, ''));
  }
  return found;
}

/** Texts to keep out of messages, longest first; very short ones would only garble them. */
export function longestFirst(secrets: readonly string[]): string[] {
  return [...new Set(secrets)].filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
}

/** A server's own words without the secrets that it was given. */
export function redact(text: string, secrets: readonly string[]): string {
  return maskText(secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text));
}

/** Values of a server's environment that may be secrets: those its definition sets, and those whose name says so. */
export function secretValues(
  env: Readonly<Record<string, string | undefined>>,
  named: Iterable<string>,
): string[] {
  const names = new Set(named);
  return Object.entries(env).flatMap(([name, value]) =>
    value && (names.has(name) || isSecretName(name)) ? [value] : [],
  );
}
