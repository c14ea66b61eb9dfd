import type { ClientId } from '../clients/client.ts';
import { clientById } from '../clients/index.ts';
import { inDocument, type Locate } from '../declarations/path.ts';
import type { Declaration } from '../declarations/types.ts';
import { compile } from '../plan/compile/compile.ts';
import { serversNamed } from '../plan/compile/matcher.ts';
import { bareName } from '../plan/compile/server-tools.ts';
import type { PlanInput } from '../plan/input.ts';
import type { InstallOptions } from '../plan/options.ts';
import { COMMAND_LINE_DIALECT } from '../servers/definitions/resolve.ts';
import { DELIVERY_RULES } from './delivery-rules.ts';
import { MATCHER_RULES } from './matcher-rules.ts';
import { NEVER_RULES } from './never-rules.ts';
import { TOOL_RULES } from './tool-rules.ts';
import type { LintClient, LintRule, Subject, Warning } from './types.ts';
import { WHEN_LINT_RULES } from './when-rules.ts';

export const RULES: readonly LintRule[] = [
  ...DELIVERY_RULES,
  ...MATCHER_RULES,
  ...TOOL_RULES,
  ...WHEN_LINT_RULES,
  ...NEVER_RULES,
];

/** Returns warnings for the author of valid declarations, in the order of declarations. Pure. */
export function lintWarnings(subject: Subject, locate: Locate = inDocument): Warning[] {
  if (subject.isEmpty) return [{ code: 'lint.none', args: {}, where: locate(['declarations']) }];
  const place = subject.takesNoWhen ? { noWhen: 1 } : {};
  return subject.declarations.flatMap((declaration, i) =>
    RULES.flatMap(({ code, find }) =>
      find(declaration, subject, i).map(({ at, args = {} }) => ({
        code,
        n: i + 1,
        args: { ...args, ...place },
        where: locate(['declarations', i, ...at]),
      })),
    ),
  );
}

/** Data about the server for compiling for one client. */
export interface ServerOnClient extends Pick<PlanInput, 'server' | 'declared' | 'options' | 'toolAccess'> {
  /** The client's name for the server. */
  alias: string;
  /** Names of all servers of the client. */
  aliases: readonly string[];
}

/** Returns how declarations are compiled on a client that has the server. Pure. */
export function lintClient(
  id: ClientId,
  { server, declared, options, toolAccess, alias, aliases }: ServerOnClient,
): LintClient {
  const client = clientById(id);
  const { declarations, serverName } = declared;
  const servers = {
    alias,
    ...(serverName !== undefined && { serverName }),
    ...bareName(server, aliases),
    known: [...new Set([...aliases, alias])],
  };
  const { cells } = compile(declarations, {
    client,
    servers,
    slug: 'lint',
    options,
    shimFolder: '',
    toolAccess,
    invoke: (path) => ({ command: path }),
    mark: (key) => key,
    documentTools: [],
  });
  return { client, servers, cells };
}

/**
 * Returns data for declarations that no client has yet: assumes that their server, and the servers named by matchers,
 * are configured.
 */
export function anywhere(
  declarations: readonly Declaration[],
  alias: string,
  options: InstallOptions,
): ServerOnClient {
  return {
    server: alias,
    declared: { declarations: [...declarations], from: { kind: 'file', file: '' } },
    options,
    toolAccess: {
      shown: '',
      at: { source: { scope: 'command-line' }, hash: '', dialect: COMMAND_LINE_DIALECT },
    },
    alias,
    aliases: serversNamed(declarations),
  };
}
