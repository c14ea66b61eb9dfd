import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join, posix } from 'node:path';
import { remembering, throwingAgain } from '../../base/once.ts';
import { type Env, hasNoLinks } from '../../base/paths.ts';
import { quietly } from '../../base/quietly.ts';
import { realPath } from '../../base/real-path.ts';
import { declarationsHash } from '../../declarations/canonical-json.ts';
import { readDeclarationsFile } from '../../declarations/file.ts';
import { parseDeclarations } from '../../declarations/parse.ts';
import type { Locate } from '../../declarations/path.ts';
import type { Declaration } from '../../declarations/types.ts';
import { Fault, Faults } from '../../messages/fault.ts';
import { type Identity, identityOf, manifestOf, shownIdentity } from '../packages/identity.ts';
import { npmCache } from '../packages/installed-program.ts';
import { packageRun } from '../packages/package-runner.ts';
import type { Definition, OverlaySource } from '../types.ts';
import { cataloguesFor } from './load.ts';
import { type CatalogueIndex, catalogueIndex, type Match, matchingEntries } from './match.ts';

/** Hooks for a server that declares none. */
export interface Offer {
  from: OverlaySource;
  declarations: Declaration[];
  /** Returns the place of a path in the file of the declarations. */
  locate: Locate;
  /** Tools that the server must list. */
  tools: readonly string[];
  /** Why hooks of a package are left out: they are beyond our limits. */
  leftOut?: readonly Fault[];
}

/** Where offers are looked for. */
interface OfferPlace {
  env: Env;
  /** Root of the project whose own entries count (`.mcphooks/catalogue/`); absent: none do. */
  root?: string;
  /** How catalogues and packages are read. Default: anew for each server. */
  read?: OfferReaders;
}

interface OfferReaders {
  index: (catalogue: string) => CatalogueIndex;
  brought: (folder: string) => Brought | undefined;
}

/** A package that names hooks of its own. */
interface Brought {
  /** `npm:<name>` */
  package: string;
  /** Reads the hooks, once; undefined: the file has none. Faults as `offerOfPackage`. */
  offer: () => Offer | undefined;
}

const READERS: OfferReaders = { index: catalogueIndex, brought: broughtBy };

/**
 * Returns readers that read each catalogue and each package once, for a command that looks for the hooks of all servers:
 * a clone's files may define many servers for one large file.
 */
export const readingOnce = (): OfferReaders => ({
  index: remembering(catalogueIndex),
  brought: remembering(broughtBy),
});

/**
 * Returns the hooks that there are for a definition besides what its server declares: those of its package, else of the
 * project's entries, else of the catalogue that comes with mcphooks. `wanted`: the entry to use. Faults:
 * `catalogue.two`, `catalogue.no-match`, and faults of entries and of their files.
 */
export function offerFor(
  name: string,
  definition: Definition,
  place: OfferPlace,
  wanted?: string,
): Offer | undefined {
  const identity = identityOf(definition, place.env);
  const { env, root, read = READERS } = place;
  const own = wanted === undefined ? offerOfPackage(definition, identity, env, read) : undefined;
  if (own) return own;
  const catalogues = cataloguesFor(root);
  for (const catalogue of identity.names.length > 0 ? catalogues : []) {
    const index = read.index(catalogue);
    const found = matchingEntries(index, identity);
    const meant = found.filter(({ id }) => wanted === undefined || id === wanted);
    if (meant.length > 1) throw new Fault('catalogue.two', { name, entries: meant.map(({ id }) => id) });
    const [match] = meant;
    if (match) return ofEntry(match);
    if (index.faults[0]) throw index.faults[0];
  }
  if (wanted !== undefined)
    throw new Fault('catalogue.no-match', { name, entry: wanted, identity: shownIdentity(identity) });
  return undefined;
}

function ofEntry({ id, whole }: Match): Offer {
  const entry = withoutAdvice(whole);
  const { title, project, version, checked, reviewed, options, hash, declarations, locate, tools } = entry;
  const from = {
    kind: 'catalogue',
    entry: id,
    title,
    ...(project && { project }),
    version,
    checked,
    reviewed,
    ...(options && { options }),
    hash,
  } as const;
  return { from, declarations, locate, tools: Object.keys(tools) };
}

/**
 * Returns the hooks that a package brings: the file that `mcphooks` in its package.json names. Faults:
 * `catalogue.package-key`, `catalogue.package-file`, and faults of that file.
 */
export function offerOfPackage(
  definition: Definition,
  identity: Identity,
  env: Env,
  { brought }: Pick<OfferReaders, 'brought'> = READERS,
): Offer | undefined {
  const folder = packageFolder(definition, identity, env);
  const found = folder === undefined ? undefined : brought(folder);
  return found && identity.names.includes(found.package) ? found.offer() : undefined;
}

function broughtBy(folder: string): Brought | undefined {
  const { name, version, mcphooks: path } = manifestOf(folder) ?? {};
  if (path === undefined) return undefined;
  const offer = throwingAgain(() => {
    if (typeof path !== 'string') throw new Fault('catalogue.package-key', { package: String(name) });
    const file = join(folder, path);
    const inside = !posix.isAbsolute(path) && !path.split(/[\\/]/).includes('..');
    if (!inside || !isPlainFile(file) || !hasNoLinks(folder, file, realPath))
      throw new Fault('catalogue.package-file', { package: String(name), path });
    const { document, locate } = readDeclarationsFile(file);
    const limits = { allowInvisible: false, lenient: 'limits', when: true, locate } as const;
    const { declarations, leftOut } = withoutAdvice(() => parseDeclarations(document, limits));
    if (declarations.length === 0) return undefined;
    const from = {
      kind: 'package',
      package: `npm:${name}`,
      ...(typeof version === 'string' && { version }),
      hash: declarationsHash(declarations),
    } as const;
    return { from, declarations, locate, tools: [], ...(leftOut.length > 0 && { leftOut }) };
  });
  return { package: `npm:${name}`, offer };
}

/** True when the server's package is the named one (`npm:<name>`), and its package.json names no hooks. */
export function isWithoutHooks(name: string, definition: Definition, env: Env): boolean {
  const folder = packageFolder(definition, identityOf(definition, env), env);
  const manifest = folder === undefined ? undefined : manifestOf(folder);
  return manifest !== undefined && `npm:${manifest.name}` === name && manifest.mcphooks === undefined;
}

const packageFolder = (definition: Definition, identity: Identity, env: Env): string | undefined =>
  identity.folder ?? npxFolder(definition, identity, env);

/** Runs `read`; its `Faults` don't say how many hooks --lenient would install, since that leaves such files as they are. */
function withoutAdvice<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Faults ? new Faults(error.faults) : error;
  }
}

const isPlainFile = (file: string): boolean => quietly(() => lstatSync(file).isFile()) ?? false;

/** Folder into which npx has installed a package, which it names by a hash of what it was asked for (npm 7 to 11). */
function npxFolder(definition: Definition, { names, program }: Identity, env: Env): string | undefined {
  const [name] = names;
  if (definition.transport !== 'stdio' || program !== undefined || !name?.startsWith('npm:'))
    return undefined;
  const run = packageRun(definition.command, definition.args, definition.env);
  if (run?.runner !== 'npx' || run.spec === undefined) return undefined;
  const hash = createHash('sha512').update(run.spec).digest('hex').slice(0, 16);
  const cache = definition.env.npm_config_cache ?? npmCache(env);
  return join(cache, '_npx', hash, 'node_modules', name.slice('npm:'.length));
}
