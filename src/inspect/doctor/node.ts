import { type Env, endsWithSteps } from '../../base/paths.ts';
import { isProgram, programOnPath } from '../../base/program.ts';
import { clientById, isClient } from '../../clients/index.ts';
import { compareVersions } from '../../clients/versions.ts';
import { signatureOf } from '../../edit/decide.ts';
import { OLDEST_NODE } from '../../shims/command.ts';
import { nodeIn } from '../../shims/entry-owner.ts';
import { nodeOf } from '../../shims/script.ts';
import type { Surveyed } from '../survey.ts';
import { aboutInstall } from './installs.ts';
import { saidVersion, WAIT_MS } from './programs.ts';
import type { Check, DoctorContext, Finding, NodeUse } from './types.ts';

/**
 * Finds the node programs that run the hook scripts of servers, with versions. Starts each program once with
 * `--version`.
 */
export async function findNodes(
  servers: readonly Surveyed[],
  { env, read }: Pick<DoctorContext, 'env' | 'read'>,
): Promise<NodeUse[]> {
  const onPath = programOnPath('node', env);
  const uses = servers.flatMap(({ scope, record }) =>
    [...writtenFor(record, read)].flatMap(([wanted, { needed, alone }]): NodeUse[] => {
      const found = wanted !== undefined && isProgram(wanted) ? wanted : undefined;
      const path = found ?? (alone ? undefined : onPath);
      const use = { scope, record, ...(wanted !== undefined && { wanted }) };
      if (path !== undefined) return [{ ...use, path }];
      if (alone) return [{ ...use, alone }];
      return needed ? [use] : [];
    }),
  );
  const paths = [...new Set(uses.flatMap(({ path }) => path ?? []))];
  const versions = new Map<string, string | undefined>();
  await Promise.all(paths.map(async (path) => versions.set(path, await versionOf(path, env))));
  return uses.map((use) => {
    const version = versions.get(use.path ?? '');
    return { ...use, ...(version !== undefined && { version }) };
  });
}

/**
 * Returns the node paths that scripts (on Windows: entries) name, whether any client needs them, and whether an entry
 * starts them itself; undefined: the first on PATH, as in scripts that other machines share.
 */
function writtenFor(
  { clients }: Surveyed['record'],
  read: DoctorContext['read'],
): Map<string | undefined, { needed: boolean; alone?: true }> {
  const found = new Map<string | undefined, { needed: boolean; alone?: true }>();
  for (const [id, { entries, own }] of Object.entries(clients)) {
    const needed = !isClient(id) || !clientById(id).program.runsScripts;
    const scripts = Object.keys(own).filter((path) => entries.some(({ key }) => endsWithSteps(path, key)));
    const named = entries.flatMap(({ group }) =>
      group.hooks.flatMap((handler) => nodeIn(signatureOf(handler) ?? '') ?? []),
    );
    // A client that runs scripts itself takes its own runtime for a node that is gone.
    for (const node of named)
      found.set(node, needed ? { needed, alone: true } : (found.get(node) ?? { needed }));
    for (const bytes of scripts.flatMap((path) => read(path) ?? [])) {
      const node = nodeOf(Buffer.from(bytes).toString());
      const known = found.get(node);
      found.set(node, { ...known, needed: needed || known?.needed === true });
    }
  }
  return found;
}

/** Returns the version of a node program; the running node isn't started again. */
async function versionOf(path: string, env: Env): Promise<string | undefined> {
  return path === process.execPath ? process.versions.node : saidVersion(path, env);
}

/** Finds hook scripts whose node is missing, has moved, doesn't start, or is too old. */
export const node: Check = ({ nodes }) =>
  nodes.flatMap(({ scope, record, wanted, alone, path, version }): Finding[] => {
    const args = wanted === undefined ? {} : { node: wanted };
    if (path === undefined)
      return [aboutInstall(alone ? 'doctor.node-gone' : 'doctor.no-node', scope, record, args)];
    const where = { file: path };
    if (version === undefined) {
      const broken = { ...args, path, seconds: WAIT_MS / 1000 };
      // On PATH it may be a version manager's, which starts one in the project and none in the home folder.
      const remark = path !== wanted && ({ remark: true } as const);
      return [aboutInstall('doctor.node-broken', scope, record, broken, { where, ...remark })];
    }
    if (compareVersions(version, OLDEST_NODE) < 0) {
      const old = { ...args, found: version, oldest: OLDEST_NODE };
      return [aboutInstall('doctor.node-old', scope, record, old, { where })];
    }
    return wanted === undefined || wanted === path
      ? []
      : [aboutInstall('doctor.node-moved', scope, record, args, { remark: true })];
  });
