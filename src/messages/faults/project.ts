import { LOCK } from '../../base/paths.ts';
import type { NoArgs } from '../args.ts';
import { goneWords } from '../gone.ts';
import { syntaxText } from '../syntax.ts';
import { adopting, commandOn, FIRST_DEFINITION, list, named, updating, type Wordings } from '../words.ts';

const differences = ({ changed, altered, version, ours }: ProjectFaults['lock.differs']): string =>
  [
    ...changed.map((what) => `${what} would change`),
    ...(version === undefined ? [] : [`it was written by mcphooks ${version}, but this is ${ours}`]),
    ...altered.map((file) => `${file} differs`),
  ].join(', ');

const isVersion = (text: string | undefined): boolean =>
  text !== undefined && /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(text);

/** Arguments by code. */
export interface ProjectFaults {
  'lock.conflict': NoArgs;
  'lock.syntax': { reason: string };
  'lock.newer': { version: number };
  /** `version`: of mcphooks, by what the file says, where it isn't `ours`. */
  'lock.damaged': { path: string; version?: string; ours?: string };
  'lock.edited': { name: string };
  'lock.unlisted': { name: string; client: string };
  'lock.none': NoArgs;
  'lock.not-in': { known: readonly string[]; name: string };
  'lock.differs': {
    name: string;
    /** Approved parts that would change. */
    changed: readonly string[];
    /** Files whose content differs from what was written. */
    altered: readonly string[];
    /** The client that an install must name. */
    from?: string;
    /** Version of the mcphooks that wrote the lock file, when it differs from this one. */
    version?: string;
    ours?: string;
    /** The server's definition is gone, without which nothing can be installed. */
    gone?: 1;
  };
  /** `absent`: why the definition isn't in its file. */
  'lock.no-definition': { name: string; absent?: string };
  'lock.duplicate': { key: string };
  'lock.altered': NoArgs;
  'lock.other-version': { ours: string; version: string };
  'lock.other-versions': { names: readonly string[]; ours: string; versions: readonly string[] };
  'project.link': { path: string; to: string };
  'project.odd-file': { path: string };
  /**
   * `unlisted`: the project has entries that the lock file doesn't list; `names`: servers whose scripts are among the
   * files; `others`: not all files have names that mcphooks gives.
   */
  'project.unknown-files': {
    files: readonly string[];
    more?: number;
    unlisted?: 1;
    names?: readonly string[];
    others?: 1;
  };
  /** `copied`: 1: it is an entry of ours, in a file or folder where no install put it. */
  'project.other-command': { command: string; copied?: 1 };
  'project.foreign-hook': { command: string };
  'project.nested': { path: string };
  'project.look-alike': { meant: string; path: string };
  'project.outside': { to: string };
  'project.linked': { to: string };
  'project.not-ours': NoArgs;
  'project.outside-file': NoArgs;
  'project.attributes-taken': NoArgs;
  'project.backslash': NoArgs;
  /** Without `client`, all keep settings there. */
  'project.home': { client?: string; root: string };
  'project.own-machine': { files: readonly string[]; name: string; places: readonly string[] };
  /** `files` and `places`: relative to `root`, the project's top. */
  'project.subfolder': { files: readonly string[]; name: string; places: readonly string[]; root: string };
  'project.machine-path': { places: readonly string[] };
}

/** Says what removes files that nothing needs. */
function removals({ names = [], others }: ProjectFaults['project.unknown-files']): string {
  const commands = names.map((name) => `'${commandOn('uninstall', { name, scope: 'project' })}'`);
  const scripts = `${list(commands)} ${names.length > 1 ? 'remove' : 'removes'} the hook scripts of ${list(names)}.`;
  const rest = `Find out where ${names.length > 0 ? 'the other files' : 'they'} come from, and delete them.`;
  return [...(names.length > 0 ? [scripts] : []), ...(others || names.length === 0 ? [rest] : [])].join(' ');
}

