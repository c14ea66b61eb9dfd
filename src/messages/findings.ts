import { once } from '../base/once.ts';
import { HERE } from '../base/platform.ts';
import type { FaultArgs } from './args.ts';
import { type FaultCode, wordings } from './faults.ts';
import { clientFindingWords } from './findings/clients.ts';
import { toolFindingWords } from './findings/tools.ts';
import { definitionLost } from './gone.ts';
import { projectOnWindowsText } from './notes.ts';
import { localSilentFinding, projectSilentFinding } from './overlaps.ts';
import {
  adopting,
  approving,
  are,
  commandOn,
  entries,
  list,
  named,
  orUnedited,
  RESTORE_LOCK,
  restoring,
  updating,
  type Wording,
  word,
  wordsOf,
} from './words.ts';

const stillActive = ({ active }: FaultArgs): boolean => Array.isArray(active) && active.length > 0;

/** The exception of a server's hooks for which a client calls a tool itself. */
const butSelfCalled = (a: FaultArgs): string =>
  stillActive(a) ? `, but not those for which ${list(a.active)} calls a tool itself (--grant-control)` : '';

/** Sentences on what stops hooks from firing or is worth knowing: the problem, and the one step that solves it. */
const findings = once(
  () =>
    ({
      'doctor.disabled': {
        what: (a) => `its hooks are disabled${butSelfCalled(a)}`,
        fix: (a) =>
          `${commandOn('enable', named(a))}${stillActive(a) ? `; to turn off the others, too: ${commandOn('uninstall', a)}` : ''}`,
      },
      'doctor.no-hooks': {
        what: () => 'it is installed without hooks: the last install left none',
        fix: (a) => `nothing to do; or ${commandOn('uninstall', a)} to forget the server`,
      },
      'doctor.withdrawn': {
        what: (a) =>
          `its hooks come from catalogue entry '${a.entry}', which was withdrawn on ${a.on}: ${a.reason}`,
        fix: (a) => `${commandOn('uninstall', a)} removes them; they stay until then`,
      },
      'doctor.environment': {
        what: (a) =>
          `MCPHOOKS_DISABLE=${a.value} turns off hooks in every client started from here${butSelfCalled(a)}`,
        fix: () =>
          `${HERE.windows ? 'remove MCPHOOKS_DISABLE from the environment' : 'unset MCPHOOKS_DISABLE'}, then restart the client`,
      },
      'doctor.record': {
        what: () => "mcphooks' record file is damaged",
        fix: () =>
          'mcphooks install <server>, for each server and with its options; mcphooks still recognises its entries',
      },
      'doctor.client-unknown': {
        what: (a) => `its hooks are installed for ${a.name}, which this version of mcphooks does not support`,
        fix: () => 'use the version of mcphooks that installed them, or a newer one',
      },
      'doctor.unknown': {
        what: (a) =>
          a.left
            ? 'an uninstall left hooks in this file that were edited by hand; they have no effect'
            : 'mcphooks has hooks in this file but no record of installing them',
        fix: (a) =>
          a.left
            ? `remove them by hand, or with ${commandOn('uninstall', a, `--client ${a.client} --edited`)}`
            : adopting(a),
      },
      'doctor.serves-none': {
        what: () => 'an entry for all servers is left in this file, and serves none now',
        fix: (a) =>
          `remove it by hand, or with ${commandOn('uninstall', a, `--client ${a.client} --edited`)}`,
      },
      'doctor.interrupted': {
        what: () => 'a run of mcphooks was interrupted; its change is incomplete',
        fix: () => 'mcphooks list completes or reverts it',
      },
      'doctor.open-above': {
        what: (a) =>
          `every user of this machine can replace ${a.folder}, the folder of hook scripts or records`,
        fix: (a) => `check what is in it, then close the folder above: chmod o-w ${word(a.above)}`,
      },
      'doctor.state-of-another': {
        what: (a) =>
          `another user owns ${a.number === 1 ? 'a file or folder' : `${a.number} files or folders`} in ${a.state}, as after a session as root: hooks can't write there, so they may give a text again, keep no server running, and log nothing`,
        fix: (a) =>
          `give it back to yourself: sudo chown -R ${a.user} ${word(a.state)}; and start clients without sudo, or with 'sudo -H'`,
      },
      'doctor.state-unwritable': {
        what: () =>
          "hooks can't write here, so they may give a text again, store none for a later event, keep no server running, and log nothing",
        fix: (a) => `let yourself write there: chmod ${a.deep ? '-R ' : ''}u+rwX ${word(a.folder)}`,
      },
      ...clientFindingWords(),
      'doctor.missing': {
        what: (a) => `${entries(a)} ${are(a)} missing: ${list(a.names)}`,
        fix: restoring,
      },
      'doctor.file-unread': {
        what: (a) => `${a.client} doesn't read the file with its entries now: it reads ${a.reads}`,
        fix: (a) =>
          `${a.variable ? `set ${a.variable} as at the install; or ` : ''}to have them there, too: ${commandOn('install', a)}${a.moves ? ', once the server is configured there' : ''}`,
      },
      'doctor.main-worktree': {
        what: (a) =>
          `${a.client} runs no hooks from this git worktree, but those of the main checkout, and its file lacks ${entries(a)} as installed here: ${list(a.names)}`,
        fix: () => 'bring them there: merge this branch, or copy the file',
      },
      'doctor.other-data': {
        what: () =>
          `its hook scripts are outside mcphooks' folder of today, which ${HERE.windows ? 'LOCALAPPDATA' : 'HOME'} or XDG_DATA_HOME names`,
        fix: (a) =>
          `set both as at the install, for every command; or move the scripts: ${commandOn('install', a)}`,
      },
      'doctor.edited': {
        what: (a) => `${entries(a)} ${a.n === 1 ? 'was' : 'were'} edited by hand: ${list(a.names)}`,
        fix: (a) => (a.scope === 'project' ? restoring(a) : orUnedited(commandOn('install', a))),
      },
      'doctor.repeated': {
        what: (a) =>
          `${entries(a)} ${a.n === 1 ? 'stands' : 'stand'} more than once in this file: ${list(a.names)}`,
        fix: (a) => `${restoring(a)} removes equal ones; remove one that was edited by hand`,
      },
      'doctor.other-folder': {
        what: (a) => `another folder of ${a.client} has its hooks as an earlier install wrote them`,
        fix: (a) => `${commandOn('install', a)}, with ${a.variable} set to that folder`,
      },
      'doctor.own-gone': {
        what: (a) => `${a.n} ${a.n === 1 ? 'hook script file is' : 'hook script files are'} missing`,
        fix: (a) =>
          a.none ? `${restoring(a)}; or remove what is left: ${commandOn('uninstall', a)}` : restoring(a),
      },
      'doctor.own-altered': {
        what: (a) =>
          `${a.n} ${a.n === 1 ? 'hook script file was' : 'hook script files were'} changed (content or permissions)`,
        fix: restoring,
      },
      'doctor.lock-altered': {
        what: () =>
          'the lock file differs from what this mcphooks makes of the declarations and options in it',
        fix: (a) => `${RESTORE_LOCK}: ${commandOn('install', a)}`,
      },
      'doctor.no-node': {
        what: (a) =>
          a.node
            ? `the node that its hook scripts were written for is gone (${a.node}), and node is not on PATH`
            : 'its hook scripts need node, which is not on PATH',
        fix: (a) =>
          a.node
            ? `${commandOn('install', a)}, with a permanent node`
            : 'install node 20.17 or later, and add its folder to PATH',
      },
      'doctor.node-gone': {
        what: (a) => `the node that starts its hooks is gone (${a.node}), so none fires`,
        fix: (a) => `${commandOn('install', a)}, with a permanent node`,
      },
      'doctor.node-broken': {
        what: (a) =>
          `the node that runs its hook scripts doesn't start: '--version' printed no version number within ${a.seconds} s`,
        fix: (a) =>
          `${word(a.path)} --version shows why; mend that node, or put another first on PATH${a.node ? `, then ${commandOn('install', a)}` : ''}`,
      },
      'doctor.node-old': {
        what: (a) => `its hook scripts run with node ${a.found}, but need ${a.oldest} or later`,
        fix: (a) =>
          `update that node, or put a later one first on PATH${a.node ? `, then ${commandOn('install', a)}` : ''}`,
      },
      'doctor.node-moved': {
        what: (a) =>
          `the node that its hook scripts were written for is gone (${a.node}); they use the one on PATH`,
        fix: (a) => commandOn('install', a),
      },
      'doctor.two-files': {
        what: (a) =>
          `there are hooks in two files (${list(a.files)}): both run, and ${a.client} warns at each start`,
        fix: () => 'keep hooks in one of them',
      },
      'doctor.heard-ours': {
        what: (a) =>
          `${a.client} uses only the ${a.textsUsed} text from hooks at ${a.native}: from these, not from those in ${list(a.files)}`,
      },
      'doctor.heard-theirs': {
        what: (a) =>
          `${a.client} uses only the ${a.textsUsed} text from hooks at ${a.native}: from those in ${list(a.files)}, not from these`,
        fix: () => 'nothing to do if those print no text; else keep one of them',
      },
      'doctor.heard-halves': {
        what: (a) =>
          `all hook texts at ${a.native} share one limit in ${a.client}: your servers and those of this project get ${a.half} each`,
      },
      'doctor.project-windows': {
        what: (a) => projectOnWindowsText(`${a.client}`, `${a.starts}`),
      },
      'doctor.project-too': {
        what: () => "its entries are also in this project's file, so its texts may appear twice here",
        fix: () => 'keep one: uninstall it, or remove the entries from the project',
      },
      'doctor.project-silent': projectSilentFinding,
      'doctor.local-silent': localSilentFinding,
      'doctor.twice': {
        what: (a) => `its texts appear twice here: by ${list(a.places)}`,
        fix: () => 'keep one of them',
      },
      'doctor.export-silent': {
        what: (a) =>
          `its hooks also come as the ${a.by} ${a.where}, which gives no text beside your own install`,
        fix: () => 'nothing to do; or keep one of them',
      },
      'doctor.definition.gone': definitionLost,
      'doctor.definition.changed': {
        what: (a) =>
          `its MCP configuration changed since you approved it${a.calls === 1 ? '; hooks that call its tools are off until you review it' : ''}`,
        fix: approving,
      },
      'doctor.declarations.gone': {
        what: () => 'its declarations file is gone; its hooks stay as they were approved',
        fix: (a) => `put the file back, or ${commandOn('install', a, '--declarations <file>')}`,
      },
      'doctor.declarations.changed': {
        what: () => 'its declarations differ from those that you approved',
        fix: approving,
      },
      'doctor.options.changed': {
        what: () => 'your default options changed since this was installed',
        fix: updating,
      },
      'doctor.elsewhere': {
        what: (a) =>
          `hooks that call its tools give no text in this folder: ${a.project ? 'the server is defined for another project' : 'what its definition starts depends on the folder, and is not approved here'}`,
        fix: (a) =>
          `nothing to do where you don't need them; else ${commandOn('install', a)} where this folder has a definition of its own, or ${commandOn('fire', a, '', String(a.event))}, which shows how to approve that one here`,
      },
      'doctor.stops': {
        what: (a) => `the next install leaves out ${a.n === 1 ? 'hook' : 'hooks'} ${a.hooks}: ${a.reason}`,
        fix: (a) => `change that, or accept it: ${commandOn('install', a)}`,
      },
      ...toolFindingWords(),
    }) satisfies Record<string, Wording>,
);

export type FindingCode = keyof ReturnType<typeof findings>;

/** Returns the problem and the step that solves it, without the place. */
export const findingWords = ({ code, args }: { code: FindingCode | FaultCode; args: FaultArgs }) =>
  wordsOf({ ...wordings(), ...findings() }[code], args);
