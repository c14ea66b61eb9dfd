import { basename } from 'node:path';
import { visible } from '../base/visible.ts';
import { isSecretName, MASK } from './secrets.ts';
import type { Definition } from './types.ts';

type Stdio = Extract<Definition, { transport: 'stdio' }>;

/** What a person reads of a command: the arguments, and the values of the variables by name. */
interface Shown {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/**
 * Returns the arguments and variables of a project's server as they are shown: without values that are wholly a token.
 * Whoever wrote the project may hide code in such a place, so a value is left out only where no program could run it:
 * its name is a secret's, it is random, and no other word is code.
 */
export function withoutProjectTokens({ command, args, env }: Pick<Stdio, 'command' | 'args' | 'env'>): Shown {
  const whole = { args, env };
  const begin = ownArguments(command, args);
  if (begin === undefined) return whole;
  const shown = {
    args: args.map((arg, i) => (i > begin ? withoutToken(arg, args[i - 1] ?? '') : arg)),
    env: Object.fromEntries(
      Object.entries(env).map(([name, value]) => [
        name,
        isSecretName(name) && isRandom(value) ? MASK : value,
      ]),
    ),
  };
  return [...shown.args, ...Object.values(shown.env)].every(isNoCode) ? shown : whole;
}

/** An issuer's token: long, with capitals, small letters and digits, as no name of a package is; or a JWT. */
const isIssued = (value: string): boolean =>
  /^(?:[\w-]{20,512}={0,2}|eyJ[\w-]{8,4096}(?:\.[\w-]{0,4096}){1,4})$/.test(value) &&
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  /\d/.test(value) &&
  !value.startsWith('-');

/** A token that no word of the command reads may be anything that nobody would choose for a name. */
const isRandom = (value: string): boolean =>
  /^[A-Za-z0-9][\w.~+/=-]{15,4095}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);

/** True for words that no shell or interpreter reads as code; a client fills in `${NAME}` that is a whole word. */
const isNoCode = (word: string): boolean =>
  /^(?:[\w@+=:,./~?&#-]|\*\*\*)*$/.test(word) || /^\$\{\w+\}$/.test(word);

/** Programs that run a later word of theirs, or take code in an option. */
const RUNNERS =
  /^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun|deno|node|nodejs|tsx|ts-node|uvx?|pipx|pypy|python|ruby|jruby|perl|raku|php|lua|luajit|tclsh|osascript|julia|rscript|[gm]?awk|(?:ba|da|z|k|fi|a|mk|ya)?sh|docker|podman|env|xargs|sudo|doas|nohup|timeout|nice|setsid|stdbuf|go|cargo|nix|java|dotnet|cmd|powershell|pwsh|corepack|mise|volta|asdf|make|ssh|find|parallel|watch)[\d.]*(?:\.exe|\.cmd)?$/i;
/** Words and switches of runners before the program that they run. */
const BEFORE = /^(?:run|exec|x|dlx|tool|create|start)$/;
const SWITCH = /^(?:-y|--yes|-q|--quiet|--silent)$/;
/** An option whose value is code, also attached. */
const TAKES_CODE =
  /^(?:-[a-z]*[cepr]|-[cepr].*|--?(?:eval|exec|print|command|script|require|import)(?:=.*)?|\/c)$/is;

/**
 * Index of the program's name before its own arguments, -1 where that is the command; undefined where a runner has
 * options, so that its program can't be told, or an option takes code.
 */
function ownArguments(command: string, args: readonly string[]): number | undefined {
  const isRunner = (word: string): boolean => RUNNERS.test(basename(word.replaceAll('\\', '/')));
  const last = args.findLastIndex(isRunner);
  if (last < 0 && !isRunner(command)) return args.some((arg) => TAKES_CODE.test(arg)) ? undefined : -1;
  const own = args.findIndex((arg, i) => i > last && !BEFORE.test(arg) && !SWITCH.test(arg));
  const between = args.slice(0, own + 1);
  const isPlain = between.every((arg) => SWITCH.test(arg) || (!arg.startsWith('-') && !arg.includes('=')));
  return own >= 0 && isPlain ? own : undefined;
}

/** One argument without its token: behind a key-like flag, in `NAME=value`, in the query or password of a URL. */
function withoutToken(arg: string, flag: string): string {
  if (/^--[\w.-]+$/.test(flag) && isSecretName(flag) && isIssued(arg)) return MASK;
  const [, name = '', value = ''] = /^([\w.-]+)=(.+)$/s.exec(arg) ?? [];
  if (isSecretName(name) && isIssued(value)) return `${name}=${MASK}`;
  return URL.canParse(arg) && visible(arg) === arg ? withoutUrlTokens(arg) : arg;
}

function withoutUrlTokens(url: string): string {
  const [, address = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(url) ?? [];
  const password = /^([a-z][a-z0-9+.-]*:\/\/[^/@:]*:)([^/@]+)@/i.exec(address);
  const shown =
    password?.[2] !== undefined && isIssued(password[2])
      ? `${password[1]}${MASK}${address.slice(password[0].length - 1)}`
      : address;
  const values = query.replace(
    /([?&])([^=&]+)=([^&]+)/g,
    (pair, mark: string, name: string, value: string) =>
      isSecretName(name) && isIssued(value) ? `${mark}${name}=${MASK}` : pair,
  );
  return shown + values + url.slice(address.length + query.length);
}
