import type { Path } from '../declarations/path.ts';
import { runs } from '../fire/shell/command-words.ts';
import type { LintRule, Occurrence } from './types.ts';

/** Names that stand for a folder where they are the whole glob. */
const FOLDERS = ['src', 'lib', 'app', 'apps', 'docs', 'test', 'tests', 'packages', 'scripts', 'examples'];

/** Returns why no path of a file fits a glob; undefined when one can. */
function pathTrouble(glob: string): string | undefined {
  if (glob.endsWith('/') || FOLDERS.includes(glob)) return 'folder';
  const segments = glob.replace(/^\//, '').split('/');
  return segments.some((segment) => segment === '' || segment === '.') ? 'segment' : undefined;
}

/** Returns why no command has these words, and which; undefined when one can. */
function commandTrouble(words: readonly string[]): { trouble: string; i: number } | undefined {
  const [program = ''] = words;
  if (/^-|^[A-Za-z_]\w*=/.test(program)) return { trouble: 'program', i: 0 };
  if (!runs([{ words: [...words], piped: false }], words)) return { trouble: 'wrapper', i: 0 };
  const glob = words.findIndex((word) => /[*?]/.test(word) && word.length > 1);
  return glob < 0 ? undefined : { trouble: 'glob', i: glob };
}

/** Rules about conditions that can't hold, or hold where they weren't meant to. */
export const NEVER_RULES: readonly LintRule[] = [
  {
    code: 'lint.condition-never',
    find: ({ when = {} }) => {
      const { path = [], files = [], command } = when;
      const found = (at: Path, value: string, trouble: string | undefined): Occurrence[] =>
        trouble ? [{ at: ['when', ...at], args: { value, trouble } }] : [];
      const words = command && commandTrouble(command);
      return [
        ...path.flatMap((glob, i) => found(['path', i], glob, pathTrouble(glob))),
        ...files.flatMap((name, i) =>
          found(['files', i], name, /\{.*,.*\}/.test(name) ? 'braces' : undefined),
        ),
        ...(words ? found(['command', words.i], command[words.i] ?? '', words.trouble) : []),
      ];
    },
  },
  {
    code: 'lint.literal-word',
    find: ({ when = {} }) =>
      (when.command ?? []).flatMap((value, i): Occurrence[] =>
        value === '*' || value === '?' ? [{ at: ['when', 'command', i], args: { value } }] : [],
      ),
  },
];
