import { existsSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Context } from '../../app/context.ts';
import { parsingFile } from '../../app/declarations/declared.ts';
import { fileElsewhere } from '../../app/declarations/file-elsewhere.ts';
import { checkHookNumbers, optionsFor } from '../../app/prepare/effective-options.ts';
import { preparePlan } from '../../app/prepare/prepare.ts';
import { readDefaults } from '../../app/prepare/user-config.ts';
import type { Request } from '../../app/request.ts';
import { slashed } from '../../base/paths.ts';
import { CLIENT_IDS, type ClientId } from '../../clients/client.ts';
import { readDeclarationsFile } from '../../declarations/file.ts';
import { parseDeclarations } from '../../declarations/parse.ts';
import { inCapabilities, type Locate } from '../../declarations/path.ts';
import { callsTools } from '../../declarations/types.ts';
import { anywhere, lintClient, lintWarnings, type ServerOnClient } from '../../lint/lint.ts';
import type { LintClient, Subject, Warning } from '../../lint/types.ts';
import { TOOLS_UNCHECKED } from '../../messages/done.ts';
import { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import { warningText } from '../../messages/warnings.ts';
import { whereText } from '../../messages/words.ts';
import { PLACE_WITH_WHEN } from '../../servers/mcp/announce.ts';
import type { Definition } from '../../servers/types.ts';
import { LOOPBACK } from '../../servers/url.ts';
import { type Exit, exitOf, faultJson, faultsOf, reportFaults } from '../exit.ts';
import type { CommonFlags } from '../flags.ts';
import { cellJson } from '../json/plan.ts';
import { printJson } from '../json/print.ts';
import { requestFrom } from '../request.ts';
import { annotations, type LintReport, lintMarkdown, lintText } from '../text/lint.ts';

interface LintFlags extends CommonFlags {
  format?: 'text' | 'github' | 'markdown';
}

/**
 * `mcphooks lint`: prints Faults, warnings, and how each declaration is compiled. Checks a file without starting
 * anything, unless a command or URL of its server is given.
 */
export async function run(
  [target, command]: [target: string, command: string[]],
  flags: LintFlags,
  context: Context,
): Promise<Exit> {
  const requested = requestFrom(target, command, flags);
  // An author's server may not be in any client yet, so all clients are checked.
  const clients = requested.clients.length > 0 ? requested.clients : [...CLIENT_IDS];
  // A check that couldn't take place must not look like a passed one.
  const request: Request = { ...requested, clients, mustAnswer: true };
  const { result, faults } = await lintTarget(request, context);
  const report = { target: request.server, faults, ...result };
  const exit = exitOf(faults);
  if (flags.json) printJson('lint', documentOf(report, exit), context);
  else if (flags.format === 'github' || flags.format === 'markdown') {
    const text = flags.format === 'github' ? annotations(report, context) : lintMarkdown(report, context);
    if (text !== '') context.out(text);
  } else {
    reportFaults(faults, context);
    if (request.skipCheck && callsTools(result?.subject.declarations ?? [])) context.err(TOOLS_UNCHECKED);
    if (result) context.out(lintText({ ...report, ...result }, context));
  }
  return exit;
}

interface LintResult {
  subject: Subject;
  warnings: Warning[];
  /** Faults of declarations that are left out: beyond our limits, or by --lenient. */
  leftOut: readonly Fault[];
}

/** Returns the result, or the faults because of which there is none. */
async function lintTarget(
  request: Request,
  context: Context,
): Promise<{ result?: LintResult; faults: readonly Fault[] }> {
  const isOfFile = isFile(request.server, context.cwd);
  if (isOfFile && (request.catalogue || request.declarationsFile !== undefined))
    throw new Fault('usage.exclusive', {
      one: 'file',
      other: request.catalogue ? '--catalogue' : '--declarations',
    });
  try {
    const result =
      isOfFile && !request.given
        ? lintFile(request, context)
        : await lintServer(isOfFile ? overlayRequest(request) : request, context);
    return { result, faults: result.leftOut };
  } catch (error) {
    return { faults: faultsOf(error, 'lint') };
  }
}

/** True for a file: a name with a slash or `.json`, or of an existing file. Other names are servers. */
function isFile(target: string, cwd: string): boolean {
  if (slashed(target).includes('/') || target.endsWith('.json')) return true;
  const path = resolve(cwd, target);
  return existsSync(path) && statSync(path).isFile();
}

const nameOf = (file: string): string => basename(file, '.json');

/**
 * Returns the request for a file and its server's command or URL. The server is named after the file; options of an
 * install with that name don't count.
 */
const overlayRequest = (request: Request): Request => ({
  ...request,
  server: nameOf(request.server),
  declarationsFile: request.server,
  reset: true,
});

function lintFile(request: Request, context: Context): LintResult {
  const file = resolve(context.cwd, request.server);
  const name = nameOf(file);
  const { options } = optionsFor(
    { ...request, server: name },
    undefined,
    readDefaults(context.paths.config, name),
  );
  const { document, locate } = readDeclarationsFile(file);
  const { declarations, indexes, leftOut } = parseDeclarations(document, parsingFile(options, locate));
  checkHookNumbers(request.options, declarations.length + leftOut.length);
  const known = anywhere(declarations, name, options);
  return linted(
    {
      declarations,
      isEmpty: declarations.length + leftOut.length === 0,
      options,
      clients: lintClients(request, () => known),
    },
    leftOut,
    locateAmong(indexes, locate),
  );
}

/** Returns the places of declarations that are left, of which `indexes` has the place in the document. */
const locateAmong =
  (indexes: readonly number[], locate: Locate): Locate =>
  ([list, i, ...rest]) =>
    locate(list === undefined || i === undefined ? [] : [list, indexes[Number(i)] ?? i, ...rest]);

async function lintServer(request: Request, context: Context): Promise<LintResult> {
  const elsewhere = await fileElsewhere('lint', request, context);
  if (elsewhere) context.err(faultText(elsewhere));
  const { input, definition, answers } = await preparePlan(request, context);
  const { tools, uncheckedFaults = [] } = answers ?? {};
  const { declared, options, toolAccess, leftOut = [] } = input;
  const { declarations, from, serverName } = declared;
  if (declarations.length === 0 && leftOut.length === 0)
    throw new Fault('server.no-hooks', { name: request.server, server: serverName ?? '' }, {}, 4);
  const remoteHost = definition && hostOver(definition);
  const clients = lintClients(request, (id) => ({
    server: input.server,
    declared,
    options,
    toolAccess,
    alias: input.aliasOn[id] ?? input.server,
    aliases: input.aliases[id] ?? [],
  }));
  const subject: Subject = {
    declarations,
    options,
    clients,
    takesNoWhen: from.kind === 'server' && from.place !== PLACE_WITH_WHEN,
    ...(tools && { tools }),
    ...(serverName !== undefined && { serverName }),
    ...(remoteHost !== undefined && { remoteHost }),
  };
  const ofServer = from.kind === 'server' ? inCapabilities(from.place) : undefined;
  const locate = from.kind === 'file' ? readDeclarationsFile(from.file).locate : ofServer;
  const { warnings, ...rest } = linted(subject, leftOut, locate);
  const notChecked = uncheckedFaults.map(({ args, where }): Warning => {
    return { code: 'lint.tool-unchecked', n: Number(args.index) + 1, args, where };
  });
  return { ...rest, warnings: [...warnings, ...notChecked].sort((a, b) => (a.n ?? 0) - (b.n ?? 0)) };
}

/** Returns the host of a server on another machine. */
function hostOver(definition: Definition): string | undefined {
  if (definition.transport === 'stdio' || !URL.canParse(definition.url)) return undefined;
  const { host, hostname } = new URL(definition.url);
  return LOOPBACK.test(hostname) ? undefined : host;
}

function lintClients(request: Request, known: (id: ClientId) => ServerOnClient): LintClient[] {
  return CLIENT_IDS.filter((id) => request.clients.includes(id)).map((id) => lintClient(id, known(id)));
}

function linted(subject: Subject, leftOut: readonly Fault[], locate?: Locate): LintResult {
  return { subject, leftOut, warnings: lintWarnings(subject, locate) };
}

function documentOf({ target, faults, subject, warnings = [] }: LintReport, exit: Exit) {
  const status: 'failed' | 'warned' | 'clean' =
    faults.length > 0 ? 'failed' : warnings.length > 0 ? 'warned' : 'clean';
  return {
    target,
    status,
    exit,
    ...(subject && {
      declarations: subject.declarations,
      warnings: warnings.map((w) => ({
        code: w.code,
        ...(w.n !== undefined && { n: w.n }),
        where: whereText(w.where),
        message: warningText(w),
      })),
      clients: subject.clients.map(({ client, cells }) => ({
        client: client.id,
        hooks: cells.map(cellJson),
      })),
    }),
    faults: faults.map(faultJson),
  };
}
