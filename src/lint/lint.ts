import type { InstallOptions } from '../apply/types.ts';
import { clientById } from '../clients/index.ts';
import type { ClientId } from '../clients/types.ts';
import { inDocument, type Locate } from '../declarations/path.ts';
import type { Declaration } from '../declarations/types.ts';
import { compile } from '../plan/compile.ts';
import { serversNamed } from '../plan/matcher.ts';
import type { PlanInput } from '../plan/plan.ts';
import { COMMAND_LINE_DIALECT } from '../server/resolve.ts';
import { DELIVERY_RULES } from './delivery-rules.ts';
import { MATCHER_RULES } from './matcher-rules.ts';
import { TOOL_RULES } from './tool-rules.ts';
import type { LintClient, Rule, Subject, Warning } from './types.ts';

export const RULES: readonly Rule[] = [...DELIVERY_RULES, ...MATCHER_RULES, ...TOOL_RULES];

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
export interface Known extends Pick<PlanInput, 'declared' | 'options' | 'reach'> {
  /** By which the client knows it. */
  alias: string;
  /** All servers there. */
  aliases: readonly string[];
}

/** How declarations come out on a client that knows the server. Writes nothing. */
export function lintClient(id: ClientId, { declared, options, reach, alias, aliases }: Known): LintClient {
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
    command: (path) => path,
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
    reach: { shown: '', at: { source: { scope: 'command-line' }, hash: '', dialect: COMMAND_LINE_DIALECT } },
    alias,
    aliases: serversNamed(declarations),
  };
}
