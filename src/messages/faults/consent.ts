import { COVERS } from '../start.ts';
import {
  commandOn,
  FIRST_DEFINITION,
  list,
  named,
  RESTORE_LOCK,
  updating,
  type Wordings,
  wordOf,
} from '../words.ts';

const START_REASONS: Readonly<Record<string, string>> = {
  project: 'a project file defines how to reach',
  local: 'this file defines for this project only how to reach',
  folder: 'the folder decides what is started for',
};

const numberedHooks = (numbers: readonly string[]): string =>
  `hook${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')}`;

/** Arguments by code. */
export interface ConsentFaults {
  /** `lock`: the lock file differs, `alone` or `too`. */
  /** `gone`: the server's definition is gone, too. */
  'fire.altered': { name: string; lock?: string; gone?: 1 };
  /** `from`: the client that an install must name. */
  'fire.changed': { name: string; what: readonly string[]; from?: string };
  'gate.project-start': { command?: string; hash: string; name: string; reason?: string; shown: string };
  'consent.none': { changed?: 1 };
  'consent.declined': { removed?: 1 };
  'consent.changed': { name: string; what: readonly string[] };
  'consent.control': { granted: string; name: string };
  'consent.control-added': { name: string; added: readonly string[]; removed?: 1 };
  'consent.tool-data': { name: string; added?: readonly string[]; removed?: 1 };
}

const APPROVE_CHANGED = 'Read the plan, then approve it with --yes --accept-changed.';

const nothingWritten = ({ removed }: { removed?: 1 }): string =>
  removed ? 'nothing more was written' : 'nothing was written';

/** Faults for missing approvals. */
export const consentFaults = (): Wordings<ConsentFaults> => ({
  'fire.altered': {
    what: (a) =>
      `the project's hook files for '${a.name}' differ from what this mcphooks writes, so they were not run`,
    fix: (a) =>
      `'mcphooks diff --scope project' shows the difference. ${a.gone ? `${FIRST_DEFINITION} ` : ''}${a.lock === 'too' ? RESTORE_LOCK : 'To fix it'}: '${commandOn('install', named(a, 'name', 'project'), a.lock ? '' : '--frozen')}'.`,
  },
  'fire.changed': {
    what: (a) =>
      `changed since '${a.name}' was approved for the project: ${list(a.what)}; its hooks were not run`,
    fix: (a) =>
      `'mcphooks diff --scope project' shows the difference; '${updating({ ...a, scope: 'project' })}' asks to accept it.`,
  },
  'gate.project-start': {
    what: (a) => `${START_REASONS[String(a.reason)]} '${a.name}', which is not approved here: ${a.shown}`,
    fix: (a) =>
      `${COVERS} If you trust it${a.command ? `: ${commandOn(a.command, named(a), `--allow-start ${a.hash}`)}` : `, add --allow-start ${a.hash}`}`,
  },
  'consent.none': {
    what: () => 'not approved, so nothing was written',
    fix: (a) => (a.changed ? APPROVE_CHANGED : 'Approve the plan with --yes.'),
  },
  'consent.declined': { what: (a) => `not approved, so ${nothingWritten(a)}` },
  'consent.changed': {
    what: (a) => `changed since you approved '${a.name}': ${list(a.what)}; nothing was written`,
    fix: () => APPROVE_CHANGED,
  },
  'consent.control': {
    what: (a) =>
      `--grant-control lets a server's answers deny, approve and rewrite what the agent does; it names '${a.granted}', but this server is '${a.name}'`,
    fix: (a) => `If you trust it that far, use --grant-control ${wordOf(a)}.`,
  },
  'consent.tool-data': {
    what: (a) =>
      `hooks from '${a.name}' send tool inputs, tool outputs or your prompts to the server, which needs a separate approval, so ${nothingWritten(a)}`,
    fix: (a) =>
      `${a.added ? `Your earlier approval doesn't cover ${numberedHooks(a.added)}: new or changed since. ` : ''}Approve it with --send-tool-data, or leave those hooks out with --skip.`,
  },
  'consent.control-added': {
    what: (a) =>
      `the earlier --grant-control doesn't cover ${numberedHooks(a.added)} of '${a.name}', new or changed since, so ${nothingWritten(a)}`,
    fix: (a) =>
      `The answers of their tools could deny, approve and rewrite what the agent does. If you trust the server that far, add --grant-control ${wordOf(a)}; else leave these hooks out with --skip.`,
  },
});
