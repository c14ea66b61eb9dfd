import { oneLine } from '../base/visible.ts';

/** Reason why a server isn't started without the user's consent. */
export type StartReason =
  /** A project's file defines how to start the server. */
  | 'project'
  /** A client's file defines it for this project only. */
  | 'local'
  /** The program that is started depends on the folder. */
  | 'folder'
  /** The server, asked from the home folder, doesn't list these tools. */
  | 'tools';

interface Start {
  reason: StartReason;
  server: string;
  file?: string;
  /** The whole command or address. */
  shown: string;
  cwd: string;
  tools?: readonly string[];
}

/** Returns who defines how a server is started, and why that needs consent. */
function whatText({ reason, server, file = '', cwd, tools = [] }: Start): string {
  const name = `'${oneLine(server)}'`;
  const words: Record<StartReason, string> = {
    project: `${oneLine(file)} in this project defines how to reach ${name}`,
    local: `${oneLine(file)} defines how to reach ${name} for this project only`,
    folder: `What ${name} starts depends on the folder, here ${oneLine(cwd)}`,
    tools: `Started in your home folder, ${name} doesn't list ${tools.map((tool) => `'${oneLine(tool)}'`).join(', ')}; it may in this project`,
  };
  return words[reason];
}

/** Text before the question whether to start a server here. */
export const startText = (start: Start): string => `${whatText(start)}:\n  ${start.shown}\n${COVERS}`;

/** Returns what is shown while something takes long. `what`: from the functions below. */
export const stillWaitingText = (what: string, seconds: number): string =>
  `Waiting for ${what} (${seconds} s)`;

export const toAnswer = (server: string, method: string): string =>
  `'${oneLine(server)}' to answer '${method}'`;

export const asHookWill = (runner: string, server: string): string =>
  `${runner} to start '${oneLine(server)}' as a hook will`;

export const START_QUESTION = 'Start or reach it here now?';

/** What an approval covers, and what it doesn't. */
export const COVERS =
  'Approval covers this command or URL in this folder, not the contents of files that it names.';

/** Text for a server asked from the home folder whose answer is incomplete. `hash`: approves asking it in a project. */
export function homeText(about: {
  server: string;
  /** Tools missing in the server's list, each with the listed tool of the most similar name. */
  tools?: readonly { name: string; near?: string | undefined }[];
  hash: string;
}): string {
  const name = `'${oneLine(about.server)}'`;
  const tools = (about.tools ?? [])
    .map((tool) => `'${oneLine(tool.name)}'${tool.near ? ` (did you mean '${oneLine(tool.near)}'?)` : ''}`)
    .join(', ');
  const what = tools
    ? `Not checked: ${name}, started in your home folder, doesn't list ${tools}`
    : `${name} is started in your home folder`;
  return `${what}. To start it in this project instead: --allow-start ${about.hash}`;
}
