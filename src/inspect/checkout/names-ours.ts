import { foldedName } from '../../base/look-alike.ts';
import { PROJECT_FOLDER } from '../../shims/command.ts';

/** What a shell takes out of a word: quotes, expansions, and a backslash before a character. */
const UNSEEN = /\$\([^()]*\)|\$\{[^{}]*\}|`[^`]*`|\$[@*#?!$0-9-]|[\\'"^{},]/g;
const SCRIPT = /hooks\/+[^/\s]+\/+[0-9a-f]{16}\//;

/**
 * Whether a command names a script of ours in a project, in whichever spelling: other case, quotes, `//` and `/./`,
 * backslashes, wildcards, expansions to nothing. One that puts the name together from variables isn't recognised.
 */
export function namesOurs(command: string): boolean {
  return [command, command.replaceAll('\\', '/')].some((spelled) => {
    const plain = foldedName(spelled.replace(UNSEEN, ''))
      .replace(/\/(?:\.?\/)+/g, '/')
      .replace(/[^/\s]+\/\.\.\//g, '');
    return (
      plain.includes(PROJECT_FOLDER) ||
      SCRIPT.test(plain) ||
      plain.split(/[\s/;|&()<>=:]+/).some(matchesFolder)
    );
  });
}

/** A word with wildcards that a shell may replace by our folder's name; `.*` alone is in most regular expressions. */
function matchesFolder(word: string): boolean {
  if (!/[*?[]/.test(word) || !/^[.[?]/.test(word) || word.replace(/[^a-z]/g, '').length === 0) return false;
  const pattern = word
    .replace(/[.+^$|\\(){}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
    .replaceAll('[!', '[^');
  try {
    return new RegExp(`^${pattern}$`).test(PROJECT_FOLDER);
  } catch {
    return false;
  }
}
