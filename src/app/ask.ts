import type { Style } from '../base/text-style.ts';
import type { ClientId } from '../clients/client.ts';

export interface Questions {
  /** Asks a yes-or-no question. Cancelling means no. */
  confirm: (question: string) => Promise<boolean>;
  /** Asks what to do with the plan shown above. */
  decide: (style: Style) => Promise<Decision>;
  /** Asks which hooks to install on which clients; undefined: the previous choice. */
  choose: (
    hooks: readonly Choice<string>[],
    clients: readonly Choice<ClientId>[],
  ) => Promise<{ only: string[]; clients: ClientId[] } | undefined>;
}

/** Questions on stderr, at the terminal of this process. */
export const terminalQuestions: Questions = { confirm, decide, choose };

async function confirm(question: string): Promise<boolean> {
  const prompts = await import('@clack/prompts');
  const answer = await prompts.confirm({ message: question, initialValue: false, output: process.stderr });
  return !prompts.isCancel(answer) && answer;
}

const DECISIONS = { y: 'yes', n: 'no', d: 'diff', c: 'choose' } as const;
type Decision = (typeof DECISIONS)[keyof typeof DECISIONS];

/**
 * Reads a decision from a line: its first letter or the whole word. An empty line or cancelling means no; any other
 * answer repeats the question.
 */
async function decide(style: Style): Promise<Decision> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const said = Object.entries({ y: 'yes', n: 'no', d: 'full diff', c: 'choose hooks and clients' })
    .map(([key, what]) => `${style('bold', key)} ${what}`)
    .join(' · ');
  lines.setPrompt(`${style('bold', 'Write this?')}  ${said}  `);
  process.stderr.write('\n');
  return new Promise((decided) => {
    const end = (decision: Decision): void => {
      lines.off('close', cancel).close();
      decided(decision);
    };
    const cancel = (): void => {
      process.stderr.write('\n');
      end('no');
    };
    lines.on('close', cancel).on('SIGINT', cancel);
    lines.on('line', (line) => {
      const word = line.trim().toLowerCase();
      const [, decision] =
        Object.entries(DECISIONS).find(([key, name]) => word === key || word === name) ??
        (word === '' ? ['n', 'no' as const] : []);
      if (decision) end(decision);
      else lines.prompt();
    });
    lines.prompt();
  });
}

export interface Choice<T> {
  value: T;
  label: string;
  chosen: boolean;
}

async function choose(
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
