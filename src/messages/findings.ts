import { once } from '../base/once.ts';
import type { FaultArgs } from './args.ts';
import { type FaultCode, wordings } from './faults.ts';
import { are, entries, installed, list, restoring, type Wording, word, wordsOf } from './words.ts';

/** Sentences on what stops hooks from firing or is worth knowing: the problem, and the one step that solves it. */
const findings = once(
  () =>
    ({
      'doctor.disabled': {
        what: () => 'is disabled, so its hooks stay silent',
        fix: (a) => `mcphooks enable ${word(a.name)}`,
      },
      'doctor.withdrawn': {
        what: (a) =>
          `has hooks of the catalogue's entry '${a.entry}', which was withdrawn on ${a.on}: ${a.reason}`,
        fix: (a) => `mcphooks uninstall ${installed(a)} takes them out; they stay until then`,
      },
      'doctor.environment': {
        what: (a) => `MCPHOOKS_DISABLE=${a.value} silences hooks of every client that is started from here`,
        fix: () => 'unset MCPHOOKS_DISABLE, then start the client anew',
      },
      'doctor.record': {
        what: () => 'what mcphooks remembers of installs cannot be read',
        fix: () => 'mcphooks install <server>, for each server: entries are recognised without it',
      },
      'doctor.client-unknown': {
        what: (a) => `is installed for ${a.name}, a client that this version of mcphooks does not know`,
        fix: () => 'use the version of mcphooks that installed it, or a newer one',
      },
      'doctor.unknown': {
        what: () => 'has entries in this file, and nothing is remembered of their install',
        fix: (a) =>
          `mcphooks install ${installed(a)} takes them over, mcphooks uninstall ${installed(a)} --edited takes them out`,
      },
      'doctor.interrupted': {
        what: () => 'a run of mcphooks was interrupted; its change is half done',
        fix: () => 'mcphooks list: every other command ends it first',
      },
      'doctor.no-client': {
        what: (a) => `is installed for, but there is no '${a.binary}' on PATH`,
        fix: (a) =>
          `install ${a.client}, or add its folder to PATH; else mcphooks uninstall <server> --client ${a.id}`,
      },
      'doctor.no-version': {
        what: (a) => `'${a.binary} --version' does not say which version it is`,
        fix: (a) => `run '${a.binary} --version' and see what is wrong with it`,
      },
      'doctor.version-untried': {
        what: (a) => `hooks were made from what ${a.client}'s source and documents say, and never tried`,
        fix: () => 'nothing, if mcphooks fire and the client agree',
      },
      'doctor.version-old': {
        what: (a) =>
          `${a.found} is older than ${a.oldest}, the oldest version that hooks were tried on${a.less ? `: ${a.less}` : ''}`,
        fix: (a) => `update ${a.client} to ${a.oldest} or later`,
      },
      'doctor.version-new': {
        what: (a) => `${a.found} is newer than ${a.newest}, the newest version that hooks were tried on`,
        fix: () => 'nothing, if mcphooks fire and the client agree',
      },
      'doctor.hooks-off': {
        what: (a) => `hooks are switched off by ${a.setting} = ${a.value}`,
        fix: (a) => (a.system === 1 ? 'ask who administers this machine' : `set ${a.setting} to ${a.wanted}`),
      },
      'doctor.plugin-off': {
        what: (a) => `its plugin is switched off in ${a.client}`,
        fix: (a) => `${a.undo}`,
      },
      'doctor.off-here': {
        what: (a) => `${entries(a)} ${are(a)} switched off in ${a.client}: ${list(a.names)}`,
        fix: (a) => `switch them on in its ${a.screen}`,
      },
      'doctor.untrusted': {
        what: (a) =>
          `${entries(a)} ${are(a)} not trusted yet, so ${a.client} passes over them without a word`,
        fix: (a) => `start '${a.binary}' once and choose to trust them, or use its ${a.screen}`,
      },
      'doctor.modified': {
        what: (a) => `${entries(a)} changed since ${a.client} was told to trust them, so it passes over them`,
        fix: (a) => `start '${a.binary}' once, review and trust them again`,
      },
      'doctor.folder-untrusted': {
        what: (a) =>
          a.only
            ? `runs no hooks of the files in ${a.folder}: that folder is not trusted`
            : `runs no hooks of settings files in ${a.folder}: that folder is not trusted`,
        fix: (a) => `start '${a.binary}' there and trust the folder${a.screen ? ` (${a.screen})` : ''}`,
      },
      'doctor.project-untrusted': {
        what: (a) => `passes over the hooks of this project, ${a.folder}: it is not trusted`,
        fix: (a) => `start '${a.binary}' there and trust the project`,
      },
      'doctor.missing': {
        what: (a) => `${entries(a)} ${are(a)} missing: ${list(a.names)}`,
        fix: restoring,
      },
      'doctor.edited': {
        what: (a) => `${entries(a)} ${are(a)} not as written: ${list(a.names)}`,
        fix: (a) =>
          a.scope === 'project'
            ? restoring(a)
            : `leave it if it is meant; else mcphooks uninstall ${installed(a)} --edited, then install it again`,
      },
      'doctor.own-gone': {
        what: (a) => `${a.n} ${a.n === 1 ? 'file of its shims is' : 'files of its shims are'} gone`,
        fix: restoring,
      },
      'doctor.own-altered': {
        what: (a) =>
          `${a.n} ${a.n === 1 ? 'file of its shims is' : 'files of its shims are'} not what was written`,
        fix: restoring,
      },
      'doctor.no-node': {
        what: (a) =>
          a.node
            ? `the node that its hook scripts were written for is gone (${a.node}), and there is none on PATH`
            : 'its hook scripts need node, and there is none on PATH',
        fix: (a) =>
          a.node
            ? `mcphooks install ${installed(a)}, with a node that stays`
            : 'install node 20.17 or later, and add its folder to PATH',
      },
      'doctor.node-old': {
        what: (a) => `its hook scripts run with node ${a.found}, and need ${a.oldest} or later`,
        fix: (a) =>
          `update that node, or put a later one first on PATH${a.node ? `, then mcphooks install ${installed(a)}` : ''}`,
      },
      'doctor.node-moved': {
        what: (a) => `the node that shims were written for is gone (${a.node}); the one on PATH is used`,
        fix: (a) => `mcphooks install ${installed(a)}`,
      },
      'doctor.two-files': {
        what: (a) => `hooks stand in ${list(a.files)}: both run, and ${a.client} warns at each start`,
        fix: () => 'keep hooks in one of them',
      },
      'doctor.heard-ours': {
        what: (a) =>
          `of all hooks at ${a.native} that say something, ${a.client} hears the ${a.heard}: these, and then not those of ${list(a.files)}`,
      },
      'doctor.heard-theirs': {
        what: (a) =>
          `of all hooks at ${a.native} that say something, ${a.client} hears the ${a.heard}: those of ${list(a.files)}, and then not these`,
        fix: () => 'nothing, if those say nothing; else keep one of them',
      },
      'doctor.heard-halves': {
        what: (a) =>
          `${a.client} counts the texts of all hooks at ${a.native} together: the user’s servers and those of this project have ${a.half} each`,
      },
      'doctor.project-too': {
        what: () => 'has hooks in this project too, so its texts are given twice here',
        fix: () => 'keep one: uninstall it, or take the entries out of the project',
      },
      'doctor.project-silent': {
        what: () => 'has hooks in this project too: yours speak here, and those of the project stay silent',
      },
      'doctor.twice': {
        what: (a) => `is given twice here: by ${list(a.places)}`,
        fix: () => 'keep one of them',
      },
      'doctor.export-silent': {
        what: (a) => `comes as the ${a.by} ${a.where}, too, which is silent beside your own install`,
        fix: () => 'nothing; or keep one of them',
      },
      'doctor.definition.gone': {
        what: (a) =>
          `${goneWords(a).what}${a.of ? ` (its hooks use the server of ${a.of})` : ''}${goneEffect(a)}`,
        fix: (a) =>
          a.instead
            ? `mcphooks install ${installed(a)} to keep it so, or ${goneWords(a).fix}`
            : `${goneWords(a).fix}, or mcphooks uninstall ${installed(a)}`,
      },
      'doctor.definition.changed': {
        what: (a) =>
          `its MCP configuration changed since you approved it${a.calls === 1 ? '; hooks that call its tools are off until you review it' : ''}`,
        fix: (a) => `mcphooks install ${installed(a)}: read what changed, then approve it`,
      },
      'doctor.declarations.gone': {
        what: () => 'its declarations file is gone; its hooks stay as they were approved',
        fix: (a) => `put the file back, or mcphooks install ${installed(a)} --declarations <file>`,
      },
      'doctor.declarations.changed': {
        what: () => 'declares other hooks than were approved',
        fix: (a) => `mcphooks install ${installed(a)}: read what changed, then approve it`,
      },
      'doctor.options.changed': {
        what: () => 'would be installed with other options: your defaults changed',
        fix: (a) => `mcphooks install ${installed(a)}`,
      },
      'doctor.tool-unchecked': {
        what: (a) =>
          `its tool '${a.tool}' was not checked: started in your home folder, the server doesn't list it there${a.near ? `; did you mean '${a.near}'?` : ''}`,
        fix: (a) => `to ask it in this project: mcphooks install ${installed(a)} --allow-start ${a.hash}`,
      },
      'doctor.tool-paused': {
        what: (a) =>
          `its tool ${a.tool} gave nothing in time in three sessions in a row, and is paused until ${a.until}`,
        fix: (a) =>
          `mcphooks fire ${installed(a)} ${a.event} calls it now, and ends the pause when it answers`,
      },
      'doctor.installing': {
        what: (a) => `${`${a.runner} ${a.package}`.trim()} is starting or being installed since ${a.since}`,
        fix: () => 'nothing: it ends with the first answer of its server, or after ten minutes',
      },
      'doctor.tool-failed': {
        what: (a) => `its tool ${a.tool} failed when it was called just now: ${a.error}`,
        fix: () => 'see what the server needs for it; a hook that calls it gives the model nothing',
      },
      'doctor.tool-slow': {
        what: (a) => `its tool ${a.tool} took ${Math.ceil(Number(a.ms) / 100) / 10} s to answer just now`,
        fix: () => 'hooks wait 5 s for a tool, 10 s when a session starts; then they give the model nothing',
      },
      'doctor.shim-failed': {
        what: (a) => `a shim ended without an answer at ${a.at}: ${a.shim}`,
        fix: (a) => `mcphooks fire ${installed(a)} <event> runs it as its client would`,
      },
    }) satisfies Record<string, Wording>,
);

export type FindingCode = keyof ReturnType<typeof findings>;

/** Returns the problem and the step that solves it, without the place. */
export function findingWords(finding: { code: FindingCode | FaultCode; args: FaultArgs }): {
  what: string;
  fix?: string;
} {
  return wordsOf({ ...wordings(), ...findings() }[finding.code], finding.args);
}

const GONE = {
  'no-file': { what: 'this file is gone', fix: 'put it back' },
  unreadable: { what: "this file can't be read", fix: 'put it right' },
  removed: { what: 'the server is gone from this file', fix: 'put it back' },
  off: { what: 'the server is switched off in this file', fix: 'switch it on there' },
  unusable: { what: "the server's entry in this file can't be used", fix: 'put it right' },
};

const goneWords = ({ absent }: FaultArgs): { what: string; fix: string } =>
  GONE[(absent ?? 'removed') as keyof typeof GONE];

function goneEffect({ calls, instead }: FaultArgs): string {
  if (calls !== 1) return '';
  return instead
    ? `; hooks that call its tools use the server of ${instead}`
    : '; hooks that call its tools are off';
}
