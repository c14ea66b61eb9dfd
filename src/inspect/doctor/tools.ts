import { toolStates } from '../../fire/tools/tool-state.ts';
import { readInstalls } from '../../servers/packages/install-lock.ts';
import type { Surveyed } from '../survey.ts';
import { scopeOf } from './installs.ts';
import type { Check, Finding } from './types.ts';

/** Finds tools that shims don't call for now, because they repeatedly gave no answer in time. */
export function pausedTools({ scope, record }: Pick<Surveyed, 'scope' | 'record'>): Finding[] {
  const { server, declarations } = record;
  const now = new Date().toISOString();
  return toolStates(scope.paths.state)
    .filter(({ pausedUntil = '', ...state }) => state.server === server && pausedUntil > now)
    .flatMap(({ tool, pausedUntil = '' }): Finding[] => {
      const hook = declarations.find((d) => d.context_tool === tool);
      if (!hook) return [];
      const args = { tool, until: pausedUntil, event: hook.event, name: server, ...scopeOf(scope) };
      return [{ code: 'doctor.tool-paused', args, where: {}, server, ...scopeOf(scope) }];
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
