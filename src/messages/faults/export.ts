import { list, type Wordings } from '../words.ts';

/** Arguments by code. */
export interface ExportFaults {
  'export.linked': { to: string };
  'export.not-empty': { found: readonly string[]; name: string };
  'export.not-a-folder': { reason: string };
  'export.edited': { files: readonly string[] };
  'export.formats': { formats: readonly string[] };
  'export.no-definition': { name: string };
  'export.machine-path': { places: readonly string[] };
  'export.secret': { places: readonly string[] };
  'export.inexpressible': { client: string; what: string };
}

/** Faults of packing a plugin or extension. */
export const exportFaults = (): Wordings<ExportFaults> => ({
  'export.not-empty': {
    what: (a) => `the folder holds something that is no earlier export of '${a.name}': ${list(a.found)}`,
    fix: () => 'Name an empty or a new folder with --out.',
  },
  'export.linked': {
    what: (a) => `is reached by a symbolic link, and is ${a.to}`,
    fix: () => 'Remove the link, or name another folder with --out.',
  },
  'export.not-a-folder': {
    what: (a) => `can't be used as a folder (${a.reason})`,
    fix: () => 'Name an empty or a new folder with --out.',
  },
  'export.edited': {
    what: (a) => `changed since it was exported, and would be overwritten: ${list(a.files)}`,
    fix: () => 'Keep what you need of them elsewhere, remove them, and run the command again.',
  },
  'export.formats': {
    what: (a) => `${list(a.formats)} need different contents in one file`,
    fix: () => 'Export them into folders of their own.',
  },
  'export.no-definition': {
    what: (a) => `nothing says how '${a.name}' is reached, so it can't be put into the plugin`,
    fix: () => 'Say it with -- <command> or --url, or leave --with-server out.',
  },
  'export.machine-path': {
    what: (a) => `the server's definition names places of this machine: ${list(a.places)}`,
    fix: () => 'Say how any machine reaches it with -- <command> or --url, or leave --with-server out.',
  },
  'export.secret': {
    what: (a) => `the server's definition holds a secret itself: ${list(a.places)}`,
    fix: () => "Name an environment variable instead, e.g. --header 'Authorization: Bearer ${TOKEN}'.",
  },
  'export.inexpressible': {
    what: (a) => `${a.client} has no way to write ${a.what} in a plugin`,
    fix: () => 'Leave --with-server out, or reach the server in another way.',
  },
});
