import { approvals } from './approvals.ts';
import { doubles, localToo, projectToo, twoFiles } from './duplicates.ts';
import { elsewhere } from './elsewhere.ts';
import { folderTrust } from './folder-trust.ts';
import { installs } from './installs.ts';
import { node } from './node.ts';
import { checkout, failures, interrupted, ownFolders, record, unknownClients } from './own.ts';
import { programs } from './programs.ts';
import { serversOff } from './servers-off.ts';
import { environment, switches } from './switches.ts';
import { installing, paused } from './tools.ts';
import type { Check } from './types.ts';
import { unreadableConfig } from './unreadable-config.ts';
import { halves, usedText } from './used-texts.ts';
import { kept } from './warm-servers.ts';
import { withdrawn } from './withdrawn.ts';

/** All checks, in the order in which a person should fix what they find. */
export const CHECKS: readonly Check[] = [
  interrupted,
  ownFolders,
  record,
  unknownClients,
  checkout,
  environment,
  programs,
  switches,
  approvals,
  installs,
  node,
  folderTrust,
  elsewhere,
  twoFiles,
  projectToo,
  localToo,
  doubles,
  usedText,
  halves,
  unreadableConfig,
  serversOff,
  withdrawn,
  paused,
  installing,
  kept,
  failures,
];
