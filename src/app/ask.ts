import type { StdioOptions } from 'node:child_process';
import { absolutePath } from '../base/paths.ts';
import { hanging, type Style, widthOf } from '../base/text-style.ts';
import type { ClientId } from '../clients/client.ts';
import { ANSWER_KEYS, QUESTIONS, YES_OR_NO } from '../messages/done.ts';

export interface Questions {
  /** Asks a yes-or-no question; undefined after cancelling. */
  confirm: (question: string) => Promise<boolean | undefined>;
  /** Asks what to do with the plan shown above. */
  decide: (style: Style) => Promise<Decision>;
  /** Asks for one of several; undefined after cancelling. */
  pick: (
    question: string,
    choices: readonly Pick<Choice<string>, 'value' | 'label'>[],
  ) => Promise<string | undefined>;
  /** Asks which hooks to install on which clients; undefined: the previous choice. */
  choose: (
    hooks: readonly Choice<string>[],
    clients: readonly Choice<ClientId>[],
  ) => Promise<{ only: string[]; clients: ClientId[] } | undefined>;
  /** Shows a long text: through `$PAGER` where that is set. */
  page: (text: string) => Promise<void>;
}

/** Questions on stderr, at the terminal of this process. */
export const terminalQuestions: Questions = { confirm, decide, pick, choose, page };

async function confirm(question: string): Promise<boolean | undefined> {
  const lines = hanging(`${question} ${YES_OR_NO}`, 0, (process.stderr.columns || 80) - 1).split('\n');
  // The prompt has one line, so that no word of a long question breaks.
  for (const line of lines.slice(0, -1)) process.stderr.write(`${line}\n`);
  const said = await answered<'yes' | 'cancel'>(`${lines.at(-1)} `, { y: 'yes', n: 'no' }, 'cancel');
  return said === 'cancel' ? undefined : said === 'yes';
}

async function pick(
  message: string,
  choices: readonly Pick<Choice<string>, 'value' | 'label'>[],
): Promise<string | undefined> {
  const options = choices.map(({ value, label }) => ({ value, label }));
  return menu<string>(({ select }, common) => select({ message, options, ...common }));
}

const DECISIONS = { y: 'yes', n: 'no', d: 'lines', f: 'files', c: 'choose' } as const;
type Decision = (typeof DECISIONS)[keyof typeof DECISIONS];

function decide(style: Style): Promise<Decision> {
  const others = Object.entries(ANSWER_KEYS)
    .map(([key, what]) => `${style('bold', key)} ${what}`)
    .join(' · ');
  const question = style('bold', `${QUESTIONS.write} ${YES_OR_NO}`);
  const line = `${question}  ${others}  `;
  // On a narrow terminal the keys have their own line, so that the prompt has one line and no word breaks.
  const narrow = widthOf(line) >= (process.stderr.columns || 80);
  process.stderr.write(narrow ? `\n${hanging(others, 0, process.stderr.columns)}\n` : '\n');
  return answered(narrow ? `${question} ` : line, DECISIONS);
}

/**
 * Asks until a line is one of the answers: its key or its word. An empty line means no; any other line repeats the
 * question.
 */
async function answered<A extends string>(
  question: string,
  answers: Record<string, A | 'no'>,
  cancelled: A | 'no' = 'no',
): Promise<A | 'no'> {
  const { createInterface } = await import('node:readline');
  // After the end of the input, readline reports nothing more.
  if (process.stdin.readableEnded) return cancelled;
  const ask = ({ signal }: AbortController): Promise<A | 'no'> => {
    const lines = createInterface({ input: process.stdin, output: process.stderr, signal });
    lines.setPrompt(question);
    return new Promise((decided) => {
      const end = (answer: A | 'no'): void => {
        lines.off('close', cancel).close();
        decided(answer);
      };
      const cancel = (): void => {
        process.stderr.write('\n');
        end(cancelled);
      };
      lines.on('close', cancel).on('SIGINT', cancel);
      lines.on('line', (line) => {
        const said = line.trim().toLowerCase();
        const [, answer] = Object.entries(answers).find(([key, word]) => said === key || said === word) ?? [];
        if (answer !== undefined || said === '') end(answer ?? 'no');
        else lines.prompt();
      });
      lines.prompt();
    });
  };
  return atTerminal(ask);
}

