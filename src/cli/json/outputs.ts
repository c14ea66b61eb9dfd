import { catalogue } from './schemas/catalogue.ts';
import { explain } from './schemas/explain.ts';
import { fire } from './schemas/fire.ts';
import { diff, exported, install } from './schemas/install.ts';
import { lint } from './schemas/lint.ts';
import { doctor, list } from './schemas/list.ts';
import { scan } from './schemas/scan.ts';
import { stats } from './schemas/stats.ts';
import { disable, enable, uninstall } from './schemas/uninstall.ts';

/** Schemas of the --json documents by command. A command with --json adds its own here. */
export const OUTPUTS = {
  scan,
  catalogue,
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
  stats,
  lint,
} as const;
