import { Fault, faultText } from '../messages.ts';
import { write } from '../output.ts';
import { failureJson } from './outcome.ts';

const DEBUG = '--debug';

/** Takes `--debug` out of the words before `--`; whether it stood there. */
export function takeDebug(words: string[]): boolean {
  const end = words.indexOf('--');
  const at = words.indexOf(DEBUG);
  if (at < 0 || (end >= 0 && end < at)) return false;
  words.splice(at, 1);
  return true;
}

/**
 * Ends the program with an error that nobody foresaw, as text or with --json as a document. Where in the program it
 * arose is shown on stderr with `--debug` alone.
 */
export function endWith(error: unknown, words: readonly string[], debug: boolean): void {
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  const gone = code === 'ENOENT' && syscall === 'uv_cwd';
  const fault = gone
    ? new Fault('internal.no-folder')
    : new Fault('internal.error', { reason: `${message}` });
  const end = words.indexOf('--');
  const asked = words.slice(0, end < 0 ? words.length : end).includes('--json');
  if (asked) write(1, `${failureJson(words[0] ?? '', 1, [fault])}\n`);
  else write(2, `mcphooks: ${faultText(fault)}\n`);
  if (debug) write(2, `${stack}\n`);
  process.exit(1);
}
