import type { Context } from './context.ts';

/** A yes-or-no question at the terminal, on stderr. Cancelling is no. Only when `context.interactive`. */
export async function ask(question: string, _context: Context): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: question, initialValue: false, output: process.stderr });
  return !isCancel(answer) && answer;
}
