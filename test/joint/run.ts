import { spawn } from 'node:child_process';

export interface Ran {
  code: number | null;
  stderr: string;
  stdout: string;
}

/** Runs a program with this on stdin. */
export function start(words: readonly string[], input: string, cwd: string, env: object): Promise<Ran> {
  const [program = 'sh', ...args] = words;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { PATH: process.env.PATH, ...env }, timeout: 60_000 });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('error', reject);
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
