import { join } from 'node:path';
import { Fault } from '../../messages/fault.ts';
import { holdsEntries } from '../../shims/entry-owner.ts';
import { ATTRIBUTES, isAttributes, type OwnFile } from '../../shims/own-files.ts';
import type { PlanInput } from '../input.ts';
import { manifestText } from '../scopes/plugin.ts';
import { isPluginScope, type Scope } from '../scopes/scope.ts';
import type { ClientTarget } from './client-target.ts';

/**
 * Returns all own files that a server needs for a client. Throws a Fault where somebody else's file is in their place:
 * `plan.plugin-taken`, `project.attributes-taken`.
 */
export function wantedFiles(
  { client, scope, previous, folder, compiled }: ClientTarget,
  { server, slug, declared, runtime, files, reading }: PlanInput,
): OwnFile[] {
  const { shims, entries } = compiled();
  const own = shims.length > 0 ? scope.shims({ shims, folder, slug, runtime: runtime() }) : [];
  if (scope.shared && own.length > 0) assertAttributes(scope, { files, reading });
  if (!isPluginScope(scope) || entries.length === 0) return own;
  const { manifest: path } = scope;
  const ours =
    previous?.own[path] !== undefined ||
    scope.hookFiles(client, slug).some((p) => holdsEntries(files.read(p.file), slug));
  if (files.read(path) !== null && !ours)
    throw new Fault('plan.plugin-taken', { client: client.title, folder: scope.folder }, { file: path });
  const about = { version: '1.0.0', server, count: declared.declarations.length };
  return [{ path, text: manifestText(slug, about, client.plugin?.fields), mode: 0o600 }, ...own];
}

/** Throws a Fault for a file for git in the project's folder that the lock file doesn't list and that isn't ours. */
function assertAttributes({ paths }: Scope, { files, reading }: Pick<PlanInput, 'files' | 'reading'>): void {
  const file = join(paths.data, ATTRIBUTES.name);
  const bytes = files.read(file);
  const isListed = reading.record.servers.some(({ clients }) =>
    Object.values(clients).some(({ own }) => own[file] !== undefined),
  );
  if (bytes && !isListed && !isAttributes(bytes)) throw new Fault('project.attributes-taken', {}, { file });
}
