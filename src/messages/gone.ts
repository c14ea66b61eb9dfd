import type { FaultArgs } from './args.ts';
import { approving, commandOn, named, type Wording } from './words.ts';

const GONE = {
  'no-file': { what: 'this file is gone', fix: 'restore it' },
  unreadable: { what: "this file can't be read", fix: 'fix it' },
  conflict: { what: 'this file has an unresolved merge conflict', fix: 'resolve it' },
  removed: { what: 'the server is no longer in this file', fix: 'restore it' },
  off: { what: 'the server is switched off in this file', fix: 'switch it on there' },
  unusable: { what: "the server's entry in this file can't be used", fix: 'fix it' },
};

/** Returns why a definition isn't in its file, and what to do. */
export const goneWords = ({ absent }: FaultArgs): { what: string; fix: string } =>
  GONE[(absent ?? 'removed') as keyof typeof GONE];

/** Sentences on a definition that is no longer where it was approved. */
export const definitionLost: Wording = {
  what: (a) =>
    `${goneWords(a).what}${a.of ? ` (its hooks use the definition from ${a.of})` : ''}${goneEffect(a)}${nameNow(a)}`,
  fix: (a) => {
    const remove = commandOn('uninstall', a);
    if (a.renamed) {
      const move = `${a.isInstalled ? '' : `${installing(a)}, then `}${remove}`;
      return a.mayDiffer ? `${goneWords(a).fix}, or ${move}` : move;
    }
    return a.instead
      ? `${commandOn('install', a)} to accept that, or ${goneWords(a).fix}`
      : `${goneWords(a).fix}, or ${a.other ? approving(a) : remove}`;
  },
};

function nameNow({ renamed, mayDiffer }: FaultArgs): string {
  if (!renamed) return '';
  return mayDiffer
    ? `; '${renamed}' has the same definition, apart from values of environment variables and headers`
    : `; the same definition is now called '${renamed}'`;
}

/** Returns the command that installs the same hooks under the new name. */
const installing = (a: FaultArgs): string =>
  commandOn('install', named(a, 'renamed', String(a.scope ?? 'user')), String(a.options ?? ''));

function goneEffect({ calls, instead }: FaultArgs): string {
  if (calls !== 1) return '';
  return instead
    ? `; hooks that call its tools use the definition from ${instead}`
    : '; hooks that call its tools are off';
}
