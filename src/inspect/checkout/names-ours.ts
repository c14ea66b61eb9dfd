import { fitsGlob } from '../../base/glob.ts';
import { foldedName } from '../../base/look-alike.ts';
import { PROJECT_FOLDER } from '../../base/paths.ts';

/** Parts of a word that a shell removes: quotes, expansions, and a backslash before a character. */
const UNSEEN = /\$\([^()]*\)|\$\{[^{}]*\}|`[^`]*`|\$[@*#?!$0-9-]|[\\'"^{},]/g;
const SCRIPT = /hooks\/+[^/\s]+\/+[0-9a-f]{16}\//;

/**
 * True when a command names a hook script of ours in a project, in any spelling: other case, quotes, `//` and `/./`,
 * backslashes, wildcards, expansions to nothing. A name put together from variables isn't recognised.
 */
export function namesOurs(command: string): boolean {
  return [command, command.replaceAll('\\', '/')].some((spelled) => {
    const plain = foldedName(spelled.replace(UNSEEN, '')).replace(/\/(?:\.?\/)+/g, '/');
    return (
      plain.includes(PROJECT_FOLDER) ||
      SCRIPT.test(plain) ||
      plain.split(/[\s/;|&()<>=:]+/).some(matchesFolder)
    );
  });
}

/**
 * True when a shell could expand a word with wildcards to our folder's name. A bare `.*` doesn't count, since most
 * regular expressions contain `.*`.
 */
function matchesFolder(word: string): boolean {
  if (!/[*?[]/.test(word) || !/^[.[?]/.test(word) || word.replace(/[^a-z]/g, '').length === 0) return false;
  return fitsGlob(word, PROJECT_FOLDER, true);
}
