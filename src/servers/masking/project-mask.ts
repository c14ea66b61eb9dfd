import { basename } from 'node:path';
import { mapValues } from '../../base/json-value.ts';
import { visible } from '../../base/visible.ts';
import type { StdioDefinition } from '../types.ts';
import { isSecretName, MASK } from './secrets.ts';

/** The shown parts of a command: the arguments, and the values of variables by name. */
interface ShownCommand {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/**
 * Returns the arguments and variables of a project's server for display, with values masked that are wholly a token.
 * The project's author may hide code in such a place, so a value is masked only when no program could run it: its name
 * is that of a secret, the value is random, and no other word is code.
 */
export function withoutProjectTokens({
  command,
  args,
  env,
}: Pick<StdioDefinition, 'command' | 'args' | 'env'>): ShownCommand {
  const whole = { args, env };
  const begin = ownArguments(command, args);
  if (begin === undefined) return whole;
  const shown = {
    args: args.map((arg, i) => (i > begin ? withoutToken(arg, args[i - 1] ?? '') : arg)),
    env: mapValues(env, (value, name) => (isSecretName(name) && isRandom(value) ? MASK : value)),
  };
  return [...shown.args, ...Object.values(shown.env)].every(isNoCode) ? shown : whole;
}

/**
 * True for an issuer's token, unlike any package's name: long, with capitals, small letters and digits; a long
 * hexadecimal number; or a JWT.
 */
const isIssued = (value: string): boolean =>
  (/^[\da-f]{32,512}$/.test(value) && /\d/.test(value)) || isMixed(value);

/** True for a long word with capitals, small letters and digits, and for a JWT. */
const isMixed = (value: string): boolean =>
  /^(?:[\w-]{20,512}={0,2}|eyJ[\w-]{8,4096}(?:\.[\w-]{0,4096}){1,4})$/.test(value) &&
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  /\d/.test(value) &&
  !value.startsWith('-');

/**
 * True for a random value: a variable's value that no word of the command reads is a token when it looks unlike any
 * name.
 */
const isRandom = (value: string): boolean =>
  /^[A-Za-z0-9][\w.~+/=-]{15,4095}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);

/** True for words that no shell or interpreter reads as code; `${NAME}` as a whole word is expanded by the client. */
const isNoCode = (word: string): boolean =>
  /^(?:[\w@+=:,./~?&#-]|\*\*\*)*$/.test(word) || /^\$\{\w+\}$/.test(word);

/** Programs that run one of their later arguments, or accept code in an option. */
const RUNNERS =
  /^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun|deno|node|nodejs|tsx|ts-node|uvx?|pipx|pypy|python|ruby|jruby|perl|raku|php|lua|luajit|tclsh|osascript|julia|rscript|[gm]?awk|(?:ba|da|z|k|fi|a|mk|ya)?sh|docker|podman|env|xargs|sudo|doas|nohup|timeout|nice|setsid|stdbuf|go|cargo|nix|java|dotnet|cmd|powershell|pwsh|corepack|mise|volta|asdf|make|ssh|find|parallel|watch)[\d.]*(?:\.exe|\.cmd)?$/i;
/** Subcommands and switches of runners before the program that they run. */
const BEFORE = /^(?:run|exec|x|dlx|tool|create|start)$/;
const SWITCH = /^(?:-y|--yes|-q|--quiet|--silent)$/;
/** Options whose value is code, also with the value attached. */
const HAS_CODE =
  /^(?:-[a-z]*[cepr]|-[cepr].*|--?(?:eval|exec|print|command|script|require|import)(?:=.*)?|\/c)$/is;

/**
 * Returns the index of the program's name, after which its own arguments begin; -1 when that is the command itself.
 * Returns undefined when a runner has options, so that its program is uncertain, or when an option contains code.
 */
function ownArguments(command: string, args: readonly string[]): number | undefined {
  const isRunner = (word: string): boolean => RUNNERS.test(basename(word.replaceAll('\\', '/')));
  const last = args.findLastIndex(isRunner);
  if (last < 0 && !isRunner(command)) return args.some((arg) => HAS_CODE.test(arg)) ? undefined : -1;
  const own = args.findIndex((arg, i) => i > last && !BEFORE.test(arg) && !SWITCH.test(arg));
  const between = args.slice(0, own + 1);
  const isPlain = between.every((arg) => SWITCH.test(arg) || (!arg.startsWith('-') && !arg.includes('=')));
  return own >= 0 && isPlain ? own : undefined;
}

/** Masks an argument's token: after a key-like flag, in `NAME=value`, in the query or password of a URL. */
function withoutToken(arg: string, flag: string): string {
  if (/^--[\w.-]+$/.test(flag) && isSecretName(flag) && isIssued(arg)) return MASK;
  const [, name = '', value = ''] = /^([\w.-]+)=(.+)$/s.exec(arg) ?? [];
  if (isSecretName(name) && isIssued(value)) return `${name}=${MASK}`;
  return URL.canParse(arg) && visible(arg) === arg ? withoutUrlTokens(arg, isIssued) : arg;
}

/** Masks the password of a URL, and values of secret names in its query, where they are a token. */
export function withoutUrlTokens(url: string, isToken: (value: string) => boolean): string {
  const [, address = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(url) ?? [];
  const shown = address.replace(/(\/\/[^/@:]*:)([^/@]+)(?=@)/, (whole, before: string, password: string) =>
    isToken(password) ? before + MASK : whole,
  );
  const values = query.replace(
    /([?&])([^=?&]+)=([^&]+)/g,
    (pair, mark: string, name: string, value: string) =>
      isSecretName(name) && isToken(value) ? `${mark}${name}=${MASK}` : pair,
  );
  return shown + values + url.slice(address.length + query.length);
}
