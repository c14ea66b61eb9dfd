import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { journalFile, PHASES } from '../apply/journal.ts';
import { programOnPath } from '../clients/version.ts';
import { nodeOf } from '../fire/shim.ts';
import { serverFolder } from '../plan/own-files.ts';
import { unknownEntries } from '../plan/survey.ts';
import type { Check } from './types.ts';

/** A change of ours that stopped half way. */
export const interrupted: Check = ({ paths }) => {
  const file = PHASES.map((phase) => journalFile(paths.state, phase)).find((path) => existsSync(path));
  return file === undefined ? [] : [{ code: 'doctor.interrupted', args: {}, where: { file } }];
};

/** What is remembered can't be read, or entries stand of which nothing is remembered. */
export const record: Check = (scene) => {
  const { damaged, record } = scene.reading;
  return [
    ...(damaged ? [{ code: 'doctor.record' as const, args: {}, where: damaged.where }] : []),
    ...unknownEntries(scene.site, record, scene).map(({ slug, client, file }) => ({
      code: 'doctor.unknown' as const,
      args: { name: slug },
      where: { file },
      server: slug,
      client,
    })),
  ];
};

/** The node that shims were written for is gone. */
export const node: Check = ({ servers, env, read }) =>
  servers.flatMap(({ record: { server, clients } }) => {
    const shims = Object.values(clients).flatMap(({ entries, own }) =>
      Object.keys(own).filter((path) => entries.some(({ key }) => path.endsWith(`/${key}`))),
    );
    const nodes = new Set(
      shims.flatMap((path) => nodeOf(Buffer.from(read(path) ?? []).toString('utf8')) ?? []),
    );
    return [...nodes]
      .filter((path) => !isProgram(path))
      .map((path) => {
        const other = programOnPath('node', env) !== undefined;
        return {
          code: other ? ('doctor.node-moved' as const) : ('doctor.no-node' as const),
          args: { node: path, name: server },
          where: {},
          server,
          ...(other && { remark: true as const }),
        };
      });
  });

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The last shim that ended without an answer; the shell wrote its path (templates/shim.sh). */
export const failures: Check = ({ servers, paths, read }) =>
  servers.flatMap(({ record: { server, slug, clients } }) => {
    const file = join(serverFolder(paths, slug), 'failed');
    const shim = Buffer.from(read(file) ?? [])
      .toString('utf8')
      .trim();
    if (!Object.values(clients).some(({ own }) => Object.hasOwn(own, shim))) return [];
    const at = statSync(file).mtime.toISOString();
    return [
      { code: 'doctor.shim-failed', args: { at, shim, name: server }, where: {}, server, remark: true },
    ];
  });
