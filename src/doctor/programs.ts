import { spawn } from 'node:child_process';
import { clientById } from '../clients/index.ts';
import type { ClientId } from '../clients/types.ts';
import { compareVersions, installedVersion, programOnPath } from '../clients/version.ts';
import type { Env } from '../paths.ts';
import type { Check, Finding, Program } from './types.ts';

/** How long a client may take to say its version. */
const WAIT_MS = 5_000;

/** The client's program and its version: from its files, else asked with `--version`. */
export async function findProgram(id: ClientId, env: Env): Promise<Program> {
  const client = clientById(id);
  const path = programOnPath(client.binary, env);
  if (!path) return { client: id };
  const version = installedVersion(client, env) ?? (await said(path, env));
  return { client: id, path, ...(version && { version }) };
}

function said(program: string, env: Env): Promise<string | undefined> {
  return new Promise((done) => {
    const child = spawn(program, ['--version'], { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    // What it has started itself ends with it, and may not hold us up.
    const end = (): void => {
      clearTimeout(patience);
      child.stdout.destroy();
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL');
      } catch {}
      done(/\d+\.\d+\.\d+/.exec(text)?.[0]);
    };
    const patience = setTimeout(end, WAIT_MS);
    child.on('error', end);
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(0, 1_000);
    });
    child.stdout.on('end', end);
  });
}

/** Clients that are missing, or of a version on which nothing was tried. */
export const programs: Check = (scene) =>
  scene.programs.flatMap(({ client: id, path, version }): Finding[] => {
    const { title, binary, proved } = clientById(id);
    const args = { client: title, binary, ...proved, ...(version !== undefined && { found: version }) };
    const about = { args, where: path === undefined ? {} : { file: path }, client: id };
    if (path === undefined) return [{ code: 'doctor.no-client', ...about }];
    if (version === undefined) return [{ code: 'doctor.no-version', ...about, remark: true }];
    if (compareVersions(version, proved.oldest) < 0) return [{ code: 'doctor.version-old', ...about }];
    if (compareVersions(proved.newest, version) < 0)
      return [{ code: 'doctor.version-new', ...about, remark: true }];
    return [];
  });
