import { catalogueOutput } from './schemas/catalogue.ts';
import { explainOutput } from './schemas/explain.ts';
import { fireOutput } from './schemas/fire.ts';
import { diffOutput, exportOutput, installOutput } from './schemas/install.ts';
import { lintOutput } from './schemas/lint.ts';
import { doctorOutput, listOutput } from './schemas/list.ts';
import { scanOutput } from './schemas/scan.ts';
import { statsOutput } from './schemas/stats.ts';
import { disableOutput, enableOutput, uninstallOutput } from './schemas/uninstall.ts';

/** Schemas of the --json documents by command. A command with --json adds its own here. */
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
} as const;