type Clack = typeof import('@clack/prompts');

/** Asks by a menu; undefined after cancelling. The library ignores Ctrl-D and the end of the input. */
async function menu<A>(
  ask: (clack: Clack, common: { output: NodeJS.WriteStream; signal: AbortSignal }) => Promise<A | symbol>,
): Promise<A | undefined> {
  const clack = await import('@clack/prompts');
  const { stdin, stderr: output } = process;
  // A terminal that doesn't know its size says 0, and the library would write one letter a line.
  output.columns ||= 80;
  output.rows ||= 24;
  return atTerminal(async (ended) => {
    const cancel = (): void => ended.abort();
    const onKey = (_: unknown, key?: { ctrl?: boolean; name?: string }): void => {
      if (key?.ctrl && key.name === 'd') cancel();
    };
    stdin.on('keypress', onKey).on('end', cancel);
    try {
      const answer = await ask(clack, { output, signal: ended.signal });
      return clack.isCancel(answer) ? undefined : (answer as A);
    } finally {
      stdin.off('keypress', onKey).off('end', cancel);
    }
  });
}

/** Not SIGHUP: it tells that the terminal is gone, and Node aborts when it then tries to restore that. */
const ENDING = ['SIGINT', 'SIGTERM'] as const;

/**
 * Asks at the terminal. A signal that ends this process first ends the question, which leaves the terminal as it was.
 * After Ctrl-Z and `fg`, the question goes on: Node then reads no more by itself.
 */
async function atTerminal<A>(ask: (ended: AbortController) => Promise<A>): Promise<A> {
  const ended = new AbortController();
  const end = (signal: NodeJS.Signals): void => {
    ended.abort();
    stop();
    process.kill(process.pid, signal);
  };
  const goOn = (): void => void setImmediate(() => process.stdin.resume());
  const stop = (): void => {
    for (const signal of ENDING) process.off(signal, end);
    process.off('SIGCONT', goOn);
  };
  for (const signal of ENDING) process.on(signal, end);
  process.on('SIGCONT', goOn);
  try {
    return await ask(ended);
  } finally {
    stop();
    // After Ctrl-Z, readline takes itself for paused, and leaves this undone.
    process.stdin.pause();
  }
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
  const only = await several(QUESTIONS.hooks, hooks);
  if (!only) return undefined;
  const where = clients.length > 1 ? await several(QUESTIONS.clients, clients) : clients.map((c) => c.value);
  return where && { only, clients: where };
}

async function several<T extends string>(
  message: string,
  choices: readonly Choice<T>[],
): Promise<T[] | undefined> {
  const options = choices.map(({ value, label }) => ({ value: value as string, label }));
  const initialValues = choices.filter((c) => c.chosen).map((c) => c.value);
  for (;;) {
    // The library's own word about an empty choice has colours also under NO_COLOR (Node 20).
    const chosen = await menu<string[]>(({ multiselect }, common) =>
      multiselect({ message, options, initialValues, required: false, ...common }),
    );
    if (chosen?.length !== 0) return chosen as T[] | undefined;
    process.stderr.write(`${QUESTIONS.none}\n`);
  }
}

async function page(text: string): Promise<void> {
  const { PAGER } = process.env;
  // Most commands show no pager, and loading this module takes time.
  const { spawn } = await import('node:child_process');
  return new Promise((done) => {
    const print = (): void => {
      process.stdout.write(`${text}\n`, () => done());
    };
    if (!PAGER) return print();
    const stdio: StdioOptions = ['pipe', 'inherit', 'inherit'];
    // Ctrl-C is for the pager: `less` goes on after it.
    const ignore = (): void => {};
    process.on('SIGINT', ignore);
    const pager = spawn('/bin/sh', ['-c', PAGER], { stdio, env: absolutePath(process.env) });
    pager.on('close', () => process.off('SIGINT', ignore));
    pager.on('error', print);
    // 127: there is no such program.
    pager.on('close', (code) => (code === 127 ? print() : done()));
    // A pager that ends early doesn't read all of it.
    pager.stdin?.on('error', () => {}).end(text);
  });
}
