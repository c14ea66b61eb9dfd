import type { NoArgs } from '../args.ts';
import { COVERS } from '../start.ts';
import { list, type Wordings, word } from '../words.ts';

const START_REASONS: Readonly<Record<string, string>> = {
  project: 'a file of this project says how to reach',
  local: 'this file says how to reach for this project alone',
  folder: 'it depends on the folder what is started for',
};

/** Arguments by code. */
export interface ConsentFaults {
  'fire.altered': { name: string };
  'gate.project-start': { command?: string; hash: string; name: string; reason?: string; shown: string };
  'consent.none': NoArgs;
  'consent.declined': NoArgs;
  'consent.changed': { name: string; what: readonly string[] };
  'consent.control': { granted: string; name: string };
  'consent.tool-data': { name: string };
}

/** Faults for missing approvals. */
export const consentFaults = (): Wordings<ConsentFaults> => ({
  'fire.altered': {
    what: (a) =>
      `what stands in the project for '${a.name}' is not what this mcphooks would write, so it is not run`,
    fix: (a) =>
      `'mcphooks diff --scope project' shows it; 'mcphooks install --scope project ${a.name}' mends it.`,
  },
  'gate.project-start': {
    what: (a) => `${START_REASONS[String(a.reason)]} '${a.name}', and that was not approved here: ${a.shown}`,
    fix: (a) =>
      `When you trust this command${a.command ? `: mcphooks ${a.command} ${word(a.name)}` : ', add'} --allow-start ${a.hash}. ${COVERS}`,
  },
  'consent.none': {
    what: () => 'not approved, so nothing was written',
    fix: () => 'Approve the plan with --yes.',
  },
  'consent.declined': { what: () => 'not approved, so nothing was written' },
  'consent.changed': {
    what: (a) => `${list(a.what)} of '${a.name}' changed since you approved them, so nothing was written`,
    fix: () => 'Read the plan, then approve it with --yes --accept-changed.',
  },
  'consent.control': {
    what: (a) =>
      `--grant-control lets a server's answers deny, approve and rewrite what the agent does; it names '${a.granted}', and this is '${a.name}'`,
    fix: (a) => `When you trust it that far, write --grant-control ${word(a.name)}.`,
  },
  'consent.tool-data': {
    what: (a) =>
      `hooks of '${a.name}' send what tools are given and answer, or what you ask, to the server; that needs a word of its own`,
    fix: () => 'Allow it with --send-tool-data, or leave those hooks out with --skip.',
  },
});
