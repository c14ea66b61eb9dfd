import type { ClientId } from './clients/types.ts';

/** A yes-or-no question at the terminal, on stderr. Cancelling is no. */
export async function ask(question: string): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: question, initialValue: false, output: process.stderr });
  return !isCancel(answer) && answer;
}

export type Decision = 'yes' | 'no' | 'files' | 'choose';

/** What to do with the plan above. Cancelling is no. */
export async function askDecision(): Promise<Decision> {
  const { select, isCancel } = await import('@clack/prompts');
  const answer = await select<Decision>({
    message: 'Write this?',
    initialValue: 'no',
    options: [
      { value: 'yes', label: 'Yes' },
      { value: 'no', label: 'No' },
      { value: 'files', label: 'Show every file first', hint: 'shims and their data too' },
      { value: 'choose', label: 'Choose hooks and clients' },
    ],
    output: process.stderr,
  });
  return isCancel(answer) ? 'no' : answer;
}

export interface Choice<T> {
  value: T;
  label: string;
  chosen: boolean;
}

/** Which hooks on which clients; undefined: as before. */
export async function askChoice(
  hooks: readonly Choice<string>[],
  clients: readonly Choice<ClientId>[],
): Promise<{ only: string[]; clients: ClientId[] } | undefined> {
  const only = await several('Which hooks?', hooks);
  if (!only) return undefined;
  const where =
    clients.length > 1 ? await several('On which clients?', clients) : clients.map((c) => c.value);
  return where && { only, clients: where };
}

async function several<T extends string>(
  message: string,
  choices: readonly Choice<T>[],
): Promise<T[] | undefined> {
  const { multiselect, isCancel } = await import('@clack/prompts');
  const answer = await multiselect<string>({
    message,
    options: choices.map(({ value, label }) => ({ value, label })),
    initialValues: choices.filter((c) => c.chosen).map((c) => c.value),
    required: true,
    output: process.stderr,
  });
  return isCancel(answer) ? undefined : (answer as T[]);
}