/** Faults of a project's lock file and checkout. */
export const projectFaults = (): Wordings<ProjectFaults> => ({
  'lock.conflict': {
    what: () => 'unresolved merge conflict',
    fix: () =>
      "Take one side of the whole file ('git checkout --ours' or '--theirs'), then run 'mcphooks install --scope project <server> --client <clients>' for the other side's servers, with its clients and other options: its lock file has them.",
  },
  'lock.syntax': {
    what: (a) => `can't be read: ${syntaxText(a)}`,
    fix: () => 'Restore the file from git, or fix it at this place.',
  },
  'lock.newer': {
    what: (a) => `written by a newer mcphooks (lockfileVersion ${a.version})`,
    fix: () => 'Use that version or a newer one.',
  },
  'lock.damaged': {
    what: (a) => `not a valid mcphooks lock file${a.path ? `: ${a.path} is missing or malformed` : ''}`,
    fix: (a) =>
      isVersion(a.version)
        ? `mcphooks ${a.version} wrote it, and this is ${a.ours}: use that version. If it can't read the file either, restore the file from git.`
        : 'Restore the file from git, or delete it and install again.',
  },
  'lock.edited': {
    what: (a) =>
      `the declarations for '${a.name}' were edited in this file and no longer match their locked hash`,
    fix: () => 'Restore the file from git. To change hooks, change them in the server and install again.',
  },
  'lock.unlisted': {
    what: (a) => `contains hooks from '${a.name}', which the lock file doesn't list`,
    fix: (a) => `${adopting({ ...named(a, 'name', 'project'), client: a.client }, "'")}.`,
  },
  'lock.none': {
    what: () => 'no lock file of this project lists a server, so there is nothing to install',
    fix: () =>
      "Install a server for the project first: 'mcphooks install --scope project <server>', and commit what it writes. If the project had a lock file, restore it from git.",
  },
  'lock.not-in': {
    what: (a) => `the lock file has no server '${a.name}'`,
    fix: (a) => `It lists: ${list(a.known)}.`,
  },
  'lock.differs': {
    what: (a) => `the hooks locked for '${a.name}' can't be installed unchanged: ${differences(a)}`,
    fix: (a) =>
      a.gone
        ? `${FIRST_DEFINITION} Then run the command again.`
        : `${a.altered.includes(LOCK) ? 'Restore the lock file from git, or run' : 'Run'} '${updating({ ...a, scope: 'project' })}' without --frozen, and commit what it writes.`,
  },
  'lock.no-definition': {
    what: (a) => `${goneWords(a).what}, from which the lock file has the definition of '${a.name}'`,
    fix: (a) =>
      `Either ${goneWords(a).fix}, or remove the hooks: '${commandOn('uninstall', named(a, 'name', 'project'))}'.`,
  },
  'lock.duplicate': {
    what: (a) => `duplicate key '${a.key}': programs would read this lock file differently`,
    fix: () => 'Restore the file from git, or remove one of the two.',
  },
  'lock.altered': {
    what: () => 'contains something that mcphooks does not write there',
    fix: () => 'Restore the file from git, or install again and commit the result.',
  },
  'lock.other-version': {
    what: (a) => `written by mcphooks ${a.version}; this version (${a.ours}) can't verify its scripts`,
    // npx would run what the checkout has in node_modules, or what its .npmrc names.
    fix: (a) =>
      isVersion(a.version)
        ? `Check it with that version: npm install --global mcphooks@${a.version}, then mcphooks diff --scope project --offline. Or install again with this one and commit the result.`
        : 'That is not a mcphooks version. Restore the file from git, or install again and commit the result.',
  },
  'lock.other-versions': {
    what: (a) =>
      `mcphooks ${list(a.versions)} wrote the scripts of ${list(a.names)}; this version (${a.ours}) can't verify them`,
    fix: (a) =>
      `Install them again with this one and commit the result: ${a.names.map((name) => updating({ name, scope: 'project' })).join('; ')}`,
  },
  'project.link': {
    what: (a) => `${a.path} is a symbolic link to ${a.to}: its content can differ by folder and machine`,
    fix: () => "Replace the link with the file. mcphooks doesn't follow links to its own files in a project.",
  },
  'project.odd-file': {
    what: (a) => `${a.path} is neither a file nor a folder`,
    fix: () => 'Remove it.',
  },
  'project.unknown-files': {
    what: (a) =>
      `contains files that the lock file doesn't list: ${list(a.files)}${a.more ? ` and ${a.more} more` : ''}`,
    fix: (a) =>
      a.unlisted
        ? "First adopt or remove the hooks that the lock file doesn't list: they may need these files."
        : `mcphooks doesn't need them. ${removals(a)}`,
  },
  'project.other-command': {
    what: (a) => `this hook runs mcphooks' scripts, but mcphooks did not write it: ${a.command}`,
    fix: () => 'Find out where it comes from, and remove it.',
  },
  'project.foreign-hook': {
    what: (a) => `this hook isn't from mcphooks, but the file is for mcphooks' hooks only: ${a.command}`,
    fix: () => 'Find out where it comes from. Remove it, or put it into a file of its own.',
  },
  'project.nested': {
    what: () => "mcphooks' hooks in a subfolder of the project, where no install puts any",
    fix: () => 'Find out where they come from, and delete them.',
  },
  'project.look-alike': {
    what: (a) => `${a.path} is read as ${a.meant} on file systems that ignore case or accents`,
    fix: () => 'Delete or rename it.',
  },
  'project.outside': {
    what: (a) => `links out of the project, to ${a.to}`,
    fix: () => 'Replace the link with a file inside the project.',
  },
  'project.linked': {
    what: (a) => `goes through a symbolic link, to ${a.to}`,
    fix: () => "Remove the link: mcphooks doesn't follow links to its own files in a project.",
  },
  'project.not-ours': {
    what: () => 'is not a file that mcphooks writes in a project',
    fix: () => 'Leave it out.',
  },
  'project.attributes-taken': {
    what: () =>
      "is not from mcphooks, which needs a file of this name: it keeps git from converting its scripts' line ends",
    fix: () => "Move its lines to the project's own .gitattributes, one folder up, and delete it.",
  },
  'project.backslash': {
    what: () => "has a backslash in its name, which others' Windows takes for a folder",
    fix: () => 'Rename it.',
  },
  'project.outside-file': {
    what: () => 'is outside the project, so others would not have it',
    fix: () => 'Put it into the project and give that path.',
  },
  'project.home': {
    what: (a) => `${a.root} is not a project: ${a.client ?? 'every client'} keeps your own settings there`,
    fix: () => "Run this in a project's folder, or leave --scope out.",
  },
  'project.own-machine': {
    what: (a) =>
      `'${a.name}' is configured on your machine only (${list(a.files)}), so nobody else's hooks could reach it`,
    fix: (a) =>
      `Configure it in the project, e.g. in ${list(a.places)}, or give a definition that works for everyone with -- <command> or --url.`,
  },
  'project.subfolder': {
    what: (a) =>
      `'${a.name}' is configured in a subfolder (${list(a.files)}), but hooks of a project use the files of its top, ${a.root}`,
    fix: (a) =>
      `Configure it there, e.g. in ${list(a.places)}, or give a definition that works from there with -- <command> or --url.`,
  },
  'project.machine-path': {
    what: (a) => `the server's definition contains paths on this machine: ${list(a.places)}`,
    fix: () => 'Use one that works on every machine, such as a program on PATH.',
  },
});
