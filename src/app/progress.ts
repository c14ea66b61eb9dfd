import type { Context } from './context.ts';

const FIRST_MS = 1_000;

/**
 * Runs something that may take long, and says at a terminal what is being waited for and for how long, on one line
 * that goes away. `what` may change while it runs.
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
    context.progress(`Waiting ${seconds} s for ${what}`);
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
