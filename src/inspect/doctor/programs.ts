import { spawn } from 'node:child_process';
import { absolutePath, type Env, homeFolder } from '../../base/paths.ts';
import type { ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { installedVersion, programOnPath } from '../../clients/installed-version.ts';
import { compareVersions } from '../../clients/versions.ts';
import type { Check, Finding, Program } from './types.ts';

/** How long a client may take to say its version. */
const WAIT_MS = 5_000;

/** The client's program and its version: from its files, else asked with `--version`. */
export async function findProgram(id: ClientId, env: Env): Promise<Program> {
  const client = clientById(id);
  const path = programOnPath(client.program.binary, env);
  if (!path) return { client: id };
  const version = installedVersion(client, env) ?? (await saidVersion(path, env));
  return { client: id, path, ...(version && { version }) };
}

/** What a program prints with `--version`, its numbers alone. */
export function saidVersion(program: string, env: Env): Promise<string | undefined> {
  return new Promise((done) => {
    // Not in a clone, of which a client may read settings, and a script its interpreter.
    const place = { cwd: homeFolder(env), env: absolutePath(env) };
    const child = spawn(program, ['--version'], {
      ...place,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
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
    const { title, program, proved } = clientById(id);
    const { oldest, newest } = proved;
    const args = {
      client: title,
      binary: program.binary,
      oldest,
      newest,
      ...(version !== undefined && { found: version }),
    };
    const about = { args, where: path === undefined ? {} : { file: path }, client: id };
    if (path === undefined) return [{ code: 'doctor.no-client', ...about }];
    if (version === undefined) return [{ code: 'doctor.no-version', ...about, remark: true }];
    if (compareVersions(version, proved.oldest) < 0) return [{ code: 'doctor.version-old', ...about }];
    if (compareVersions(proved.newest, version) < 0)
      return [{ code: 'doctor.version-new', ...about, remark: true }];
    return [];
  });
