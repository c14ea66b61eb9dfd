import { DIFF, DISABLE, ENABLE, INSTALL, UNINSTALL } from './rows/hooks.ts';
import { DOCTOR, EXPLAIN, FIRE, LIST } from './rows/look.ts';
import type { CommandRow } from './rows/row.ts';
import { COMPLETIONS, EXPORT, LINT, SCHEMA } from './rows/share.ts';

/** All commands, in the order of the help page. */
export const COMMANDS: readonly CommandRow[] = [
  INSTALL,
  DIFF,
  LIST,
  UNINSTALL,
  EXPLAIN,
  DISABLE,
  ENABLE,
  EXPORT,
  FIRE,
  DOCTOR,
  LINT,
  SCHEMA,
  COMPLETIONS,
];
