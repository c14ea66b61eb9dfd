import { listed } from '../base/listed.ts';
import { oneLine } from '../base/visible.ts';
import { commandOn, word } from './words.ts';

/** Texts of proposed hooks; `tools`: templates that give each client's name of a tool. */
export const PROPOSED = {
  store: (tools: readonly string[]): string =>
    `If this commit went through and the work taught you something that a later session would have to find out again, keep it: ${tools.join(' or ')}. If not, go on.`,
  search: (server: string, tools: readonly string[]): string =>
    `Before you look for it elsewhere, ask ${server} for what it may know: ${tools.join(' or ')}.`,
  other: (server: string, tools: readonly string[]): string =>
    `${server} can be of use here: ${tools.join(', ')}. Say in this text when to use which of them.`,
} as const;

/** Why a hook is proposed; `tools`: their names in quotes. */
const REASONS = {
  read: (tools: string) => `${tools} is read-only and needs no arguments, so its answer can start a session`,
  store: (tools: string, several: boolean) =>
    `${tools} ${several ? 'add or store' : 'adds or stores'} something, and after a commit there may be something to store`,
  search: (tools: string, several: boolean) =>
    `${tools} ${several ? 'search' : 'searches'}, and the model has to know about ${several ? 'them' : 'it'} before it searches elsewhere`,
  other: (tools: string) => `no rule fits its tools (${tools}), so this is a placeholder for your own text`,
} as const;
export type ProposalReason = keyof typeof REASONS;

export function reasonText(n: number, reason: ProposalReason, tools: readonly string[]): string {
  const names = listed(tools.map((tool) => `'${tool}'`));
  return oneLine(`hook ${n}: ${REASONS[reason](names, tools.length > 1)}`);
}

/** Returns what to do with a proposed file. `reached`: words of a command line that say how to reach the server. */
export function nextStep(server: string, file: string | undefined, reached: string): string {
  const path = file === undefined ? '<file>' : word(file);
  const install = commandOn('install', { name: server }, `--declarations ${path}${reached}`);
  return `${file === undefined ? '' : `Written to ${path}. `}Edit it, then: ${install}`;
}

export const declaresItself = (server: string): string =>
  `${oneLine(server)} declares its own hooks; with --declarations, the file's hooks are used instead.`;
