import { list, type Wordings } from '../words.ts';

/** Parts of a server's definition that a plugin may have no place for. */
const HELD = {
  access: 'access that only a client holds',
  folder: 'a working folder',
  header: 'the header',
  variable: 'the variable',
  variables: 'the file with variables',
} as const;

/** Texts of a server's definition. */
const TEXTS = {
  command: 'the command contains',
  args: 'the arguments contain',
  cwd: 'the working folder contains',
  url: 'the URL contains',
} as const;

/** Why a plugin can't contain the reference. */
const NO_EQUAL: Readonly<
  Record<ExportFaults['export.reference']['why'], (a: ExportFaults['export.reference']) => string>
> = {
  none: ({ value, client }) => `${value || 'a reference'}, and ${client} plugins can't refer to this there`,
  plain: ({ value, client }) =>
    value
      ? `${value} as plain text, which ${client} would take for a reference`
      : `a text that ${client} would take for a reference`,
  plugin: ({ value }) => `${value}, the folder of the plugin that the server comes from`,
};

/** Arguments by code. */
export interface ExportFaults {
  'export.linked': { to: string };
  'export.not-empty': { found: readonly string[]; name: string };
  'export.not-a-folder': { reason: string };
  'export.edited': { files: readonly string[] };
  'export.formats': { formats: readonly string[] };
  'export.no-definition': { name: string };
  'export.machine-path': { places: readonly string[] };
  'export.reference': {
    client: string;
    where: keyof typeof TEXTS;
    /** '' for what may be a secret. */
    value: string;
    why: 'none' | 'plain' | 'plugin';
  };
  'export.secret': { places: readonly string[] };
  /** `value`: the file, or the name of the header or variable. */
  'export.inexpressible': { client: string; value?: string; what: keyof typeof HELD };
}

/** Faults of packing a plugin or extension. */
export const exportFaults = (): Wordings<ExportFaults> => ({
  'export.not-empty': {
    what: (a) =>
      `the folder contains files that are not from an earlier export of '${a.name}': ${list(a.found)}`,
    fix: () => 'Choose an empty or new folder with --out.',
  },
  'export.linked': {
    what: (a) => `goes through a symbolic link, to ${a.to}`,
    fix: () => 'Remove the link, or choose another folder with --out.',
  },
  'export.not-a-folder': {
    what: (a) => `can't be used as a folder (${a.reason})`,
    fix: () => 'Choose an empty or new folder with --out.',
  },
  'export.edited': {
    what: (a) => `changed since the last export and would be overwritten: ${list(a.files)}`,
    fix: () => 'Save what you need from them elsewhere, delete them, then run the command again.',
  },
  'export.formats': {
    what: (a) => `${list(a.formats)} need different contents in one file`,
    fix: () => 'Export each into a folder of its own, with a command for each.',
  },
  'export.no-definition': {
    what: (a) => `there is no definition of '${a.name}' to put into the plugin`,
    fix: () => 'Give one with -- <command> or --url, or omit --with-server.',
  },
  'export.machine-path': {
    what: (a) =>
      `the server's definition contains paths that don't exist or lead elsewhere on other machines: ${list(a.places)}`,
    fix: () => 'Give one that works on any machine with -- <command> or --url, or omit --with-server.',
  },
  'export.reference': {
    what: (a) => `${TEXTS[a.where]} ${NO_EQUAL[a.why](a)}`,
    fix: () => 'Give the server without it with -- <command> or --url, or omit --with-server.',
  },
  'export.secret': {
    what: (a) => `the server's definition contains a secret: ${list(a.places)}`,
    fix: () => "Use an environment variable instead, e.g. --header 'Authorization: Bearer ${TOKEN}'.",
  },
  'export.inexpressible': {
    what: (a) =>
      `${a.client} plugins can't hold ${HELD[a.what]}${a.value === undefined ? '' : ` ${a.value}`}`,
    fix: () => 'Omit --with-server, or reach the server another way.',
  },
});
