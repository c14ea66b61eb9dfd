import { once } from '../base/once.ts';
import type { FaultArgs } from './args.ts';
import { type FaultCode, wordings } from './faults.ts';
import { definitionLost } from './gone.ts';
import { projectOnWindowsText } from './notes.ts';
import { localSilentFinding, projectSilentFinding } from './overlaps.ts';
import {
  approving,
  are,
  commandOn,
  entries,
  list,
  named,
  removing,
  restoring,
  them,
  updating,
  type Wording,
  word,
  wordsOf,
} from './words.ts';

/** Sentences on what stops hooks from firing or is worth knowing: the problem, and the one step that solves it. */
const findings = once(
  () =>
    ({
      'doctor.disabled': {
        what: () => 'its hooks are disabled',
        fix: (a) => commandOn('enable', named(a)),
      },
      'doctor.withdrawn': {
        what: (a) =>
          `its hooks come from catalogue entry '${a.entry}', which was withdrawn on ${a.on}: ${a.reason}`,
        fix: (a) => `${commandOn('uninstall', a)} removes them; they stay until then`,
      },
      'doctor.environment': {
        what: (a) => `MCPHOOKS_DISABLE=${a.value} turns off hooks in every client started from here`,
        fix: () => 'unset MCPHOOKS_DISABLE, then restart the client',
      },
      'doctor.record': {
        what: () => "mcphooks' record file is damaged",
        fix: () => 'mcphooks install <server>, for each server; mcphooks still recognises its entries',
      },
      'doctor.client-unknown': {
        what: (a) => `its hooks are installed for ${a.name}, which this version of mcphooks does not support`,
        fix: () => 'use the version of mcphooks that installed them, or a newer one',
      },
      'doctor.unknown': {
        what: () => 'mcphooks has hooks in this file but no record of installing them',
        fix: (a) =>
          `${commandOn('install', a, `--client ${a.client}`)} adopts them, ${commandOn('uninstall', a, `--client ${a.client} --edited`)} shows and removes them, edited or not`,
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
      'doctor.no-client': {
        what: (a) => `hooks are installed, but '${a.binary}' is not on PATH`,
        fix: (a) =>
          a.shared
            ? `nothing to do where only others of the project use ${a.client}; else add its folder to PATH`
            : `install ${a.client}, or add its folder to PATH; or remove its hooks: ${removing(a)}`,
      },
      'doctor.no-version': {
        what: (a) => `'${a.binary} --version' printed no version number within ${a.seconds} s`,
        fix: (a) => `run '${a.binary} --version': if it only takes longer, there is nothing to do`,
      },
      'doctor.version-untried': {
        what: (a) => `hooks are based on ${a.client}'s source and documentation, and were never tested in it`,
        fix: () => 'nothing to do if the client shows the same text as mcphooks fire',
      },
      'doctor.version-old': {
        what: (a) =>
          `${a.found} is older than ${a.oldest}, the oldest tested version${a.less ? `: ${a.less}` : ''}`,
        fix: (a) => `update ${a.client} to ${a.oldest} or later`,
      },
      'doctor.version-new': {
        what: (a) => `${a.found} is newer than ${a.newest}, the newest tested version`,
        fix: () => 'nothing to do if the client shows the same text as mcphooks fire',
      },
      'doctor.hooks-off': {
        what: (a) => `hooks are switched off by ${a.setting} = ${a.value}`,
        fix: (a) => (a.system === 1 ? "ask this machine's administrator" : `set ${a.setting} to ${a.wanted}`),
      },
      'doctor.plugin-off': {
        what: (a) => `its plugin is switched off in ${a.client}`,
        fix: (a) => `${a.undo}`,
      },
      'doctor.off-here': {
        what: (a) => `${entries(a)} ${are(a)} switched off in ${a.client}: ${list(a.names)}`,
        fix: (a) => `switch them on in its ${a.screen}`,
      },
      'doctor.server-off': {
        what: () => 'the client has this server switched off, but its hooks are on',
        fix: (a) =>
          `${commandOn('disable', named(a))} turns them off in all clients, ${commandOn('uninstall', a, `--client ${a.id}`)} removes them`,
      },
      'doctor.untrusted': {
        what: (a) => `${entries(a)} ${are(a)} not trusted yet, so ${a.client} skips ${them(a)} silently`,
        fix: (a) => `start '${a.binary}' once and choose to trust ${them(a)}, or use its ${a.screen}`,
      },
      'doctor.modified': {
        what: (a) => `${entries(a)} changed since you trusted ${them(a)}, so ${a.client} skips ${them(a)}`,
        fix: (a) => `start '${a.binary}' once, then review and trust ${them(a)} again`,
      },
      'doctor.folder-untrusted': {
        what: (a) =>
          a.only
            ? `hooks from files in ${a.folder} do not run: that folder is not trusted`
            : `hooks from settings files do not run in ${a.folder}: that folder is not trusted`,
        fix: (a) => `start '${a.binary}' there and trust the folder${a.screen ? ` (${a.screen})` : ''}`,
      },
      'doctor.project-untrusted': {
        what: (a) => `the hooks of this project, ${a.folder}, do not run: it is not trusted`,
        fix: (a) => `start '${a.binary}' there and trust the project`,
      },
      'doctor.missing': {
        what: (a) => `${entries(a)} ${are(a)} missing: ${list(a.names)}`,
        fix: restoring,
      },
      'doctor.file-unread': {
        what: (a) => `${a.client} doesn't read the file with its entries now: it reads ${a.reads}`,
        fix: (a) =>
          `${a.variable ? `set ${a.variable} as at the install; or ` : ''}to have them there, too: ${commandOn('install', a)}`,
      },
      'doctor.other-data': {
        what: () =>
          "its hook scripts are outside mcphooks' folder of today, which HOME or XDG_DATA_HOME names",
        fix: (a) =>
          `set both as at the install, for every command; or move the scripts: ${commandOn('install', a)}`,
      },
      'doctor.edited': {
        what: (a) => `${entries(a)} ${a.n === 1 ? 'was' : 'were'} edited by hand: ${list(a.names)}`,
        fix: (a) =>
          a.scope === 'project'
            ? restoring(a)
            : `nothing to do if that is intended; else ${commandOn('uninstall', a, '--edited')}, then install it again`,
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
        fix: restoring,
      },
      'doctor.own-altered': {
        what: (a) =>
          `${a.n} ${a.n === 1 ? 'hook script file was' : 'hook script files were'} changed (content or permissions)`,
        fix: restoring,
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
        what: () => 'its hooks are also installed for this project, so its texts appear twice here',
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
      'doctor.stops': {
        what: (a) => `the next install leaves out ${a.n === 1 ? 'hook' : 'hooks'} ${a.hooks}: ${a.reason}`,
        fix: (a) => `change that, or accept it: ${commandOn('install', a)}`,
      },
      'doctor.tool-unchecked': {
        what: (a) =>
          `its tool '${a.tool}' was not checked: the server, started in your home folder, does not list it${a.near ? `; did you mean '${a.near}'?` : ''}`,
        fix: (a) => `to ask it in this project: ${commandOn('install', a, `--allow-start ${a.hash}`)}`,
      },
      'doctor.tool-paused': {
        what: (a) =>
          `its tool ${a.tool} gave no answer in time in three sessions in a row, and is paused until ${a.until}`,
        fix: (a) =>
          `${commandOn('fire', a, '', String(a.event))} calls it now, and ends the pause if it answers`,
      },
      'doctor.installing': {
        what: (a) => `${`${a.runner} ${a.package}`.trim()} has been starting or installing since ${a.since}`,
        fix: () => 'nothing to do: it ends when its server first answers, or after ten minutes',
      },
      'doctor.kept': {
        what: (a) => {
          const memory = a.megabytes === undefined ? '' : `, with ${a.megabytes} MB`;
          return `its hooks have kept the server running in ${a.folder} since ${a.since} (process ${a.pid}${memory}; last call ${a.last})`;
        },
        fix: (a) =>
          `nothing to do: it ends some time after its last call, or with ${commandOn('disable', named(a))}`,
      },
      'doctor.kept-open': {
        what: (a) =>
          `other users can open ${a.folder}, so hooks with --keep-warm start a server each time, and list and doctor don't show those that run`,
        fix: (a) => `chmod 700 ${word(a.folder)}`,
      },
      'doctor.tool-failed': {
        what: (a) => `its tool ${a.tool} failed just now: ${a.error}`,
        fix: () => 'check what the server needs for it; until then hooks that call it give no text',
      },
      'doctor.tool-slow': {
        what: (a) => `its tool ${a.tool} took ${Math.ceil(Number(a.ms) / 100) / 10} s to answer just now`,
        fix: () => 'hooks wait 5 s for a tool, 10 s at session start; after that they give no text',
      },
      'doctor.shim-failed': {
        what: (a) => `a hook script printed nothing at ${a.at}: ${a.shim}`,
        fix: (a) => `${commandOn('fire', a, '', '<event>')} runs it as its client would`,
      },
    }) satisfies Record<string, Wording>,
);

export type FindingCode = keyof ReturnType<typeof findings>;

/** Returns the problem and the step that solves it, without the place. */
export const findingWords = ({ code, args }: { code: FindingCode | FaultCode; args: FaultArgs }) =>
  wordsOf({ ...wordings(), ...findings() }[code], args);
