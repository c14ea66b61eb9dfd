import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse as parseJsonc } from 'jsonc-parser';
import { CLIENTS } from '../../src/clients/index.ts';
import {
  baseOf,
  DECLARED,
  declare,
  declaredFile,
  isOwn,
  type Model,
  put,
  ROOTS,
  SERVERS_FILE,
  textAt,
} from './model.ts';
import { USER_EDITS } from './user-files.ts';

/** Names that begin with one another, and names that other programs read in their own way. */
const SERVERS = ['memo', 'memo-2', 'mem', 'a.b', 'x y', 'constructor', '__proto__', 'ünï'];
const IDS = CLIENTS.map(({ id }) => id);

const server = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SERVERS.slice(0, 3)) },
  { weight: 1, arbitrary: fc.constantFrom(...SERVERS) },
);
const clients = fc.oneof(
  { weight: 8, arbitrary: fc.subarray(IDS, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.subarray(IDS, { minLength: 1 }) },
);
/** Folders in which commands run, and what `--scope project` is there. */
export const FOLDERS = ['project', 'project', 'project/sub', 'tree'];
const folder = fc.constantFrom(...FOLDERS);
const scope = fc.constantFrom<'user' | 'project'>('user', 'user', 'user', 'project');
const options = fc.constantFrom(
  [],
  [],
  [],
  ['--only', '1'],
  ['--skip', 'session_start'],
  ['--cooldown', '60'],
  ['--keep-warm', '5'],
  ['--session-end', 'defer'],
  ['--max-priority', 'suggestion'],
  ['--reset'],
);

export const install = fc.record({
  kind: fc.constant('install' as const),
  server,
  scope,
  folder,
  file: fc.nat(DECLARED.length - 1),
  clients: fc.option(clients),
  options,
});
const uninstall = fc.record({
  kind: fc.constant('uninstall' as const),
  server: fc.option(server),
  scope,
  folder,
  clients: fc.option(clients),
});
const toggle = fc.record({
  kind: fc.constant('toggle' as const),
  to: fc.constantFrom('disable', 'enable'),
  server,
  folder,
});

/** What a user does to the files of a client, where `n` chooses the file. */
const userEdit = fc.record({
  kind: fc.constant('edit' as const),
  root: fc.constantFrom(...ROOTS, 'home' as const, 'home' as const),
  how: fc.constantFrom(...Object.keys(USER_EDITS), 'restore', 'remove'),
  n: fc.nat(99),
});
const harm = fc.record({
  kind: fc.constant('harm' as const),
  root: fc.constantFrom(...ROOTS, 'home' as const, 'home' as const),
  how: fc.constantFrom('remove entry', 'edit entry', 'copy entry', 'move entry', 'reformat'),
  n: fc.nat(99),
});
const loss = fc.record({
  kind: fc.constant('loss' as const),
  how: fc.constantFrom('a script', 'a script', 'scripts', 'record', 'state'),
  n: fc.nat(99),
});
const other = fc.record({
  kind: fc.constant('other' as const),
  how: fc.constantFrom('declarations', 'rename server'),
  n: fc.nat(DECLARED.length ** 2 - 1),
});

/** Steps in which only mcphooks and edits of the user's own parts of files take place. */
export const gentleStep = fc.oneof(
  { weight: 6, arbitrary: install },
  { weight: 2, arbitrary: uninstall },
  { weight: 1, arbitrary: toggle },
  { weight: 3, arbitrary: userEdit },
  { weight: 1, arbitrary: other },
);
export const anyStep = fc.oneof(
  { weight: 10, arbitrary: gentleStep },
  { weight: 3, arbitrary: harm },
  { weight: 2, arbitrary: loss },
);
export type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;
type Of<K extends Step['kind']> = Extract<Step, { kind: K }>;
export type Install = Of<'install'>;

/** The words after `install` or `diff`. */
export const installWords = (
  { server, scope, folder, file, clients, options }: Install,
  { world }: Model,
): string[] => [
  server,
  '--declarations',
  join(baseOf(world), declaredFile(scope === 'user' ? 'home' : folder === 'tree' ? 'tree' : 'project', file)),
  '--no-check',
  ...(clients ? ['--client', clients.join(',')] : []),
  ...(scope === 'project' ? ['--scope', scope] : []),
  ...options,
];

export const uninstallWords = ({ server, scope, clients }: Of<'uninstall'>): string[] => [
  'uninstall',
  server ?? '--all',
  ...(clients ? ['--client', clients.join(',')] : []),
  ...(scope === 'project' ? ['--scope', scope] : []),
];

/** Does what a user does without mcphooks. */
export function act(model: Model, step: Of<'edit' | 'harm' | 'loss' | 'other'>): void {
  model.told.push(JSON.stringify(step));
  const { n } = step;
  if (step.kind === 'other') {
    const chosen = DECLARED[n % DECLARED.length];
    if (step.how === 'declarations' && chosen) declare(model.world, Math.floor(n / DECLARED.length), chosen);
    if (step.how === 'rename server') {
      model.renamed = true;
      put(model, SERVERS_FILE, textAt(model, SERVERS_FILE)?.replace('"memo"', '"memory"') ?? null);
    }
  } else if (step.kind === 'loss') lose(model, step);
  else {
    const there = [...model.theirs.keys()].filter(
      (path) => path.startsWith(`${step.root}/`) && textAt(model, path) !== null,
    );
    const path = there[n % there.length];
    if (path === undefined) return;
    model.told.push(`  in ${path}`);
    if (step.kind === 'edit') edit(model, path, step);
    else harmEntry(model, path, step);
  }
}

function edit(model: Model, path: string, { how, n }: Of<'edit'>): void {
  const theirs = model.theirs.get(path) ?? null;
  const now = textAt(model, path);
  const change = USER_EDITS[how];
  if (how === 'remove') model.theirs.set(path, null);
  if (!change) put(model, path, how === 'remove' ? null : theirs);
  else if (theirs !== null && now !== null) {
    const below = path.slice(path.indexOf('/') + 1);
    model.theirs.set(path, change(theirs, below, n));
    put(model, path, change(now, below, n));
  }
}

type Group = Record<string, unknown>;

/** Changes our first entry in a file of JSON, and writes the file as a formatter would. */
function harmEntry(model: Model, path: string, { how }: Of<'harm'>): void {
  const text = textAt(model, path) ?? '';
  if (!path.endsWith('.json') || !text.includes('mcphooks')) return;
  const value = parseJsonc(text.replace(/^\uFEFF/, ''));
  const hooks: Record<string, Group[]> = value.hooks ?? value;
  const lists = Object.entries(hooks).filter(([, list]) => Array.isArray(list));
  const isOurs = (group: unknown): boolean => JSON.stringify(group).includes('mcphooks');
  const [event, list] = lists.find(([, groups]) => groups.some(isOurs)) ?? [];
  if (!event || !list) return;
  const at = list.findIndex(isOurs);
  const group = list[at] as Group;
  if (how === 'remove entry') list.splice(at, 1);
  if (how === 'copy entry') list.push(group);
  if (how === 'move entry') list.push(...list.splice(at, 1));
  if (how === 'edit entry') {
    const handler = ((group.hooks as Group[] | undefined)?.[0] ?? group) as Group;
    handler.timeout = 7;
  }
  model.loose.add(path);
  put(model, path, JSON.stringify(value, null, 2));
}

function lose(model: Model, { how, n }: Of<'loss'>): void {
  const { world, loose, theirs } = model;
  const remove = (path: string): void => rmSync(join(baseOf(world), path), { recursive: true, force: true });
  const own = Object.keys(world.files()).filter(isOwn);
  const scripts = own.filter((path) => path.includes('/mcphooks/hooks/'));
  const script = scripts[n % scripts.length];
  if (how === 'a script' && script) remove(script);
  if (how === 'scripts') remove('home/.local/share/mcphooks/hooks');
  if (how === 'record') remove('home/.local/state/mcphooks/record.json');
  if (how === 'state') remove('home/.local/state');
  if (how !== 'record' && how !== 'state') return;
  for (const path of theirs.keys()) if (path.startsWith('home/')) loose.add(path);
}
