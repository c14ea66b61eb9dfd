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
  SECRET_NAME_CAMEL.test(name) || SECRET_NAME.test(name.replace(/^-+/, ''));

const maskValue = (value: string): string => (value === '' || VARIABLE.test(value) ? value : MASK);

/** Userinfo and query values of every URL in a text, and what looks like an issued token. */
export function maskText(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)([^\s/?#@]+)@/gi, (_, scheme: string) => `${scheme}${MASK}@`)
    .replace(/([?&][^=&#\s]+=)([^&#\s]+)/g, (_, name: string, value: string) => `${name}${maskValue(value)}`)
    .replace(TOKEN, MASK);
}

/** Arguments with the values of key- and token-like flags left out. */
export function maskArgs(args: readonly string[]): string[] {
  return args.map((arg, i) => {
    const flag = args[i - 1] ?? '';
    if (/^--?[\w.-]+$/.test(flag) && isSecretName(flag) && !/^--[a-z]/i.test(arg)) return maskValue(arg);
    const [, name, separator, value] = /^([\w.-]+)([=:]\s*)(.+)$/s.exec(arg) ?? [];
    if (name !== undefined && value !== undefined && isSecretName(name))
      return `${name}${separator}${maskValue(value)}`;
    return maskText(arg);
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

/** Texts that must not appear in any message about this server, longest first. */
export function secretsOf(values: Iterable<string>): string[] {
  const parts = [...values]
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter((value) => value.length >= 4);
  return [...new Set(parts)].sort((a, b) => b.length - a.length);
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
