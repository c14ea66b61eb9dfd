import { DIFF, DISABLE, ENABLE, INSTALL, UNINSTALL } from './rows/hooks.ts';
import { DOCTOR, EXPLAIN, FIRE, LIST, LOG, SCAN, STATS } from './rows/look.ts';
import type { CommandRow } from './rows/row.ts';
import { CATALOGUE, COMPLETIONS, EXPORT, INIT, LINT, SCHEMA } from './rows/share.ts';

/** All commands, in the order of the help page. */
export const COMMANDS: readonly CommandRow[] = [
  SCAN,
  INSTALL,
  DIFF,
  LIST,
  UNINSTALL,
  EXPLAIN,
  DISABLE,
  ENABLE,
  EXPORT,
  FIRE,
  LOG,
  STATS,
  DOCTOR,
  CATALOGUE,
  INIT,
  LINT,
  SCHEMA,
  COMPLETIONS,
];
