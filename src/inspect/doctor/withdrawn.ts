import { standingOf } from '../../servers/catalogue/standing.ts';
import { scopeOf } from './installs.ts';
import type { Check } from './types.ts';

/** Finds installed hooks of catalogue entries that were withdrawn. */
export const withdrawn: Check = ({ servers }) =>
  servers.flatMap(({ scope, record: { server, from } }) => {
    if (from.kind !== 'catalogue') return [];
    const found = standingOf(from, scope.root).withdrawn;
    if (!found) return [];
    const args = { ...found, entry: from.entry, name: server, ...scopeOf(scope) };
    return [{ code: 'doctor.withdrawn', args, where: {}, server, ...scopeOf(scope), remark: true }];
  });
