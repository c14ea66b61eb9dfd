import { resolve } from 'node:path';
import { findServer, type RecordReading } from '../apply/record.ts';
import { slugFor } from '../apply/slug.ts';
import type { InstallOptions, ServerRecord } from '../apply/types.ts';
import { CLIENTS, clientById } from '../clients/index.ts';
import type { ClientId } from '../clients/types.ts';
import { installedVersion } from '../clients/version.ts';
import { DEFAULTABLE, type Defaults } from '../config.ts';
import type { Context } from '../context.ts';
import { sorted } from '../declarations/canonical.ts';
import { readDeclarationsFile } from '../declarations/file.ts';
import { near } from '../declarations/near.ts';
import { parseDeclarations } from '../declarations/parse.ts';
import type { Declaration } from '../declarations/types.ts';
import { oneLine } from '../declarations/visible.ts';
import { Fault, Faults, faultText } from '../messages.ts';
import { once } from '../once.ts';
import type { Env } from '../paths.ts';
import { withProgress } from '../progress.ts';
import { projectOutlook } from '../project/outlook.ts';
import { readNow } from '../read-now.ts';
import { checkTools } from '../server/check-tools.ts';
import { definitionHash, readEntry, showEntry } from '../server/definition.ts';
import { chosen, dialectOf, resolveServer } from '../server/resolve.ts';
import type { Declared, Definition, ServerEntry, ServerTable, ServerTool } from '../server/types.ts';
import { approveStart } from './gate.ts';
import { isForgotten, rememberable } from './given.ts';
import { notInstalled } from './installed.ts';
import { DEFAULT_OPTIONS } from './options.ts';
import { machineOutlook, type Outlook, type Reached } from './outlook.ts';
import type { PlanInput } from './plan.ts';
import { loadRuntime } from './runtime.ts';
import { openRecord, settle } from './settle.ts';
import { keyAt, type Site, serversAt } from './site.ts';

/** What a command was asked for, before anything is looked up. */
export interface Request {
  server: string;
  /** `-- command args` or `--url`: how to reach the server instead of what the clients say. */
  given?: Definition;
  from?: ClientId;
  /** A file with declarations; the server isn't started to read them. */
  declarationsFile?: string;
  clients: ClientId[];
  /** Without `clients`: look only at those in which it is installed, and add none. */
  installedOnly: boolean;
  options: Partial<InstallOptions>;
  /** Forget remembered options. */
  reset: boolean;
  /** Seconds for connecting to the server. */
  timeout: number;
  allowStart?: string;
  /** Start and reach nothing: compare the record with the files. */
  offline: boolean;
  /** Install what the lock file holds, and nothing else. */
  frozen?: boolean;
}

/** A plan's input, and what only its reader needs. */
export interface Gathered {
  input: PlanInput;
  shown?: string;
  /** Project definitions that this machine's user lets start: hash -> since when. */
  starts: Record<string, string>;
  startedPerFire: boolean;
  place: string;
  /** Faults of declarations that --lenient left out. */
  skipped: Fault[];
  definition?: Definition;
  /** What the server lists; undefined when it was not asked. */
  tools?: readonly ServerTool[];
}

/** What all servers of one command have in common. */
export interface View {
  reading: RecordReading;
  outlook: Outlook;
  read: PlanInput['read'];
}

/** Looks at the record and at the clients' servers, after ending what an interrupted run left. Faults as `openRecord`. */
export async function look(context: Context): Promise<View> {
  await settle(context);
  const reading = openRecord(context);
  const outlook = context.site.shared ? projectOutlook(context) : machineOutlook(context, reading);
  return { reading, outlook, read: readBytes };
}

/**
 * Finds out how to reach the server, asks it (or a file, or the record) for its declarations, and looks at what is
 * installed. Writes nothing.
 */
