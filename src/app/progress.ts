import { stillWaitingText } from '../messages/start.ts';
import type { Context } from './context.ts';

const FIRST_MS = 1_000;

/**
 * Runs `action`. From the first second on, a terminal shows in one temporary line what `action` waits for and how long;
 * `say` changes the text.
 */
export async function withProgress<T>(
  context: Context,
  action: (say: (what: string) => void) => Promise<T>,
): Promise<T> {
  if (!context.interactive()) return action(() => {});
  let what = '';
  const began = Date.now();
  const show = (): void => {
    const seconds = Math.floor((Date.now() - began) / 1000);
    context.progress(stillWaitingText(what, seconds));
  };
  const timer = setInterval(show, FIRST_MS);
  try {
    return await action((now) => {
      what = now;
    });
  } finally {
    clearInterval(timer);
    if (Date.now() - began >= FIRST_MS) context.progress();
  }
}
