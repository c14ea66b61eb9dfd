import { standingOf } from '../../servers/catalogue/standing.ts';
import { aboutInstall } from './installs.ts';
import type { Check } from './types.ts';

/** Finds installed hooks of catalogue entries that were withdrawn. */
export const withdrawn: Check = ({ servers }) =>
  servers.flatMap(({ scope, record }) => {
    const { from } = record;
    if (from.kind !== 'catalogue') return [];
    const found = standingOf(from, scope.root).withdrawn;
    if (!found) return [];
    const args = { ...found, entry: from.entry };
    return [aboutInstall('doctor.withdrawn', scope, record, args, { remark: true })];
  });