export async function gather(request: Request, context: Context, view?: View): Promise<Gathered> {
  const { site, env } = context;
  const { reading, outlook, read } = view ?? (await look(context));
  const { record } = reading;
  const { table } = outlook;
  const starts = outlook.starts();
  const slug = slugFor(request.server);
  const previous = findServer(record, keyAt(site, slug));
  if (request.frozen && !previous)
    throw new Fault('lock.not-in', { name: request.server, known: record.servers.map((s) => s.server) });
  const {
    options,
    defaulted,
    clients: wished,
  } = optionsFor(request, previous, outlook.defaults(request.server));
  const reached = reachedBy(request, previous, context.cwd);
  // As it will be read out of the lock file, so that the next plan comes to the same bytes.
  if (site.shared && reached.given) reached.given = sorted(reached.given) as Definition;
  // Nothing is asked offline, so what is not installed can't be compared.
  if (!previous && !request.declarationsFile && (request.offline || request.installedOnly)) {
    const fault = await notInstalled(request.server, context);
    if (request.offline || fault.args.elsewhere) throw fault;
  }
  outlook.admit(request.server, reached);
  const entry = withNear(serversAt(site, record), () => findEntry(request, reached, previous, table));
  // Who names a command approves it; what a lock file names anybody may have written.
  const lent = site.shared && !request.given && entry?.source.scope === 'command-line';
  const asked = { ...request, ...reached, ...(lent && { gate: site.store.file }) };
  const said = await readDeclared(asked, entry, previous, starts, options, context);
  if (site.shared && request.given && entry) starts[entry.hash] ??= context.now();
  const { skipped, tools } = said;
  const declared = outlook.declared(said.declared);
  // A plugin's server has a longer name in its client; one that the command line gives is in no client at all.
  const aliasOn: Partial<Record<ClientId, string>> = {};
  if (entry?.source.scope !== 'command-line')
    for (const { id } of CLIENTS) {
      const [here] = chosen(request.server, table.byClient[id] ?? []);
      if (here) aliasOn[id] = here.alias;
    }
  const clients = chooseClients(request, aliasOn, previous, wished, site, outlook);
  const { declarations } = declared;
  const reach = reachOf(entry, declarations);
  const given = rememberable(reached.given, declarations);
  const versions = once(() => versionsHere(clients, env));
  return {
    input: {
      ...outlook.here(starts),
      ...(previous && { tag: previous.tag }),
      server: request.server,
      slug,
      declared,
      options,
      ...(!site.shared && { defaulted }),
      clients,
      aliasOn,
      aliases: Object.fromEntries(
        CLIENTS.map(({ id }) => [id, outlook.aliases(id, request.server, declared)]),
      ),
      reach,
      // Looked up when the plan is shown or written.
      get versions() {
        return versions();
      },
      documentTools: tools ? documentTools(tools) : (previous?.documentTools ?? []),
      ...(given && { given }),
      ...(reached.from && { fromClient: reached.from }),
      reading,
      site,
      env,
      get runtime() {
        return loadRuntime();
      },
      read,
    },
    ...(entry && { shown: showEntry(entry), definition: entry.definition }),
    starts,
    startedPerFire: entry?.definition.transport === 'stdio',
    place: placeText(declared, request.server),
    skipped,
    ...(tools && { tools }),
  };
}

export interface Wishes {
  options: InstallOptions;
  /** Names of the options that no command line gave, now or at an earlier install. */
  defaulted: (keyof InstallOptions)[];
  /** Without `--client`. */
  clients?: readonly ClientId[];
}

/** What counts, strongest first: this command line, what earlier ones said, the user's defaults, ours. */
export function optionsFor(
  request: Pick<Request, 'server' | 'reset' | 'options'>,
  previous: ServerRecord | undefined,
  defaults: Defaults,
): Wishes {
  const given = { ...(request.reset ? {} : rememberedOptions(previous)), ...request.options };
  return {
    options: { ...DEFAULT_OPTIONS, ...defaults.options, ...given },
    defaulted: DEFAULTABLE.filter((name) => given[name] === undefined),
    ...(defaults.clients && { clients: defaults.clients }),
  };
}

function rememberedOptions(previous: ServerRecord | undefined): Partial<InstallOptions> {
  const { options = {}, defaulted = [] } = previous ?? {};
  const names: readonly string[] = defaulted;
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
}

