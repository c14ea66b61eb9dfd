import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brokenCatalogueRules, catalogueToolFaults } from '../../lint/catalogue-rules.ts';
import { verifyQuestion } from '../../messages/catalogue.ts';
import { Fault, faultsThrown } from '../../messages/fault.ts';
import type { CatalogueEntry } from '../../servers/catalogue/load.ts';
import { fitting } from '../../servers/catalogue/match.ts';
import { allServers, findServers, withHash } from '../../servers/definitions/resolve.ts';
import { showDefinition } from '../../servers/masking/mask.ts';
import { type Identity, identityOf } from '../../servers/packages/identity.ts';
import { toolFaults } from '../../servers/tools/check-tools.ts';
import type { Definition, ServerEntry } from '../../servers/types.ts';
import { temporaryFolder } from '../../store/fs.ts';
import { startApprovals } from '../approval/approvals.ts';
import { namesThisFolder } from '../approval/start-gate.ts';
import type { Context } from '../context.ts';
import { openRecord } from '../open-record.ts';
import { askServer, withRefusal } from '../server/ask-server.ts';

/**
 * How an entry was verified. `rules`: against the rules alone, since nobody can ask its server without a login, or none
 * is configured for a project's entry.
 */
export interface Verified {
  entry: CatalogueEntry;
  against: 'server' | 'rules';
  /** The command or address, secrets masked. */
  shown?: string;
  faults: readonly Fault[];
}

interface VerifyRequest {
  /** Definition from the command line. */
  given?: Definition;
  /** Approves the start of a package runner. */
  yes: boolean;
  allowStart?: readonly string[];
  /** Seconds for connecting to the server. */
  timeout: number;
  /** The servers that are configured here. */
  configured: () => readonly ConfiguredServer[];
}

type ConfiguredServer = ReturnType<typeof allServers>[number] & { identity: Identity };

/** Finds the servers that are configured here; to be called once for all entries. */
export const configuredServers = ({ env, cwd }: Pick<Context, 'env' | 'cwd'>): ConfiguredServer[] =>
  allServers(findServers({ env, cwd })).map((server) => ({
    ...server,
    identity: identityOf(server.definition, env),
  }));

/**
 * Checks an entry against the rules, and against its real server: as given, as it is configured here, else its package
 * by a package runner, which a person or `yes` approves; a package that a project's entry names is not run. Never throws
 * for what is wrong with entry or server.
 */
export async function verifyEntry(
  entry: CatalogueEntry,
  request: VerifyRequest,
  context: Context,
): Promise<Verified> {
  const rules = brokenCatalogueRules(entry);
  const found = serverFor(entry, request);
  if (!found || (entry.checked === 'docs' && !request.given))
    return { entry, against: 'rules', faults: rules };
  const { server, ofCatalogue } = found;
  const shown = showDefinition(server.definition, server.source);
  const folder = ofCatalogue ? folderOf(entry) : undefined;
  if (folder !== undefined && server.definition.transport === 'stdio') server.definition.cwd = folder;
  try {
    if (ofCatalogue && !(await mayRun(shown, request, context)))
      throw new Fault('catalogue.not-run', { entry: entry.id, shown }, {}, 3);
    const approvals = startApprovals(openRecord(context).record, context);
    const question = {
      server: server.alias,
      named: request.given !== undefined && namesThisFolder(request.given, context),
      timeout: request.timeout,
      installedOnly: false,
      ...(request.allowStart !== undefined && { allowStart: request.allowStart }),
    };
    const { reading } = await askServer(
      { question, entry: server, approvals, wanted: { tools: true } },
      context,
    );
    const { tools = [], serverName = '' } = reading;
    const names = { entry: entry.id, expected: entry.serverName, found: serverName };
    const otherName = names.expected === names.found ? [] : [new Fault('catalogue.server-name', names)];
    const args = entry.declarations.flatMap((declaration, i) =>
      toolFaults(declaration, i, tools, entry.locate).filter(({ code }) => code.startsWith('tool.args')),
    );
    const missing = catalogueToolFaults(entry, tools).map((fault) => withRefusal(fault, reading));
    const faults = [...rules, ...otherName, ...missing, ...args];
    return { entry, against: 'server', shown, faults };
  } catch (error) {
    return { entry, against: 'server', shown, faults: [...rules, ...faultsThrown(error)] };
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a folder with the files among which the server lists its tools, if it needs any. */
function folderOf({ files }: CatalogueEntry): string | undefined {
  if (!files) return undefined;
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function mayRun(shown: string, { yes }: VerifyRequest, context: Context): Promise<boolean> {
  return yes || (context.interactive() && (await context.ask.confirm(verifyQuestion(shown))) === true);
}

/** Returns the server of an entry; `ofCatalogue`: the definition is the entry's own. */
function serverFor(
  entry: CatalogueEntry,
  { given, configured }: VerifyRequest,
): { server: ServerEntry; ofCatalogue: boolean } | undefined {
  const defined = (definition: Definition): ServerEntry =>
    withHash({ alias: entry.id, definition, source: { scope: 'command-line' } });
  if (given) return { server: defined(given), ofCatalogue: false };
  const isFor = fitting(entry);
  const found = configured().find(({ identity }) => isFor(identity));
  if (found) {
    const { identity: _, ...server } = found;
    return { server: withHash(server), ofCatalogue: false };
  }
  if (entry.project) return undefined;
  const { npm, pypi } = entry.match;
  const { start = [], env: variables = {} } = entry;
  const run = (command: string, args: string[]) => ({
    server: defined({ transport: 'stdio', command, args: [...args, ...start], env: { ...variables } }),
    ofCatalogue: true,
  });
  if (npm?.[0] !== undefined) return run('npx', ['-y', `${npm[0]}@latest`]);
  return pypi?.[0] === undefined ? undefined : run('uvx', [`${pypi[0]}@latest`]);
}
