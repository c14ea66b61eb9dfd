import { basename } from 'node:path';
import { visible } from '../base/visible.ts';
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
    const masked = leaveTokensOut(args, strangersTokens(command, args));
    const variables = Object.entries(env).map(([name, value]) =>
      isSecretName(name) && isToken(value) && !args.some(readsVariables)
        ? `${assigned(name, '')}${MASK}`
        : assigned(name, value),
    );
    return commandLine(variables, passEnv, [command, ...masked], cwd);
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
/** Code that could look up the value of a variable; `--token ${TOKEN}` is none. */
const readsVariables = (arg: string, at: number, args: readonly string[]): boolean =>
  /[$`(;|<>{[]|%\w+%/.test(arg) && !(/^\$\{\w+\}$/.test(arg) && isSecretName(args[at - 1] ?? ''));

interface Tokens {
  /** Whether the value of the flag before may be left out. */
  afterFlag: (flag: string, at: number) => boolean;
  /** Whether the operand of this is code; then nothing of it is left out. */
  takesCode: (flag: string, operand: string) => boolean;
  /** Whether `Name: Bearer <token>` counts. */
  headers: boolean;
}

/** Programs that run the first word that is no option of theirs, or take the value of one they don't know for it. */
const RUNNERS =
  /^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun|deno|node|tsx|uvx?|pipx|python[\d.]*|ruby|perl|php|(?:ba|da|z|k|fi|a)?sh|docker|podman|env|xargs|sudo|nohup|timeout|go|cargo|nix|java|dotnet|cmd|powershell|pwsh)(?:\.exe|\.cmd)?$/i;
/** Words and switches of theirs before that word. */
const BEFORE = /^(?:run|exec|x|dlx|tool|create|start)$/;
const SWITCH = /^(?:-y|--yes|-q|--quiet|--silent)$/;

function strangersTokens(command: string, args: readonly string[]): Tokens {
  const isRunner = (word: string): boolean => RUNNERS.test(basename(word.replaceAll('\\', '/')));
  const own = args.findIndex((arg, i) => {
    const before = args[i - 1] ?? '';
    const plain = !arg.startsWith('-') && (!before.startsWith('-') || SWITCH.test(before));
    return plain && !BEFORE.test(arg) && !isRunner(arg);
  });
  const begins = isRunner(command) ? (own === -1 ? args.length : own) : -1;
  return {
    afterFlag: (flag, at) => flag.startsWith('--') && at > begins,
    takesCode: (flag) => TAKES_CODE.test(flag),
    headers: false,
  };
}

/** Arguments of the user's own files without tokens, for what an approval covers: what is code stays. */
export const withoutTokens = (args: readonly string[]): string[] =>
  leaveTokensOut(args, {
    afterFlag: () => true,
    // `docker run -e NAME=value`
    takesCode: (flag, operand) => TAKES_CODE.test(flag) && !/^[A-Z][A-Z0-9_]*=/.test(operand),
    headers: true,
  });

/** Arguments without what is wholly a token: behind a key-like flag, in `NAME=value`, in the query of a URL. */
function leaveTokensOut(args: readonly string[], tokens: Tokens): string[] {
  return args.map((arg, i) => {
    const flag = args[i - 1] ?? '';
    if (tokens.takesCode(flag, arg)) return arg;
    if (/^--?[\w.-]+$/.test(flag) && isSecretName(flag) && tokens.afterFlag(flag, i) && isToken(arg))
      return MASK;
    const [, name = '', between = '', value = ''] =
      /^([\w.-]+)(=|:\s+(?:(?:Bearer|Basic|Token)\s+)?)(.+)$/is.exec(arg) ?? [];
    if (isSecretName(name) && isToken(value) && (between === '=' || tokens.headers))
      return name + between + MASK;
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
