import { explain } from './schemas/explain.ts';
import { fire } from './schemas/fire.ts';
import { diff, exported, install } from './schemas/install.ts';
import { lint } from './schemas/lint.ts';
import { doctor, list } from './schemas/list.ts';
import { disable, enable, uninstall } from './schemas/uninstall.ts';

/** Schemas of the --json documents by command. A command with --json adds its own here. */
export const OUTPUTS = {
  install,
  export: exported,
  diff,
  list,
  explain,
  doctor,
  disable,
  enable,
  uninstall,
  fire,
  lint,
} as const;
