import { commandOn, minute, named, type Wording, word } from '../words.ts';

/** Findings about the servers and tools that hooks call, and about hook scripts that failed. */
export const toolFindingWords = () =>
  ({
    'doctor.tool-unchecked': {
      what: (a) =>
        `its tool '${a.tool}' was not checked: the server, started in your home folder, does not list it${a.near ? `; did you mean '${a.near}'?` : ''}`,
      fix: (a) => `to ask it in this project: ${commandOn('install', a, `--allow-start ${a.hash}`)}`,
    },
    'doctor.tool-paused': {
      what: (a) =>
        `its tool ${a.tool} gave no answer in time in three sessions in a row, and is paused until ${minute(a.until)}`,
      fix: (a) =>
        `${commandOn('fire', a, '', String(a.event))} calls it now, and ends the pause if it answers`,
    },
    'doctor.installing': {
      what: (a) =>
        `${`${a.runner} ${a.package}`.trim()} has been starting or installing since ${minute(a.since)}`,
      fix: () => 'nothing to do: it ends when its server first answers, or after ten minutes',
    },
    'doctor.kept': {
      what: (a) => {
        const memory = a.megabytes === undefined ? '' : `, with ${a.megabytes} MB`;
        return `its hooks have kept the server running in ${a.folder} since ${minute(a.since)} (process ${a.pid}${memory}; last call ${minute(a.last)})`;
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
      what: (a) => `a hook script printed nothing at ${minute(a.at)}: ${a.shim}`,
      fix: (a) => `${commandOn('fire', a, '', '<event>')} runs it as its client would`,
    },
  }) satisfies Record<string, Wording>;
