import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { hasNoLinks } from '../../base/paths.ts';
import { quietly } from '../../base/quietly.ts';
import { readFile, readFolders } from '../../base/read-file.ts';
import { realPath } from '../../base/real-path.ts';
import { sha256 } from '../../base/sha256.ts';
import { declarationsHash } from '../../declarations/canonical-json.ts';
import { readDeclarationsFile, readJsonFile } from '../../declarations/file.ts';
import { parseDeclarations } from '../../declarations/parse.ts';
import { type Locate, type Path, pathText } from '../../declarations/path.ts';
import type { Declaration } from '../../declarations/types.ts';
import { Fault } from '../../messages/fault.ts';
import { type EntryFile, EntryShape } from './entry.ts';

/** One entry of a catalogue. */
export interface CatalogueEntry extends EntryFile {
  /** Name of its folder. */
  id: string;
  /** Set for an entry of a project's own catalogue. */
  project?: true;
  declarations: Declaration[];
  /** Returns the place of a path in `hooks.json`. */
  locate: Locate;
  /** `declarationsHash` of the declarations: what an approval covers. */
  hash: string;
}

const FILES = ['entry.json', 'hooks.json'] as const;

/** The folder of the catalogue that comes with mcphooks. */
export const bundledCatalogue = (): string => assetPath('catalogue');

/** Folder of a project's own entries, below its root. */
export const PROJECT_CATALOGUE = '.mcphooks/catalogue';

/**
 * Returns the folders of catalogues in the order in which they count. `root`: of the project whose own entries count;
 * undefined: none do. Throws `catalogue.unreadable` for a link in a project, which may lead anywhere.
 */
export function cataloguesFor(root: string | undefined): string[] {
  if (root === undefined) return [bundledCatalogue()];
  const own = join(root, PROJECT_CATALOGUE);
  if (!hasNoLinks(root, own, realPath))
    throw new Fault('catalogue.unreadable', { reason: 'LINK' }, { file: own });
  return [own, bundledCatalogue()];
}

/** Returns the names of a catalogue's entries, sorted; none when there is no such folder. */
export const entryIds = (catalogue: string): string[] => readFolders(catalogue).sort();

/**
 * Reads `entry.json` alone, which is enough to match. Faults: `catalogue.altered` for an entry that came with mcphooks
 * and isn't as it was built, `catalogue.unreadable`, `catalogue.syntax`, `catalogue.invalid`.
 */
export function readEntryFile(folder: string, id: string): EntryFile {
  for (const name of FILES) assertPlain(join(folder, name));
  assertAsBuilt(folder, id);
  const file = join(folder, 'entry.json');
  const { value, locate } = readJsonFile(file, {
    unreadable: 'catalogue.unreadable',
    syntax: 'catalogue.syntax',
  });
  const [issue] = EntryShape().safeParse(value).error?.issues ?? [];
  if (issue) {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const path = [...issue.path, ...unknown] as Path;
    const args = { entry: id, key: pathText(path), ...(unknown.length > 0 && ({ unknown: 1 } as const)) };
    throw new Fault('catalogue.invalid', args, locate(path));
  }
  return value as EntryFile;
}

/** Reads an entry. Faults as `readEntryFile`, `readDeclarationsFile` and `parseDeclarations`. */
export function readCatalogueEntry(catalogue: string, id: string): CatalogueEntry {
  const folder = join(catalogue, id);
  const entry = readEntryFile(folder, id);
  const { document, locate } = readDeclarationsFile(join(folder, 'hooks.json'));
  const { declarations } = parseDeclarations(document, {
    allowInvisible: false,
    lenient: false,
    when: true,
    locate,
  });
  const project = catalogue !== bundledCatalogue() && ({ project: true } as const);
  return { ...entry, id, ...project, declarations, locate, hash: declarationsHash(declarations) };
}

/** Throws `catalogue.unreadable` for a link, which a stranger's repository may lead anywhere, and for no file. */
function assertPlain(file: string): void {
  let reason: string | undefined;
  try {
    reason = lstatSync(file).isFile() ? undefined : 'NOT_A_FILE';
  } catch (error) {
    reason = (error as NodeJS.ErrnoException).code ?? '';
  }
  if (reason !== undefined) throw new Fault('catalogue.unreadable', { reason }, { file });
}

/** Hash of each file of the catalogue when this program was built; absent in a checkout of the sources. */
const BUILT = process.env.MCPHOOKS_CATALOGUE;

/** Throws `catalogue.altered` when a file of the entry that came with mcphooks is not as it was built. */
function assertAsBuilt(folder: string, id: string): void {
  if (BUILT === undefined || folder !== join(bundledCatalogue(), id)) return;
  const built = JSON.parse(BUILT) as Readonly<Record<string, string>>;
  for (const name of FILES) {
    const file = join(folder, name);
    if (quietly(() => sha256(readFile(file))) !== built[`${id}/${name}`])
      throw new Fault('catalogue.altered', { entry: id }, { file });
  }
}
