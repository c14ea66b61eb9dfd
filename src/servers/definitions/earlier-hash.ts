import type { McpDialect } from '../../clients/mcp-config.ts';
import { canonicalHash } from '../../declarations/canonical-json.ts';
import type { Definition, DefinitionSource } from '../types.ts';
import { definitionHash } from './definition-hash.ts';

/*
 * The first hash of early builds for definitions in the user's own files: a record with this hash was approved for the
 * same definition, so no new approval is needed. Frozen: nothing else may use the code in this file.
 */

const MASK = '***';
const SECRET_NAME =
  /(?:token|secret|password|passwd|apikey)$|(?:^|[-_.])(?:pwd|pass|passphrase|key|auth|authorization|bearer|credentials?|creds|cookie|pat)$/i;
const SECRET_NAME_CAMEL = /[a-z](?:Key|Auth|Credentials?)$/;

const VARIABLE = /^(?:[A-Za-z]+\s+)?(?:\$(?:\{\w+\}|\w+)[-._:]?)+$/;

const isSecretName = (name: string): boolean =>
  !/^(?:OLD)?PWD$/.test(name) && (SECRET_NAME_CAMEL.test(name) || SECRET_NAME.test(name.replace(/^-+/, '')));

const maskValue = (value: string): string => (value === '' || VARIABLE.test(value) ? value : MASK);

function maskText(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)([^\s/?#@]+)@/gi, (_, scheme: string) => `${scheme}${MASK}@`)
    .replace(/([?&#])([^=&#\s]+)=([^&#\s]+)/g, (pair, mark: string, name: string, value: string) =>
      isSecretName(name) ? `${mark}${name}=${maskValue(value)}` : pair,
    );
}

const WORD = /^(?:(?:Bearer|Basic|Token)\s+)?[^\s;|&`<>()]+/i;
const TAKES_CODE = /^(?:-{1,2}[\w-]*[cepr]|--?(?:eval|exec|print|command|script)|\/c)$/i;

function maskArgs(args: readonly string[]): string[] {
  const hide = (value: string): string => {
    const word = WORD.exec(value)?.[0] ?? '';
    return maskValue(word) + value.slice(word.length);
  };
  return args.map((arg, i) => {
    const flag = args[i - 1] ?? '';
    if (/^--?[\w.-]+$/.test(flag) && isSecretName(flag) && !/^--[a-z]/i.test(arg)) return hide(arg);
    const [, name, separator, value] = /^([\w.-]+)([=:]\s*)(.+)$/s.exec(arg) ?? [];
    const code = TAKES_CODE.test(flag) && !/^[A-Z][A-Z0-9_]*$/.test(name ?? '');
    if (name !== undefined && value !== undefined && isSecretName(name) && !code)
      return `${name}${separator}${hide(value)}`;
    return maskText(code ? arg : maskPairs(arg));
  });
}

function maskPairs(text: string): string {
  return text.replace(
    /(?<![\w.?&#-])([\w.-]+)("?\s*[=:]\s*"?(?:(?:Bearer|Basic|Token)\s+)?)([^\s;|&`<>()"',{}]+)/gi,
    (_, name: string, between: string, value: string) => {
      const secret = isSecretName(name) && !/^(?:\/\/|\$)/.test(value);
      return `${name}${between}${secret ? maskValue(value) : maskPairs(value)}`;
    },
  );
}

const RUNS_CODE =
  /^(?:NODE_\w+|PATH|HOME|SHELL\w*|BASH\w*|ENV|IFS|PS4|ZDOTDIR|XDG_\w+|PYTHON\w*|RUBY\w*|GEM_\w+|BUNDLE_\w+|PERL\w*|JAVA_\w+|_JAVA_OPTIONS|JDK_\w+|CLASSPATH|DOTNET_\w+|DENO_\w+|BUN_\w+|GO\w*|CARGO_\w+|RUSTC?_\w+|PHP_?\w*|LD_\w+|DYLD_\w+|GIT_\w+|SSH_\w+|npm_\w+|UV_\w+|PIP_\w+|EDITOR|VISUAL|PAGER|BROWSER|\w+_PROXY|SSL_\w+)$/i;
const runsCode = (name: string): boolean => RUNS_CODE.test(name) && !isSecretName(name);

/**
 * True when an approval's hash is a definition's hash: the current one or, for the user's own files, the earlier one.
 */
export function isOfDefinition(
  hash: string,
  definition: Definition,
  source: DefinitionSource,
  dialect: McpDialect,
): boolean {
  if (hash === definitionHash(definition, source, dialect)) return true;
  return source.scope !== 'project' && source.scope !== 'command-line' && hash === earlierHash(definition);
}

/** Returns the hash by which earlier versions recorded a definition. */
export function earlierHash(definition: Definition): string {
  if (definition.transport !== 'stdio') {
    const { transport, url, headers, envHeaders = {}, bearerEnv, heldBy } = definition;
    const names = Object.keys(headers)
      .map((name) => name.toLowerCase())
      .sort();
    return canonicalHash({
      transport,
      url: maskText(url),
      headers: names,
      envHeaders,
      bearerEnv,
      heldBy,
    });
  }
  const { transport, command, args, cwd, env, passEnv = [] } = definition;
  const variables = Object.keys(env).sort();
  const code = Object.fromEntries(
    variables.filter(runsCode).map((name) => [name, maskText(env[name] ?? '')]),
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
