import { countOf } from './plan.ts';
import { commandOn, word } from './words.ts';

interface Stated {
  state: string;
  hooks?: number;
  fault?: { code: string };
}

const NOT_CHECKED = 'not checked';

function failedText(code: string): string {
  if (code.startsWith('gate.')) return NOT_CHECKED;
  if (code === 'server.installing') return 'is being installed';
  return /^(?:catalogue|decl)/.test(code) ? 'could not be read' : 'could not be reached';
}

/** Returns the state of a scanned server in words */
export function stateText({ state, hooks = 0, fault }: Stated): string {
  switch (state) {
    case 'declares':
      return `declares ${countOf(hooks, 'hook')}`;
    case 'package':
      return `its package has ${countOf(hooks, 'hook')}`;
    case 'catalogue':
      return `catalogue has ${countOf(hooks, 'hook')}`;
    case 'none':
      return 'no hooks';
    case 'failed':
      return failedText(fault?.code ?? '');
    default:
      return NOT_CHECKED;
  }
}

export const NO_SERVERS = 'No MCP server was found in any client here.';
export const UNKNOWN_KIND = 'its command does not show which package it is';
export const INSTALLED = 'installed';

/** Says in which clients a server is switched off, or needs a variable that isn't set. */
export const offText = (server: string, clients: string, unset: boolean): string =>
  unset
    ? `${server} refers to a variable that is not set here, so ${clients} would not start it, and it is not scanned there.`
    : `${server} is switched off in ${clients}, and not scanned there.`;

/** Returns what can be done next: `server`: one that has hooks, if any; `asked`: the servers were asked. */
export function nextText(server: string | undefined, asked: boolean): string[] {
  return [
    ...(server === undefined
      ? []
      : [`To preview the hooks of ${word(server)} and decide: ${commandOn('install', { name: server })}`]),
    ...(asked
      ? []
      : ['No server was started. To ask the servers whether they declare hooks: mcphooks scan --check']),
  ];
}

export const PICK = "Which server's hooks?";
