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

/** Nothing but a variable without a default: what it holds isn't here. */
const VARIABLE = /^(?:Bearer\s+)?\$(?:\{\w+\}|\w+)$/;

const isSecretName = (name: string): boolean =>
  !/^(?:OLD)?PWD$/.test(name) && (SECRET_NAME_CAMEL.test(name) || SECRET_NAME.test(name.replace(/^-+/, '')));

/** Masks a value, and notes it in `found`. */
function maskValue(value: string, found?: string[]): string {
  if (value === '' || VARIABLE.test(value)) return value;
  found?.push(value);
  return MASK;
}

/** Userinfo and query values of every URL in a text, and what looks like an issued token. */
export function maskText(text: string, found?: string[]): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)([^\s/?#@]+)@/gi, (_, scheme: string, user: string) => {
      found?.push(...user.split(':').slice(-1));
      return `${scheme}${MASK}@`;
    })
    .replace(
      /([?&][^=&#\s]+=)([^&#\s]+)/g,
      (_, name: string, value: string) => `${name}${maskValue(value, found)}`,
    )
    .replace(TOKEN, (token) => maskValue(token, found));
}

/** Arguments with the values of key- and token-like flags left out, and noted in `found`. */
export function maskArgs(args: readonly string[], found?: string[]): string[] {
  return args.map((arg, i) => {
    const flag = args[i - 1] ?? '';
    if (/^--?[\w.-]+$/.test(flag) && isSecretName(flag) && !/^--[a-z]/i.test(arg))
      return maskValue(arg, found);
    const [, name, separator, value] = /^([\w.-]+)([=:]\s*)(.+)$/s.exec(arg) ?? [];
    if (name !== undefined && value !== undefined && isSecretName(name))
      return `${name}${separator}${maskValue(value, found)}`;
    return maskText(arg, found);
  });
}

/** Values of these can make other code run, so they belong to what is approved although variables' values don't. */
const RUNS_CODE =
  /^(?:NODE_OPTIONS|NODE_PATH|PATH|PYTHON\w*|RUBY(?:OPT|LIB)|PERL5?\w*|JAVA_TOOL_OPTIONS|BASH_ENV|ENV|LD_\w+|DYLD_\w+|GIT_\w+|npm_config_\w+|UV_\w+|PIP_\w+)$/i;

/** What an approval covers (contract, "Trust"), as sha256: `${VAR}` unexpanded, secret values left out. */
export function definitionHash(definition: Definition): string {
  if (definition.transport !== 'stdio') {
    const { transport, url, headers, envHeaders = {}, bearerEnv, heldBy } = definition;
    const names = Object.keys(headers)
      .map((name) => name.toLowerCase())
      .sort();
    return canonicalHash({ transport, url: maskText(url), headers: names, envHeaders, bearerEnv, heldBy });
  }
  const { transport, command, args, cwd, env, passEnv = [] } = definition;
  const variables = Object.keys(env).sort();
  const code = Object.fromEntries(
    variables.filter((name) => RUNS_CODE.test(name)).map((name) => [name, env[name]]),
  );
  return canonicalHash({
    transport,
    command,
    args: maskArgs(args),
    cwd,
    variables,
    code,
    passEnv: [...passEnv].sort(),
  });
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./*-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** How the server is run or reached, on one line, quoted as for a shell, secrets masked, invisible characters written out. */
export function showDefinition(definition: Definition): string {
  const line = definition.transport === 'stdio' ? showCommand(definition) : showUrl(definition);
  return visible(line).replaceAll('\n', '<U+000A>').replaceAll('\t', '<U+0009>');
}

function showCommand({ command, args, cwd, env, passEnv = [] }: Definition & { transport: 'stdio' }): string {
  const variables = Object.entries(env).map(([name, value]) =>
    RUNS_CODE.test(name) ? `${name}=${quoted(maskText(value))}` : `${name}=${MASK}`,
  );
  const words = [...variables, ...passEnv.map((name) => `${name}=$${name}`)];
  const place = cwd === undefined ? '' : ` (in ${quoted(cwd)})`;
  return `${[...words, quoted(maskText(command)), ...maskArgs(args).map(quoted)].join(' ')}${place}`;
}

function showUrl(definition: Exclude<Definition, { transport: 'stdio' }>): string {
  const { url, headers, envHeaders = {}, bearerEnv } = definition;
  const names = [
    ...Object.keys(headers),
    ...Object.entries(envHeaders).map(([name, variable]) => `${name}: $${variable}`),
    ...(bearerEnv ? [`Authorization: Bearer $${bearerEnv}`] : []),
  ];
  return maskText(url) + (names.length > 0 ? ` (headers: ${names.join(', ')})` : '');
}

/** Where a definition from the command line holds a secret itself instead of naming a variable: header names and flags. */
export function literalSecrets(definition: Definition): string[] {
  if (definition.transport === 'stdio') {
    return definition.args.flatMap((arg, i) => {
      const masked = maskArgs(definition.args)[i];
      return masked === arg
        ? []
        : [(definition.args[i - 1] ?? '').startsWith('-') ? (definition.args[i - 1] ?? '') : (masked ?? '')];
    });
  }
  const inUrl = maskText(definition.url) === definition.url ? [] : ['URL'];
  const inHeaders = Object.entries(definition.headers).filter(
    ([name, value]) => (isSecretName(name) && !VARIABLE.test(value.trim())) || maskText(value) !== value,
  );
  return [...inUrl, ...inHeaders.map(([name]) => name)];
}

/** Every secret that stands in a started command or a URL. */
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
