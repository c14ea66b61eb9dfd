import { are, commandOn, entries, list, named, removing, them, type Wording } from '../words.ts';

/** Findings about a client: its program, its version, its switches and its trust. */
export const clientFindingWords = () =>
  ({
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
      what: (a) =>
        `${a.found} is newer than ${a.newest}, the newest tested version${a.less ? `: ${a.less}` : ''}`,
      fix: (a) =>
        a.less
          ? `use ${a.client} ${a.newest}`
          : 'nothing to do if the client shows the same text as mcphooks fire',
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
      fix: (a) => `switch ${them(a)} on in its ${a.screen}`,
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
  }) satisfies Record<string, Wording>;
