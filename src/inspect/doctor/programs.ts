import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import spawn from 'cross-spawn';
import { endSession } from '../../base/end-session.ts';
import { absolutePath, type Env, homeFolder } from '../../base/paths.ts';
import { HERE } from '../../base/platform.ts';
import { programOnPath } from '../../base/program.ts';
import type { ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { installedVersion } from '../../clients/installed-version.ts';
import { compareVersions } from '../../clients/versions.ts';
import type { Check, Finding, FoundProgram } from './types.ts';

/** Milliseconds that a program may take to print its version. */
export const WAIT_MS = 5_000;

/** Finds a client's program and version; runs `--version` only when the client's files don't contain the version. */
export async function findProgram(id: ClientId, env: Env): Promise<FoundProgram> {
  const client = clientById(id);
  const path = programOnPath(client.program.binary, env);
  if (!path) return { client: id };
  const version = installedVersion(client, env) ?? (await saidVersion(path, env));
  return { client: id, path, ...(version && { version }) };
}

/** Returns the version number in what a program prints for `--version`. */
export function saidVersion(program: string, env: Env): Promise<string | undefined> {
  return new Promise((done) => {
    // Not started in a clone: a client might read its settings, and a script its interpreter from there.
    const place = { cwd: homeFolder(env), env: absolutePath(env) };
    const child = spawn(program, ['--version'], {
      ...place,
      ...HERE.session,
      stdio: ['ignore', 'pipe', 'ignore'],
    }) as ChildProcessByStdio<null, Readable, null>;
    let text = '';
    // Child processes of the program end as well: an open pipe of theirs would delay `done`.
    const end = (): void => {
      clearTimeout(patience);
      child.stdout.destroy();
      if (child.pid && (!HERE.windows || child.exitCode === null)) endSession(child.pid);
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

/** Finds clients that are missing, or whose version is outside the tested range. */
export const programs: Check = (context) =>
  context.programs.flatMap(({ client: id, path, version }): Finding[] => {
    const { title, program, proved, older, newer } = clientById(id);
    const { oldest, newest } = proved;
    const args = {
      client: title,
      id,
      binary: program.binary,
      oldest,
      newest,
      ...(version !== undefined && { found: version }),
    };
    const about = { args, where: path === undefined ? {} : { file: path }, client: id };
    if (path === undefined) {
      const users = context.servers.filter((s) => s.clients.some(({ client }) => client === id));
      const shared = users.length > 0 && users.every(({ scope }) => scope.shared);
      const [one, ...more] = users;
      const name = one && more.length === 0 ? one.record.server : undefined;
      const scopes = [...new Set(users.filter(({ scope }) => !scope.shared).map(({ scope }) => scope.name))];
      // An editor that puts no program on PATH is no fault, nor is a client that only others of the project use.
      return [
        {
          code: 'doctor.no-client',
          ...about,
          args: { ...args, ...(shared ? { shared: 1 } : { scopes, ...(name !== undefined && { name }) }) },
          ...((proved.of || shared) && { remark: true }),
        },
      ];
    }
    if (version === undefined)
      return [
        { code: 'doctor.no-version', ...about, args: { ...args, seconds: WAIT_MS / 1000 }, remark: true },
      ];
    if (proved.of) return [];
    if (proved.how === 'source') return [{ code: 'doctor.version-untried', ...about, remark: true }];
    if (compareVersions(version, proved.oldest) < 0) {
      const less = older && compareVersions(version, older.before) < 0 ? { less: older.note.text } : {};
      return [{ code: 'doctor.version-old', ...about, args: { ...args, ...less } }];
    }
    if (newer && compareVersions(version, newer.since) >= 0)
      return [{ code: 'doctor.version-new', ...about, args: { ...args, less: newer.note.text } }];
    if (compareVersions(proved.newest, version) < 0)
      return [{ code: 'doctor.version-new', ...about, remark: true }];
    return [];
  });
