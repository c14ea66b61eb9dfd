import { endOfPause, toolStates } from '../../fire/tools/tool-state.ts';
import { readInstalls } from '../../servers/packages/install-lock.ts';
import { approvedDefinitions } from '../../store/record.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Surveyed } from '../survey.ts';
import { aboutInstall } from './installs.ts';
import type { Check, Finding } from './types.ts';

/** True for a state of a server's tool that came about with a definition that is approved now. */
export function isOfServer(
  { server, hash }: { server: string; hash?: string },
  record: ServerRecord,
): boolean {
  const approved = approvedDefinitions(record).map((definition) => definition.hash);
  return server === record.server && (hash === undefined || approved.length === 0 || approved.includes(hash));
}

/** Finds tools that shims don't call for now, because they repeatedly gave no answer in time. */
export function pausedTools({ scope, record }: Pick<Surveyed, 'scope' | 'record'>): Finding[] {
  return toolStates(scope.paths.state)
    .filter((state) => isOfServer(state, record))
    .flatMap(({ tool, ...state }): Finding[] => {
      const hook = record.declarations.find((d) => d.context_tool === tool);
      const until = endOfPause(state);
      if (!hook || until === undefined) return [];
      return [aboutInstall('doctor.tool-paused', scope, record, { tool, until, event: hook.event })];
    });
}

export const paused: Check = ({ servers }) => servers.flatMap(pausedTools);

/** Finds package runners that are installing a server in the background. */
export const installing: Check = ({ scopes }) => {
  const states = [...new Set(scopes.map(({ scope }) => scope.paths.state))];
  return states.flatMap(readInstalls).map(({ runner, package: name, since }) => ({
    code: 'doctor.installing',
    args: { runner, package: name, since },
    where: {},
    remark: true,
  }));
};
