import type { NoArgs } from '../args.ts';
import { syntaxText } from '../syntax.ts';
import { list, type Wordings } from '../words.ts';

const differences = ({ changed, altered, version, ours }: ProjectFaults['lock.differs']): string =>
  [
    ...changed.map((what) => `${what} would change`),
    ...(version === undefined ? [] : [`it was written by mcphooks ${version}, and this is ${ours}`]),
    ...altered.map((file) => `${file} is another`),
  ].join(', ');

/** Arguments by code. */
export interface ProjectFaults {
  'lock.conflict': NoArgs;
  'lock.syntax': { reason: string };
  'lock.newer': { version: number };
  'lock.damaged': { path: string };
  'lock.edited': { name: string };
  'lock.unlisted': { name: string };
  'lock.none': NoArgs;
  'lock.not-in': { known: readonly string[]; name: string };
  'lock.differs': {
    name: string;
    /** Approved parts that would change. */
    changed: readonly string[];
    /** Files whose content differs from what was written. */
    altered: readonly string[];
    /** Version of the mcphooks that wrote the lock file, when it differs from this one. */
    version?: string;
    ours?: string;
  };
  'lock.duplicate': { key: string };
  'lock.altered': NoArgs;
  'lock.other-version': { ours: string; version: string };
  'project.link': { path: string; to: string };
  'project.odd-file': { path: string };
  'project.unknown-files': { files: readonly string[]; more?: number };
  'project.other-command': { command: string };
  'project.nested': { path: string };
  'project.look-alike': { meant: string; path: string };
  'project.outside': { to: string };
  'project.linked': { to: string };
  'project.not-ours': NoArgs;
  'project.outside-file': NoArgs;
  'project.home': { client: string; root: string };
  'project.own-machine': { files: readonly string[]; name: string; places: readonly string[] };
  'project.machine-path': { places: readonly string[] };
}

/** Faults of a project's lock file and checkout. */
export const projectFaults = (): Wordings<ProjectFaults> => ({
  'lock.conflict': {
    what: () => 'a merge conflict',
    fix: () =>
      "Take one side of the whole file ('git checkout --ours' or '--theirs'), then run 'mcphooks install --scope project <server>' for the servers of the other.",
  },
  'lock.syntax': {
    what: (a) => `can't be read: ${syntaxText(a)}`,
    fix: () => 'Take the file back from git, or mend it at this place.',
  },
  'lock.newer': {
    what: (a) => `written by a later mcphooks (lockfileVersion ${a.version})`,
    fix: () => 'Use that version, or a later one.',
  },
  'lock.damaged': {
    what: (a) => `no lock file of mcphooks: ${a.path} is missing or has another shape`,
    fix: () => 'Take the file back from git, or remove it and install anew.',
  },
  'lock.edited': {
    what: (a) =>
      `the declarations of '${a.name}' were edited here, and no longer have the hash that was locked`,
    fix: () => 'Take the file back from git. To change hooks, change them in the server and install again.',
  },
  'lock.unlisted': {
    what: (a) => `holds hooks of '${a.name}', of which the lock file says nothing`,
    fix: (a) => `Install them again or take them out: 'mcphooks uninstall --scope project ${a.name}'.`,
  },
  'lock.none': {
    what: () => 'this project has no lock file, so there is nothing to install',
    fix: () =>
      "Install a server for the project first: 'mcphooks install --scope project <server>', and commit what it writes.",
  },
  'lock.not-in': {
    what: (a) => `the lock file has no server '${a.name}'`,
    fix: (a) => `It has: ${list(a.known)}.`,
  },
  'lock.differs': {
    what: (a) => `what the lock file holds of '${a.name}' can't be installed as it is: ${differences(a)}`,
    fix: (a) =>
      `Run 'mcphooks install --scope project ${a.name}' without --frozen, and commit what it writes.`,
  },
  'lock.duplicate': {
    what: (a) => `'${a.key}' stands twice in one object, so that readers see different lock files`,
    fix: () => 'Take the file back from git, or leave one of them.',
  },
  'lock.altered': {
    what: () => 'holds something that mcphooks does not write there',
    fix: () => 'Take the file back from git, or install again and commit what that writes.',
  },
  'lock.other-version': {
    what: (a) =>
      `written by mcphooks ${a.version}; this is ${a.ours}, which can't tell whether the scripts are what that version writes`,
    fix: (a) =>
      /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(String(a.version))
        ? `Check it with that version: npx mcphooks@${a.version} diff --scope project --offline. Or install again with this one, and commit what it writes.`
        : 'That is no version of mcphooks. Take the file back from git, or install again and commit what that writes.',
  },
  'project.link': {
    what: (a) => `${a.path} is a symbolic link, to ${a.to}: what stands there differs by folder and machine`,
    fix: () => 'Put the file itself there. mcphooks follows no link to its own files in a project.',
  },
  'project.odd-file': {
    what: (a) => `${a.path} is neither a file nor a folder`,
    fix: () => 'Remove it.',
  },
  'project.unknown-files': {
    what: (a) =>
      `holds files of which the lock file says nothing: ${list(a.files)}${a.more ? ` and ${a.more} more` : ''}`,
    fix: () => 'Nothing of mcphooks needs them. See where they come from, and remove them.',
  },
  'project.other-command': {
    what: (a) => `a hook names scripts of mcphooks, and is none that mcphooks wrote: ${a.command}`,
    fix: () => 'See where it comes from, and take it out.',
  },
  'project.nested': {
    what: (a) =>
      `${a.path}: hooks of mcphooks in a folder below the project's root, where no install puts any`,
    fix: () => 'See where they come from, and remove them.',
  },
  'project.look-alike': {
    what: (a) => `${a.path} is taken for ${a.meant} on machines that ignore case or accents in names`,
    fix: () => 'Remove it, or rename it.',
  },
  'project.outside': {
    what: (a) => `leads out of the project, to ${a.to}`,
    fix: () => 'Put a file of the project there instead of the link.',
  },
  'project.linked': {
    what: (a) => `is reached by a symbolic link, and is ${a.to}`,
    fix: () => 'Remove the link: mcphooks follows none to its own files in a project.',
  },
  'project.not-ours': {
    what: () => 'is no file that mcphooks writes in a project',
    fix: () => 'Leave it out.',
  },
  'project.outside-file': {
    what: () => 'lies outside of the project, so that others would not have it',
    fix: () => 'Put it into the project and name it there.',
  },
  'project.home': {
    what: (a) => `${a.root} is no project: ${a.client} keeps your own settings there`,
    fix: () => "Run this in a project's folder, or leave --scope out.",
  },
  'project.own-machine': {
    what: (a) =>
      `'${a.name}' is configured on your machine only (${list(a.files)}), so nobody else's hooks could reach it`,
    fix: (a) =>
      `Configure it in the project, e.g. in ${list(a.places)}, or say how anyone reaches it with -- <command> or --url.`,
  },
  'project.machine-path': {
    what: (a) => `how the server is reached names places of this machine: ${list(a.places)}`,
    fix: () => 'Say it in a way that holds on every machine, such as a program on PATH.',
  },
});