/** As this command says, else as it was said before. */
function reachedBy(
  { given, from, declarationsFile, reset }: Request,
  previous: ServerRecord | undefined,
  cwd: string,
): Reached {
  const said: Reached = {
    ...(given && { given }),
    ...(from && { from }),
    ...(declarationsFile !== undefined && { declarationsFile: resolve(cwd, declarationsFile) }),
  };
  if (reset || !previous) return said;
  const before: Reached = {};
  if (previous.from.kind === 'file' && !given) before.declarationsFile = previous.from.file;
  if (previous.fromClient) before.from = previous.fromClient as ClientId;
  if (previous.given) before.given = previous.given as Definition;
  // One way to reach it takes the place of the other.
  if (given) delete before.from;
  if (from) delete before.given;
  return { ...before, ...said };
}

/** How to reach the server; undefined where nothing says so and static texts need none. */
function findEntry(
  request: Request,
  { given, from, declarationsFile }: Reached,
  previous: ServerRecord | undefined,
  table: ServerTable,
): ServerEntry | undefined {
  if (given)
    return {
      alias: request.server,
      definition: given,
      source: { scope: 'command-line' },
      hash: definitionHash(given),
    };
  // What other files came to say of the name is no matter of what is installed.
  const approved = (): ServerEntry | undefined =>
    request.offline && !request.from ? approvedEntry(request.server, previous) : undefined;
  try {
    const found = resolveServer(request.server, table, from ? { from } : {});
    return found.hash === previous?.definition?.hash ? found : (approved() ?? found);
  } catch (error) {
    const stands = approved();
    if (error instanceof Fault && stands) return stands;
    const notNeeded = declarationsFile || request.offline || isForgotten(previous);
    const unknown = error instanceof Fault && error.code === 'server.not-found';
    const unclear = error instanceof Fault && error.code === 'server.disagree';
    if ((unknown && notNeeded) || (unclear && request.offline && previous)) return undefined;
    throw error;
  }
}

/** A name that no client knows may be meant for a server that is installed. */
function withNear<T>(servers: readonly ServerRecord[], find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'server.not-found' || error.args.near) throw error;
    const names = servers.map((s) => s.server);
    const meant = near(String(error.args.name), names);
    throw meant === undefined ? error : new Fault(error.code, { ...error.args, near: meant }, error.where);
  }
}

/** What stands now where the approved definition stood. */
function approvedEntry(alias: string, previous: ServerRecord | undefined): ServerEntry | undefined {
  const source = previous?.definition?.source;
  const definition = source?.file === undefined ? undefined : readEntry(source, dialectOf(source));
  return source && definition && { alias, definition, source, hash: definitionHash(definition) };
}

/** `gate`: the project's file that names the command, where the entry doesn't say so. */
async function readDeclared(
  request: Request & { gate?: string },
  entry: ServerEntry | undefined,
  previous: ServerRecord | undefined,
  starts: Record<string, string>,
  options: InstallOptions,
  context: Context,
): Promise<{ declared: Declared; skipped: Fault[]; tools?: readonly ServerTool[] }> {
  if (request.offline && previous) {
    const { declarations, from, serverName } = previous;
    return {
      declared: {
        declarations,
        from: from as Declared['from'],
        ...(serverName !== undefined && { serverName }),
      },
      skipped: [],
    };
  }
  const file = request.declarationsFile;
  if (file) {
    const { document, locate } = readDeclarationsFile(file);
    const { declarations, skipped } = parseDeclarations(document, { ...options, locate });
    if (declarations.length === 0 && !previous)
      throw skipped.length > 0 ? new Faults(skipped) : new Fault('decl.none', {}, { file });
    return { declared: { declarations, from: { kind: 'file', file } }, skipped };
  }
  if (!entry && isForgotten(previous)) {
    context.err(faultText(new Fault('given.forgotten', { name: request.server })));
    return readDeclared({ ...request, offline: true }, entry, previous, starts, options, context);
  }
  if (!entry) throw new Fault('server.not-found', { name: request.server });
  const { gate } = request;
  const gated = gate === undefined ? entry : { ...entry, source: { scope: 'project', file: gate } as const };
  await approveStart(gated, starts, request.allowStart, context);
  // Loaded only when a server is asked: MCP is half of what there is to load.
  const { readServer } = await import('../server/connect.ts');
  const reading = await withProgress(context, (say) =>
    readServer(entry, {
      timeoutMs: request.timeout * 1000,
      env: context.env,
      cwd: context.cwd,
      onProgress: (step) => say(`'${oneLine(request.server)}' to answer ${step}`),
    }),
  );
  const name = reading.serverName === undefined ? {} : { serverName: reading.serverName };
  const from = { kind: 'server', era: reading.era, place: reading.place ?? '' } as const;
  if (reading.place === undefined || reading.document === undefined) {
    if (previous) return { declared: { declarations: [], from, ...name }, skipped: [] };
    throw new Fault('server.no-hooks', { name: request.server, server: reading.serverName ?? '' }, {}, 4);
  }
  const { declarations, skipped } = parseDeclarations(reading.document, options);
  if (declarations.length === 0 && !previous)
    throw skipped.length > 0
      ? new Faults(skipped)
      : new Fault('server.empty-hooks', { name: request.server, place: reading.place }, {}, 4);
  checkTools(declarations, reading.tools);
  return { declared: { declarations, from, ...name }, skipped, tools: reading.tools ?? [] };
}

