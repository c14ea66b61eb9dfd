import { fstatSync } from 'node:fs';
import { terminalQuestions } from '../app/ask.ts';
import type { World } from '../app/context.ts';
import { ownPaths } from '../base/paths.ts';
import { asSpelled } from '../base/real-path.ts';
import { isClosed, isTerminal, lostOf, streamOf, write, written } from '../base/terminal.ts';
import { fitted, styleFor } from '../base/text-style.ts';
import { main } from '../cli/main.ts';
import { reportUnforeseen } from '../cli/unforeseen.ts';
import { respellFolders } from '../clients/respell.ts';
import { Fault } from '../messages/fault.ts';
import { faultText } from '../messages/faults.ts';

/** Runs a command and ends this process with its exit code. */
export async function runProcess(words: readonly string[]): Promise<void> {
  const end = (error: unknown): void => {
    reportUnforeseen(error, words, {
      out: (text) => write(1, `${text}\n`),
      err: (text) => write(2, `${text}\n`),
    });
    process.exit(1);
  };
  process.on('uncaughtException', end);
  // The code for a command that never finishes: Node ends when nothing is left to wait for.
  process.exitCode = 1;
  process.exitCode = await main(words, processWorld());
  await written();
  failWithLostOutput();
  // With nothing left to wait for, node would now free its memory piece by piece: 1 to 3 % of a command's time.
  if (process.getActiveResourcesInfo().length === 0) process.exit();
}

/** What a command did stands, but whoever reads its output must not take that as whole. */
function failWithLostOutput(): void {
  const code = lostOf(1);
  if (code === undefined) return;
  write(2, `mcphooks: ${faultText(new Fault('internal.output', { code }))}\n`);
  process.exitCode = 1;
}

/** Returns the World of this process. Throws when the working folder is gone. */
function processWorld(): World {
  const { env } = process;
  respellFolders(env);
  const [out, err] = [isTerminal(1), isTerminal(2)];
  return {
    env,
    cwd: asSpelled(process.cwd()),
    paths: ownPaths(env),
    now: () => new Date().toISOString(),
    out: (text) => write(1, `${text}\n`),
    err: (text) => write(2, `${fitted(text, err ? streamOf(2).columns || undefined : undefined)}\n`),
    style: styleFor(out, env),
    errStyle: styleFor(err, env),
    // A terminal that doesn't know its size says 0.
    ...(out && streamOf(1).columns > 0 && { columns: streamOf(1).columns }),
    // Looked up on demand: opening stdin loads streams.
    stdin: async function* () {
      // Node takes a folder for a file without content.
      if (fstatSync(0).isDirectory()) throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' });
      if (!process.stdin.isTTY) yield* process.stdin;
    },
    // Whoever can't read the plan can't approve it.
    interactive: () => Boolean(err && process.stdin.isTTY && !isClosed(1)),
    ask: terminalQuestions,
    progress: (line = '') => {
      const { stderr } = process;
      stderr.write(`\r\x1b[K${line.slice(0, (stderr.columns || 80) - 1)}`);
    },
  };
}
