import { type Command, Option } from 'commander';
import type { World } from '../app/context.ts';
import { EVENTS } from '../declarations/types.ts';
import { unlessFault } from '../messages/fault.ts';
import { bundledCatalogue, cataloguesFor, entryIds } from '../servers/catalogue/load.ts';
import { allServers, findServers } from '../servers/definitions/resolve.ts';
import type { Flag } from './flags.ts';

/** An option with known values, where other values may be possible too. */
type Offering = Option & Pick<Flag, 'offers' | 'list'>;

interface Candidate {
  value: string;
  description: string;
}

/** Commands for which servers without an install are offered, too. */
const TAKES_ANY = ['install', 'init', 'lint', 'explain', 'export'];

/**
 * Returns the candidates for the last of `words`, which were typed after the program's name. Reads files, starts
 * nothing. With no candidates, the shell suggests files.
 */
export async function complete(
  program: Command,
  words: readonly string[],
  context: World,
): Promise<Candidate[]> {
  const before = words.slice(0, -1);
  // Windows PowerShell passes no empty word, so that its script quotes one.
  const current = (words.at(-1) ?? '').replace(/^""$/, '');
  const fitting = (all: readonly Candidate[]): Candidate[] =>
    all.filter(({ value }) => value.startsWith(current));
  if (before.includes('--')) return [];
  const at = before.findIndex((word) => !word.startsWith('-'));
  if (at < 0) return fitting(current.startsWith('-') ? options(program, before) : commands(program));
  const command = program.commands.find((c) => c.name() === before[at]);
  if (!command) return [];
  const pending = optionOf(command, before.at(-1));
  if (pending && takesValue(pending)) return fitting(valuesOf(pending, current));
  if (current.startsWith('-')) return fitting(options(command, before));
  const typed = before.slice(at + 1).filter((word, i, rest) => {
    const owner = optionOf(command, rest[i - 1]);
    return !word.startsWith('-') && !(owner && takesValue(owner));
  });
  const argument = command.registeredArguments[typed.length];
  return argument ? fitting(plain(await argumentValues(argument.name(), command.name(), context))) : [];
}

const plain = (values: readonly string[]): Candidate[] => values.map((value) => ({ value, description: '' }));

function commands(program: Command): Candidate[] {
  const shown = program.createHelp().visibleCommands(program);
  return shown.map((c) => ({ value: c.name(), description: c.description() }));
}

/** Returns the options not typed yet. */
function options(command: Command, given: readonly string[]): Candidate[] {
  const all = [...command.options, new Option('--help', 'how it is used')];
  return all
    .filter((o) => o.long && !o.hidden && !given.includes(o.long))
    .map((o) => ({ value: o.long ?? '', description: o.description }));
}

const optionOf = (command: Command, word: string | undefined): Option | undefined =>
  command.options.find((o) => word !== undefined && (o.long === word || o.short === word));

const takesValue = (option: Option): boolean => option.required || option.optional;

/** Returns the values of an option; in a comma-separated list, the possible next items. */
function valuesOf({ argChoices, offers, list }: Offering, current: string): Candidate[] {
  const values = argChoices ?? offers ?? [];
  const done = list ? current.slice(0, current.lastIndexOf(',') + 1) : '';
  return plain(values.filter((v) => !done.split(',').includes(v)).map((v) => `${done}${v}`));
}

async function argumentValues(name: string, command: string, context: World): Promise<readonly string[]> {
  if (name === 'event') return EVENTS;
  if (name === 'shell') return SHELLS;
  if (name === 'action') return ['list', 'show', 'verify'];
  if (name === 'id') {
    const { projectRoot } = await import('../inspect/project-root.ts');
    const catalogues = unlessFault(() => cataloguesFor(projectRoot(context.cwd)), [bundledCatalogue()]);
    return [...new Set(catalogues.flatMap(entryIds))];
  }
  if (name === 'name') return (await import('./json/schemas.ts')).SCHEMA_NAMES;
  return name.endsWith('server') ? await servers(TAKES_ANY.includes(command), context) : [];
}

/**
 * Returns the names of the servers installed here at any scope; with `any`, also of all servers that clients have
 * configured.
 */
async function servers(any: boolean, { paths, env, cwd }: World): Promise<string[]> {
  const { activeScopes } = await import('../inspect/scopes.ts');
  const here = await activeScopes({ env, paths, cwd });
  const installed = here.flatMap((state) => state.servers.map((s) => s.server));
  const known = any ? allServers(findServers({ env, cwd })) : [];
  return [...new Set([...installed, ...known.map((entry) => entry.alias)])].sort();
}

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
