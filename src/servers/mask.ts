import { visible } from '../base/visible.ts';
import { withoutProjectTokens } from './project-mask.ts';
import { isSecretName, isVariable, MASK, maskArgs, maskText } from './secrets.ts';
import type { Definition, DefinitionSource } from './types.ts';
import { canonicalUrl } from './url.ts';

type Stdio = Extract<Definition, { transport: 'stdio' }>;
type Remote = Exclude<Definition, Stdio>;

/**
 * How a server is run or reached, on one line, quoted as for a shell, secrets masked, invisible characters written out.
 * What a stranger may have written (a project's file) is shown but for values that are wholly a token: nothing that a
 * shell or another program could read as code is hidden.
 */
export function showDefinition(definition: Definition, source?: Pick<DefinitionSource, 'scope'>): string {
  const words = source?.scope === 'project' ? STRANGERS : OWN;
  const line = definition.transport === 'stdio' ? words.command(definition) : words.address(definition);
  return visible(line).replaceAll('\n', '<U+000A>').replaceAll('\t', '<U+0009>');
}

/** Where calls of the server's tools go: the host of its URL, undefined for a process on this machine. */
export function destination(definition: Definition): string | undefined {
  if (definition.transport === 'stdio') return undefined;
  const url = canonicalUrl(definition.url);
  return url !== undefined && URL.canParse(url) ? new URL(url).host : maskText(definition.url);
}

/** Of the user's own files every value of a variable or header may be a secret. */
const OWN = {
  command: ({ command, args, cwd, env, passEnv = [] }: Stdio): string => {
    const variables = Object.entries(env).map(([name, value]) =>
      isVariable(value) ? assigned(name, value) : `${assigned(name, '')}${MASK}`,
    );
    return commandLine(variables, passEnv, [maskText(command), ...maskArgs(args)], cwd);
  },
  address: ({ url, headers, ...named }: Remote): string => {
    const shown = Object.entries(headers).map(([name, value]) =>
      isVariable(value) ? header(name, value) : quotedHeader(name),
    );
    return addressLine(maskText(canonicalUrl(url) ?? url), shown, named);
  },
};

const STRANGERS = {
  command: ({ command, args, cwd, env, passEnv = [] }: Stdio): string => {
    const shown = withoutProjectTokens({ command, args, env });
    const variables = Object.entries(shown.env).map(([name, value]) =>
      value === MASK ? `${assigned(name, '')}${MASK}` : assigned(name, value),
    );
    return commandLine(variables, passEnv, [command, ...shown.args], cwd);
  },
  address: ({ url, headers, ...named }: Remote): string => {
    const shown = Object.entries(headers).map(([name, value]) => {
      const [, scheme = '', token = ''] = /^((?:Bearer|Basic|Token) )?(.*)$/is.exec(value) ?? [];
      return header(name, isSecretName(name) && isToken(token) ? `${scheme}${MASK}` : value);
    });
    return addressLine(withoutQueryTokens(canonicalUrl(url) ?? url), shown, named);
  },
};

/** What nothing but a token looks like, and what names a file or a flag. */
const TOKEN = /^[A-Za-z0-9._~+/=-]+$/;
const NAMES_A_FILE = /^[./~-]|^(?=.{0,31}$).*\/|\.[A-Za-z]\w{0,4}$/;
const isToken = (value: string): boolean => TOKEN.test(value) && !NAMES_A_FILE.test(value);

/** The operand of these is code for some interpreter. */
const TAKES_CODE = /^(?:-{1,2}[\w-]*[cepr]|--?(?:eval|exec|print|command|script)|\/c)$/i;
/**
 * Arguments of the user's own files without what is wholly a token: behind a key-like flag, in `NAME=value` or
 * `Name: Bearer value`, in the query of a URL. For what an approval covers, so code stays.
 */
export function withoutTokens(args: readonly string[]): string[] {
  return args.map((arg, i) => {
    const flag = args[i - 1] ?? '';
    // `docker run -e NAME=value`
    if (TAKES_CODE.test(flag) && !/^[A-Z][A-Z0-9_]*=/.test(arg)) return arg;
    if (/^--?[\w.-]+$/.test(flag) && isSecretName(flag) && isToken(arg)) return MASK;
    const [, name = '', between = '', value = ''] =
      /^([\w.-]+)(=|:\s+(?:(?:Bearer|Basic|Token)\s+)?)(.+)$/is.exec(arg) ?? [];
    if (isSecretName(name) && isToken(value)) return name + between + MASK;
    return arg.includes('$') ? arg : withoutQueryTokens(arg);
  });
}

/**
 * A URL without tokens in its query and without a password that is one; any other text as it is, and so one with
 * characters that are written out for the screen: what these are written as could be read as code.
 */
export function withoutQueryTokens(text: string): string {
  const [, address = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(text) ?? [];
  const bare = text.replace(/\$\{\w+\}/g, 'x');
  const odd = /[\0-\x20\x7f\\'"`;|<>(){}$]/.test(bare) || visible(bare) !== bare || address.includes('&');
  if (odd || !URL.canParse(bare)) return text;
  const shown = address.replace(/(\/\/[^/@:]*:)([^/@]+)(?=@)/, (whole, before: string, password: string) =>
    isToken(password) ? before + MASK : whole,
  );
  const values = query.replace(
    /([?&])([^=&]+)=([^&]+)/g,
    (pair, mark: string, name: string, value: string) =>
      isSecretName(name) && isToken(value) ? `${mark}${name}=${MASK}` : pair,
  );
  return shown + values + text.slice(address.length + query.length);
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./*-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** A name that no shell has for a variable could be read as more than one word. */
const assigned = (name: string, value: string): string =>
  /^\w+$/.test(name) ? `${name}=${value === '' ? '' : quoted(value)}` : quoted(`${name}=${value}`);

const quotedHeader = (name: string): string => (/^[\w!#$%&*+.^`|~-]+$/.test(name) ? name : quoted(name));
const header = (name: string, value: string): string =>
  `${quotedHeader(name)}: ${/^[\w ./*+=:@${}~-]+$/.test(value) ? value : quoted(value)}`;

function commandLine(
  variables: readonly string[],
  passed: readonly string[],
  words: readonly string[],
  cwd: string | undefined,
): string {
  const [program = '', ...args] = words;
  const place = cwd === undefined ? '' : ` (in ${quoted(cwd)})`;
  // A program with a `=` in its name is not one more variable.
  const first = program.includes('=') ? `'${program.replaceAll("'", `'\\''`)}'` : quoted(program);
  const all = [
    ...variables,
    ...passed.map((name) => (/^\w+$/.test(name) ? `${name}=$${name}` : quoted(`${name}=$${name}`))),
    first,
    ...args.map(quoted),
  ];
  return `${all.join(' ')}${place}`;
}

function addressLine(
  url: string,
  headers: readonly string[],
  { envHeaders = {}, bearerEnv }: Pick<Remote, 'envHeaders' | 'bearerEnv'>,
): string {
  const all = [
    ...headers,
    ...Object.entries(envHeaders).map(([name, variable]) => header(name, `$${variable}`)),
    ...(bearerEnv ? [header('Authorization', `Bearer $${bearerEnv}`)] : []),
  ];
  return url + (all.length > 0 ? ` (headers: ${all.join(', ')})` : '');
}
