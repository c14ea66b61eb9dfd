import type { FaultArgs } from './args.ts';
import { list, listsNoTool, noClientHas, notAGlob } from './words.ts';

/** Remarks on names of tools, and on how conditions (`when`) come out on a client. */
export const WHEN_NOTES = {
  'tools.not-a-glob': notAGlob,
  'tools.shared': (a: FaultArgs) =>
    `fires for ${list(a.names)}, too, where the model's tool is ${list(a.tools)}`,
  'tools.unknown': (a: FaultArgs) => `${noClientHas(a)}${a.near ? `; did you mean '${a.near}'?` : ''}`,
  'tools.own-unknown': listsNoTool,
  'when.tools-some': (a: FaultArgs) => `this client has no tool for ${list(a.names)}`,
  'when.no-shell': () =>
    "when.command needs a shell command, but its matcher takes none of this client's shell tools",
  'when.no-file': () =>
    "when.path needs a file, but its matcher takes none of this client's tools that name one",
  'when.no-source': (a: FaultArgs) =>
    `this client does not report when a session starts by ${a.sources} (when.source)`,
  'when.source-some': (a: FaultArgs) =>
    `never for a session started by ${a.sources}: this client does not report that (when.source)`,
  'when.no-success': () => 'this client runs no hook after a tool that succeeded (when.outcome)',
  'when.no-failure': () => 'this client runs no hook after a tool that failed (when.outcome)',
  'when.outcome-untold': () =>
    'this client does not report whether a shell command failed (when.outcome); with "if_unknown": "fire" the hook fires either way',
  'when.outcome-either': () =>
    'fires whatever the outcome: this client does not report whether a shell command failed ("if_unknown": "fire")',
  'when.outcome-some': () =>
    'never for shell commands: this client does not report whether they failed (when.outcome)',
  'when.no-cooldown': () =>
    "its cooldown doesn't count: a session that goes on has the text of its last start alone, and would have none",
} satisfies Record<string, (a: FaultArgs) => string>;
