import { oneLine } from '../base/visible.ts';

/** Why a server isn't started without a word of the user. */
export type StartReason =
  /** A file of the project says how. */
  | 'project'
  /** A client's file says it for this project alone. */
  | 'local'
  /** What is started depends on the folder. */
  | 'folder'
  /** Asked from the home folder it doesn't list these tools. */
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

/** Who says how a server is started, and why that needs a word. */
function whatText({ reason, server, file = '', cwd, tools = [] }: Start): string {
  const name = `'${oneLine(server)}'`;
  const words: Record<StartReason, string> = {
    project: `${oneLine(file)} of this project says how to reach ${name}`,
    local: `${oneLine(file)} says how to reach ${name} in this project alone`,
    folder: `What is started for ${name} depends on the folder, here ${oneLine(cwd)}`,
    tools: `Started in your home folder, ${name} doesn't list ${tools.map((tool) => `'${oneLine(tool)}'`).join(', ')}; it may in this project`,
  };
  return words[reason];
}

/** Said before the question whether to start a server here. */
export const startText = (start: Start): string => `${whatText(start)}:\n  ${start.shown}\n${COVERS}`;

export const START_QUESTION = 'Start or reach it here now?';

/** What an approval is, and what it isn't. */
export const COVERS =
  'An approval covers these words in this repository, not what the files that they name will contain.';

/** Said where a server was asked from the home folder, and could not tell all. `hash`: it may be asked in a project. */
export function homeText(about: {
  server: string;
  /** Those that it doesn't list, and names like them that it does. */
  tools?: readonly { name: string; near?: string | undefined }[];
  hash?: string;
}): string {
  const name = `'${oneLine(about.server)}'`;
  const tools = (about.tools ?? [])
    .map((tool) => `'${oneLine(tool.name)}'${tool.near ? ` (did you mean '${oneLine(tool.near)}'?)` : ''}`)
    .join(', ');
  const what = tools
    ? `Not checked: ${name} was started in your home folder, and doesn't list ${tools} there`
    : `${name} was started in your home folder`;
  return about.hash === undefined
    ? what
    : `${what}. To start it in this project instead: --allow-start ${about.hash}`;
}
