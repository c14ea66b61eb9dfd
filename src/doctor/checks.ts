import { doubles, projectToo, twoFiles } from './doubles.ts';
import { folderTrust } from './folder-trust.ts';
import { approvals, installs } from './installs.ts';
import { failures, interrupted, node, record } from './own.ts';
import { programs } from './programs.ts';
import { environment, switches } from './switches.ts';
import type { Check } from './types.ts';

/** In the order in which a person should mend what they find. */
export const CHECKS: readonly Check[] = [
  interrupted,
  record,
  environment,
  programs,
  switches,
  approvals,
  installs,
  node,
  folderTrust,
  twoFiles,
  projectToo,
  doubles,
  failures,
];
