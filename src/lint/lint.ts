import type { ClientId } from '../clients/client.ts';
import { clientById } from '../clients/index.ts';
import { inDocument, type Locate } from '../declarations/path.ts';
import type { Declaration } from '../declarations/types.ts';
import { compile } from '../plan/compile/compile.ts';
import { serversNamed } from '../plan/compile/matcher.ts';
import type { PlanInput } from '../plan/input.ts';
import type { InstallOptions } from '../plan/options.ts';
import { COMMAND_LINE_DIALECT } from '../servers/resolve.ts';
import { DELIVERY_RULES } from './delivery-rules.ts';
import { MATCHER_RULES } from './matcher-rules.ts';
import { TOOL_RULES } from './tool-rules.ts';
import type { LintClient, Rule, Subject, Warning } from './types.ts';
import { WHEN_LINT_RULES } from './when-rules.ts';

export const RULES: readonly Rule[] = [
  ...DELIVERY_RULES,
  ...MATCHER_RULES,
  ...TOOL_RULES,
  ...WHEN_LINT_RULES,
];

/** What an author should know of valid declarations, in their order. Pure. */
export function lint(subject: Subject, locate: Locate = inDocument): Warning[] {
  return subject.declarations.flatMap((declaration, i) =>
    RULES.flatMap(({ code, find }) =>
      find(declaration, subject, i).map(({ at, args = {} }) => ({
        code,
        n: i + 1,
        args,
        where: locate(['declarations', i, ...at]),
      })),
    ),
  );
}

/** What compiling for one client needs to know of the server. */
export interface Known extends Pick<PlanInput, 'declared' | 'options' | 'toolAccess'> {
  /** By which the client knows it. */
  alias: string;
  /** All servers there. */
  aliases: readonly string[];
}

/** How declarations come out on a client that knows the server. Pure. */
export function lintClient(
  id: ClientId,
  { declared, options, toolAccess: reach, alias, aliases }: Known,
): LintClient {
  const client = clientById(id);
  const { declarations, serverName } = declared;
  const servers = {
    alias,
    ...(serverName !== undefined && { serverName }),
    known: [...new Set([...aliases, alias])],
  };
  const { cells } = compile(declarations, client, {
    servers,
    slug: 'lint',
    tag: '00000000',
    options,
    shimFolder: '',
    state: '',
    reach,
    invoke: (path) => ({ command: path }),
    mark: (key) => key,
    documentTools: [],
  });
  return { client, servers, cells };
}

/** Declarations that are on no client yet: their server is there, and those that their matchers name. */
export function anywhere(
  declarations: readonly Declaration[],
  alias: string,
  options: InstallOptions,
): Known {
  return {
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
