import { catalogueOutput } from './schemas/catalogue.ts';
import { explainOutput } from './schemas/explain.ts';
import { fireOutput } from './schemas/fire.ts';
import { diffOutput, exportOutput, installOutput } from './schemas/install.ts';
import { lintOutput } from './schemas/lint.ts';
import { doctorOutput, listOutput } from './schemas/list.ts';
import { scanOutput } from './schemas/scan.ts';
import { statsOutput } from './schemas/stats.ts';
import { disableOutput, enableOutput, uninstallOutput } from './schemas/uninstall.ts';

/** Commands with a --json document. */
export type OutputName =
  | 'scan'
  | 'catalogue'
  | 'install'
  | 'export'
  | 'diff'
  | 'list'
  | 'explain'
  | 'doctor'
  | 'disable'
  | 'enable'
  | 'uninstall'
  | 'fire'
  | 'stats'
  | 'lint';

/**
 * Schemas of the --json documents by command. A command with --json adds its own here.
 * @internal Their types name zod, which users of the library need not have.
 */
export const OUTPUTS = {
  scan: scanOutput,
  catalogue: catalogueOutput,
  install: installOutput,
  export: exportOutput,
  diff: diffOutput,
  list: listOutput,
  explain: explainOutput,
  doctor: doctorOutput,
  disable: disableOutput,
  enable: enableOutput,
  uninstall: uninstallOutput,
  fire: fireOutput,
  stats: statsOutput,
  lint: lintOutput,
} as const satisfies Record<OutputName, object>;
