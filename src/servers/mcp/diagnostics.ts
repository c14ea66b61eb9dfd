import { TERMINAL_SEQUENCES } from '../../base/terminal-sequences.ts';
import { excerpt, visible } from '../../base/visible.ts';
import { Fault } from '../../messages/fault.ts';
import type { FaultArgsOf, FaultCode } from '../../messages/faults.ts';
import { redact } from '../masking/mask-message.ts';
import { MASK } from '../masking/secrets.ts';

/** Codes of Faults of a server that was started or reached. */
type ServerCode = Extract<FaultCode, `server.${string}`>;

/** Arguments that `fault` adds itself, and the step, which `request` adds. */
type Given<Args> = Omit<Args, 'shown' | 'stderr' | 'noise' | 'step'> & { step?: string };

/** Collects a server's stderr and the noise on its stdout, and makes Faults that quote it. */
export interface Diagnostics {
  /** Names of variables that the definition refers to and that aren't set; its Faults name them. */
  unset: readonly string[];
  /** Seconds that the server has for all its answers; the Fault that one is late names them. */
  seconds: number;
  addStderr: (chunk: Buffer) => void;
  /** Takes a line of a server's stdout, or the beginning of one, that is no message. */
  addNoise: (text: string) => void;
  /** Returns a Fault with how the server was reached, the last lines of stderr and the noise, without secrets. */
  fault: <Code extends ServerCode>(code: Code, args: Given<FaultArgsOf[Code]>) => Fault;
  /** Returns a text from the server, shortened and safe to show. */
  quote: (text: string) => string;
  /** Returns a name, or a text about what a server declares, without secrets that no word or name contains by chance. */
  redact: (text: string) => string;
  /** Returns a text without any secret. */
  withoutSecrets: (text: string) => string;
}

const MAX_STDERR = 8192;
const MAX_LINES = 10;
/**
 * A line of a stack trace by Node, Java or .NET, which ends with a place in a file or a word for none, or is a function
 * with its parameters: many of them follow the line that says what is wrong.
 */
const STACK_FRAME =
  /^\s+at (?:\S+\([^()]*\)|\S.*(?::\d+|:line \d+|<anonymous>|\((?:index \d+|native))\)?)(?: \{)?$/;
/** Most characters kept of a line that is no message: many more than are shown, since secrets are masked first. */
export const MAX_NOISE = 8192;

const holdsMessage = (text: string): boolean => text.includes('"jsonrpc"');

/**
 * `shown`: the definition in one line, without secrets. `secrets`: what messages may not show. `inNames`: those
 * that no name or word contains by chance.
 */
export function diagnosticsFor(
  shown: string,
  secrets: readonly string[],
  {
    inNames = secrets,
    unset = [],
    seconds = Number.POSITIVE_INFINITY,
  }: { inNames?: readonly string[]; unset?: readonly string[]; seconds?: number } = {},
): Diagnostics {
  let stderr = Buffer.alloc(0);
  let noise = '';
  // The first line of a cut text may begin in the middle of a secret.
  const whole = (text: string): string =>
    stderr.length < MAX_STDERR ? text : text.slice(text.indexOf('\n') + 1 || 1000);
  const lines = (): string[] =>
    redact(whole(stderr.toString('utf8')).replace(TERMINAL_SEQUENCES, ''), secrets)
      .split(/\r\n|[\r\n]/)
      .filter((line) => line.trim() !== '' && !STACK_FRAME.test(line))
      .slice(-MAX_LINES)
      .map((line) => excerpt(line.trimEnd(), 200));
  const quote = (text: string): string =>
    excerpt(visible(redact(text.replace(TERMINAL_SEQUENCES, ''), secrets)), 300);
  const quoteNoise = (): string => quote(withoutBegun(noise.replace(TERMINAL_SEQUENCES, ''), secrets));
  return {
    unset,
    seconds,
    addStderr: (chunk) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-MAX_STDERR);
    },
    addNoise: (text) => {
      const grows = text.trim() !== '' && text.startsWith(noise);
      if (grows || (holdsMessage(text) && !holdsMessage(noise))) noise = text.trimEnd().slice(0, MAX_NOISE);
    },
    fault: (code, args) => {
      const all = {
        shown,
        stderr: lines(),
        ...(noise !== '' && { noise: quoteNoise() }),
        ...args,
      } as unknown as FaultArgsOf[ServerCode];
      const fault = new Fault<ServerCode>(code, all);
      return unset.length > 0 ? fault.with({ unset }) : fault;
    },
    quote,
    redact: (text) => redact(text, inNames),
    withoutSecrets: (text) => redact(text, secrets),
  };
}

/** Fewer characters of a secret tell nothing, and often stand somewhere by chance. */
const LEAST_BEGUN = 4;

/** Masks the beginning of a secret at the end of a text, which may be cut or not be whole yet. */
function withoutBegun(text: string, secrets: readonly string[]): string {
  const begun = secrets.map((secret) => {
    for (let n = Math.min(secret.length, text.length); n >= LEAST_BEGUN; n--)
      if (text.endsWith(secret.slice(0, n))) return n;
    return 0;
  });
  const most = Math.max(0, ...begun);
  return most === 0 ? text : text.slice(0, -most) + MASK;
}
