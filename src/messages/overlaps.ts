import { listed } from '../base/listed.ts';
import type { FaultArgs } from './args.ts';
import { commandOn, named, type Wording } from './words.ts';

/** Returns which hooks of an install, behind one that takes precedence, that one lacks. `a.silent`: them. */
function silentToo({ silent }: FaultArgs): string {
  if (!Array.isArray(silent) || silent.length === 0) return '';
  return `, so ${listed(silent)} of that install ${silent.length === 1 ? 'gives' : 'give'} none`;
}

export const projectSilent = (a: FaultArgs): string =>
  `the project also has hooks of this server; on this machine only your own give text${silentToo(a)}`;

export const localSilent = (a: FaultArgs): string =>
  `you also have hooks of this server in this project (--scope local); there, only these give text${silentToo(a)}`;

/** Hooks of a project that give no text beside the user's own of the same server. */
export const projectSilentFinding: Wording = {
  what: (a) => `its hooks are also installed for this project; here only yours give text${silentToo(a)}`,
};

/** Hooks at scope local that give no text beside the user's own of the same server. */
export const localSilentFinding: Wording = {
  what: (a) =>
    `its hooks are also installed for you in this project (--scope local); here only those for all projects give text${silentToo(a)}`,
  fix: (a) =>
    `keep one: ${commandOn('uninstall', named(a))}, or ${commandOn('uninstall', named(a, 'name', 'local'))}`,
};

/** Why the hooks of an install give no text here. `a.detail`: `none`: those that take precedence have none there. */
export const otherInstall = (a: FaultArgs): string =>
  a.detail === 'none'
    ? `another install of your own takes precedence here, and has no hook for ${a.event}`
    : 'your own hooks of this server give the text here';