function versionsHere(clients: readonly ClientId[], env: Env): Partial<Record<ClientId, string>> {
  return Object.fromEntries(clients.map((id) => [id, installedVersion(clientById(id), env)]));
}

/** Tools that say in their output schema that they return a `hookSpecificOutput` document. */
function documentTools(tools: readonly ServerTool[]): string[] {
  const schema = (tool: ServerTool) => tool.outputSchema as { properties?: object } | undefined;
  return tools
    .filter((t) => Object.hasOwn(schema(t)?.properties ?? {}, 'hookSpecificOutput'))
    .map((t) => t.name);
}

function reachOf(entry: ServerEntry | undefined, declarations: readonly Declaration[]): PlanInput['reach'] {
  if (!entry) return { note: { code: 'unsupported.no-definition', args: {} } };
  const { definition, source, hash } = entry;
  if (definition.transport !== 'stdio' && definition.heldBy)
    return { note: { code: 'unsupported.client-holds-access', args: {} } };
  const calls = declarations.some((d) => d.context_tool !== undefined);
  return {
    shown: showEntry(entry),
    at: {
      source,
      hash,
      dialect: dialectOf(source),
      ...(calls && source.scope === 'command-line' && { definition }),
    },
  };
}

/** The clients asked for, else the user's default, else those that know the server, else all that are found here; and those installed before. */
function chooseClients(
  request: Request,
  aliasOn: Partial<Record<ClientId, string>>,
  previous: ServerRecord | undefined,
  wished: readonly ClientId[] | undefined,
  site: Site,
  outlook: Outlook,
): ClientId[] {
  const installed = Object.keys(previous?.clients ?? {});
  const able = CLIENTS.filter((c) => site.hookFiles(c).length > 0);
  const chosen = (): readonly string[] => {
    if (request.clients.length > 0) return request.clients;
    if (request.installedOnly && installed.length > 0) return [];
    if (wished) return wished;
    const knowing = able.filter((c) => aliasOn[c.id] !== undefined);
    if (knowing.length > 0) return knowing.map((c) => c.id);
    if (installed.length > 0) return [];
    return outlook.inUse(able).map((c) => c.id);
  };
  const ids = new Set([...chosen(), ...installed]);
  const clients = CLIENTS.map((c) => c.id).filter((id) => ids.has(id));
  if (clients.length === 0) throw new Fault('plan.no-client', { known: CLIENTS.map((c) => c.id) });
  return clients;
}

/** e.g. `declared in capabilities.hooks`, `declared by 'notes' in capabilities.hooks`, `from hooks.json` */
function placeText({ from, serverName }: Declared, alias: string): string {
  if (from.kind === 'file') return `from ${from.file}`;
  const by = serverName === undefined || serverName === alias ? '' : ` by '${serverName}'`;
  return `declared${by}${from.place && ` in capabilities.${from.place}`}`;
}

/** The same; null also for a file that can't be read. */
export function readIfAble(path: string): Uint8Array | null {
  try {
    return readBytes(path);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return null;
  }
}

/** The bytes of a file; null: there is none. Faults: `plan.unreadable`. */
export function readBytes(path: string): Uint8Array | null {
  try {
    return readNow(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new Fault('plan.unreadable', { reason: code ?? 'unknown' }, { file: path });
  }
}
