import { visible } from '../../base/visible.ts';
import type { Definition, DefinitionSource, HttpDefinition, StdioDefinition } from '../types.ts';
import { canonicalUrl } from '../url.ts';
import { withoutProjectTokens, withoutUrlTokens } from './project-mask.ts';
import { isSecretName, MASK, maskArgs, maskAroundVariables, maskText } from './secrets.ts';

/**
 * Returns how a server is run or reached, on one line, quoted as for a shell, with secrets masked and invisible
 * characters written out. In a project's file, which may come from a stranger, only values that are wholly a token are
 * masked, so that nothing is hidden that a shell or another program could read as code.
 */
export function showDefinition(definition: Definition, source?: Pick<DefinitionSource, 'scope'>): string {
  const words = source?.scope === 'project' ? STRANGERS : OWN;
  const line = definition.transport === 'stdio' ? words.command(definition) : words.address(definition);
  return visible(line).replaceAll('\n', '<U+000A>').replaceAll('\t', '<U+0009>');
}

/** Returns the host of the server's URL, to which tool calls go; undefined for a process on this machine. */
export function destination(definition: Definition): string | undefined {
  if (definition.transport === 'stdio') return undefined;
  const url = canonicalUrl(definition.url);
  return url !== undefined && URL.canParse(url) ? new URL(url).host : maskText(definition.url);
}

/** Shows definitions in the user's own files: any value of a variable or header may be a secret. */
const OWN = {
  command: ({ command, args, env, ...more }: StdioDefinition): string => {
    const variables = Object.entries(env).map(([name, value]) => {
      const shown = maskAroundVariables(value);
      return shown === undefined ? `${assigned(name, '')}${MASK}` : assigned(name, shown);
    });
    return commandLine(variables, [maskText(command), ...maskArgs(args)], more);
  },
  address: ({ url, headers, ...named }: HttpDefinition): string => {
    const shown = Object.entries(headers).map(([name, value]) => {
      const variables = maskAroundVariables(value);
      return variables === undefined ? quotedHeader(name) : header(name, variables);
    });
    return addressLine(maskText(canonicalUrl(url) ?? url), shown, named);
  },
};

const STRANGERS = {
  command: ({ command, args, env, ...more }: StdioDefinition): string => {
    const shown = withoutProjectTokens({ command, args, env });
    const variables = Object.entries(shown.env).map(([name, value]) =>
      value === MASK ? `${assigned(name, '')}${MASK}` : assigned(name, value),
    );
    return commandLine(variables, [command, ...shown.args], more);
  },
  address: ({ url, headers, ...named }: HttpDefinition): string => {
    const shown = Object.entries(headers).map(([name, value]) => {
      const [, scheme = '', token = ''] = /^((?:Bearer|Basic|Token) )?(.*)$/is.exec(value) ?? [];
      return header(name, isSecretName(name) && isToken(token) ? `${scheme}${MASK}` : value);
    });
    return addressLine(withoutQueryTokens(canonicalUrl(url) ?? url), shown, named);
  },
};

/** Characters of a token. `NAMES_A_FILE`: values that name a file or a flag instead. */
const TOKEN = /^[A-Za-z0-9._~+/=-]+$/;
const NAMES_A_FILE = /^[./~-]|^(?=.{0,31}$).*\/|\.[A-Za-z]\w{0,4}$/;
const isToken = (value: string): boolean => TOKEN.test(value) && !NAMES_A_FILE.test(value);

/** Flags whose operand is code for an interpreter. */
const TAKES_CODE = /^(?:-{1,2}[\w-]*[cepr]|--?(?:eval|exec|print|command|script)|\/c)$/i;
/**
 * Returns arguments from the user's own files, with those masked that are wholly a token: after a key-like flag, in
 * `NAME=value` or `Name: Bearer value`, in the query of a URL. An approval's hash covers the result, so code stays.
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
 * Masks tokens in a URL's query, and a password that is a token. Any other text stays unchanged, also a URL with
 * characters that are written out for the screen: their written form could be read as code.
 */
export function withoutQueryTokens(text: string): string {
  const bare = text.replace(/\$\{\w+\}/g, 'x');
  const odd = /[\0-\x20\x7f\\'"`;|<>(){}$]/.test(bare) || visible(bare) !== bare || /^[^?#]*&/.test(text);
  return odd || !URL.canParse(bare) ? text : withoutUrlTokens(text, isToken);
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./*-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * Returns an assignment as one word. A name that isn't a shell variable is quoted with its value, since it could be
 * read as several words.
 */
const assigned = (name: string, value: string): string =>
  /^\w+$/.test(name) ? `${name}=${value === '' ? '' : quoted(value)}` : quoted(`${name}=${value}`);

const quotedHeader = (name: string): string => (/^[\w!#$%&*+.^`|~-]+$/.test(name) ? name : quoted(name));
const header = (name: string, value: string): string =>
  `${quotedHeader(name)}: ${/^[\w ./*+=:@${}~-]+$/.test(value) ? value : quoted(value)}`;

function commandLine(
  variables: readonly string[],
  words: readonly string[],
  { cwd, envFile, passEnv = [] }: Pick<StdioDefinition, 'cwd' | 'envFile' | 'passEnv'>,
): string {
  const [program = '', ...args] = words;
  const place = cwd === undefined ? '' : ` (in ${quoted(cwd)})`;
  const file = envFile === undefined ? '' : ` (variables: ${quoted(envFile)})`;
  // Quotes a program with `=` in its name, which would look like another variable.
  const first = program.includes('=') ? `'${program.replaceAll("'", `'\\''`)}'` : quoted(program);
  const all = [
    ...variables,
    ...passEnv.map((name) => (/^\w+$/.test(name) ? `${name}=$${name}` : quoted(`${name}=$${name}`))),
    first,
    ...args.map(quoted),
  ];
  return all.join(' ') + place + file;
}

function addressLine(
  url: string,
  headers: readonly string[],
  { envHeaders = {}, bearerEnv }: Pick<HttpDefinition, 'envHeaders' | 'bearerEnv'>,
): string {
  const all = [
    ...headers,
    ...Object.entries(envHeaders).map(([name, variable]) => header(name, `$${variable}`)),
    ...(bearerEnv ? [header('Authorization', `Bearer $${bearerEnv}`)] : []),
  ];
  return url + (all.length > 0 ? ` (headers: ${all.join(', ')})` : '');
}
