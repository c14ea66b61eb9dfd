import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { journalFile, PHASES } from '../apply/journal.ts';
import { programOnPath } from '../clients/version.ts';
import { nodeOf } from '../fire/shim.ts';
import type { Fault } from '../messages.ts';
import { type Unknown, unknownEntries } from '../plan/survey.ts';
import { markerFiles } from '../plan/switch.ts';
import { scopeOf } from './installs.ts';
import type { Check, Finding } from './types.ts';

/** A change of ours that stopped half way. */
export const interrupted: Check = ({ sites }) => {
  const states = [...new Set(sites.map(({ site }) => site.paths.state))];
  return states
    .flatMap((state) => PHASES.map((phase) => journalFile(state, phase)))
    .filter((path) => existsSync(path))
    .map((file) => ({ code: 'doctor.interrupted', args: {}, where: { file } }));
};

/** What is remembered can't be read, or entries stand of which nothing is remembered. */
export const record: Check = (scene) =>
  scene.sites.flatMap((standing): Finding[] => {
    const { site, reading } = standing;
    const { damaged } = reading;
    return [
      // What is local stands in the user's own record.
      ...(damaged && site.scope !== 'local' ? [damagedFinding(damaged, site.shared)] : []),
      ...unknownEntries(standing, scene).map(unknownFinding),
    ];
  });

function damagedFinding({ code, args, where }: Fault, shared: boolean): Finding {
  return shared ? { code, args, where } : { code: 'doctor.record', args: {}, where };
}

/** Entries of which nothing is remembered. */
export function unknownFinding({ site, slug, client, file }: Unknown): Finding {
  const about = { server: slug, client, ...scopeOf(site) };
  return { code: 'doctor.unknown', args: { name: slug, ...scopeOf(site) }, where: { file }, ...about };
}

/** The node that shims were written for is gone. */
export const node: Check = ({ servers, env, read }) =>
  servers.flatMap(({ site, record: { server, clients } }) => {
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
          args: { node: path, name: server, ...scopeOf(site) },
          where: {},
          server,
          ...scopeOf(site),
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
export const failures: Check = ({ servers, read }) =>
  servers.flatMap(({ site, record }) =>
    markerFiles(record, site).flatMap((marker): Finding[] => {
      const file = join(dirname(marker), 'failed');
      const shim = Buffer.from(read(file) ?? [])
        .toString('utf8')
        .trim();
      const { server, clients } = record;
      if (!Object.values(clients).some(({ own }) => Object.hasOwn(own, shim))) return [];
      const at = statSync(file).mtime.toISOString();
      return [
        {
          code: 'doctor.shim-failed',
          args: { at, shim, name: server, ...scopeOf(site) },
          where: {},
          server,
          ...scopeOf(site),
          remark: true,
        },
      ];
    }),
  );
