import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Ended, makeWorld, type World } from '../cli/world.ts';
import { slashed } from '../platform.ts';
import type { UserFile } from './user-files.ts';

/** Where files of a user, of a project and of a worktree of it are. */
export const ROOTS = ['home', 'project', 'tree'] as const;
export type Root = (typeof ROOTS)[number];

/** A world, and what its user's files would be if mcphooks had never run. */
export interface Model {
  world: World;
  /** By path relative to the world's base; null where there is no file. */
  theirs: Map<string, string | null>;
  /** Files in which a step changed an entry of ours, or whose record was lost: their values are compared, not their bytes. */
  loose: Set<string>;
  /** Folders that were there at the start. */
  folders: string[];
  /** Whether a client's configuration has the server `memo` under another name now. */
  renamed: boolean;
  /** What was done, for a failure. */
  told: string[];
}

export const DECLARED = [
  [{ event: 'session_start', context: 'Notes are at hand.', priority: 'important' }],
  [
    {
      event: 'post_tool_use',
      matcher: { tool_name: 'Bash', input_contains: 'git commit' },
      context: 'You committed.',
      priority: 'suggestion',
    },
    { event: 'pre_request', context: 'Be short.', priority: 'suggestion' },
  ],
  [
    {
      event: 'pre_tool_use',
      matcher: { tool_name: 'Write' },
      context: 'Mind the style.',
      priority: 'required',
    },
    {
      event: 'session_start',
      context_tool: 'note',
      context_tool_args: { q: '{project_name}' },
      priority: 'important',
    },
    { event: 'session_end', context: 'Over.', priority: 'suggestion' },
    { event: 'post_request', context: 'Next.', priority: 'suggestion' },
  ],
] as const;

/** Where Claude Code has its user's servers. */
export const SERVERS_FILE = 'home/.claude.json';

export const declaredFile = (root: Root, n: number): string => `${root}/declared/${n}.json`;

/** Puts declarations into the file of this number in each root: a project's must be its own. */
export function declare({ write }: World, n: number, declarations: readonly object[]): void {
  for (const root of ROOTS) write(declaredFile(root, n), JSON.stringify({ declarations }));
}

/** A user's home and a repository with a subfolder and a worktree, each with these files. */
export function makeModel(files: Record<Root, readonly UserFile[]>): Model {
  const world = makeWorld();
  const { write } = world;
  for (const [i, declarations] of DECLARED.entries()) declare(world, i, declarations);
  write('project/.git/HEAD', 'ref: refs/heads/main\n');
  write('project/.git/config', '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
  for (const folder of ['objects', 'refs/heads'])
    mkdirSync(join(world.project, '.git', folder), { recursive: true });
  write('project/.git/worktrees/tree/HEAD', 'ref: refs/heads/side\n');
  write('project/.git/worktrees/tree/commondir', '../..\n');
  write('project/.git/worktrees/tree/gitdir', `${join(world.project, '../tree/.git')}\n`);
  write('tree/.git', `gitdir: ${join(world.project, '.git/worktrees/tree')}\n`);
  write('project/sub/readme', '');
  const entry = { command: '/bin/false', args: [] };
  write(SERVERS_FILE, JSON.stringify({ mcpServers: { memo: entry, 'memo-2': entry } }, null, 2));
  const theirs = new Map<string, string | null>();
  for (const root of ROOTS)
    for (const { path, text } of files[root]) {
      theirs.set(`${root}/${path}`, text);
      if (text !== null) write(`${root}/${path}`, text);
    }
  return {
    world,
    theirs,
    loose: new Set(),
    renamed: false,
    folders: foldersOf(world),
    told: [],
  };
}

export const baseOf = (world: World): string => dirname(world.home);
export const endModel = ({ world }: Model): void => rmSync(baseOf(world), { recursive: true, force: true });

export const foldersOf = (world: World): string[] =>
  readdirSync(baseOf(world), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => slashed(join(entry.parentPath, entry.name).slice(baseOf(world).length + 1)))
    .sort();

/** The text of a file; null where there is none. */
export function textAt({ world }: Model, path: string): string | null {
  const file = join(baseOf(world), path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

export function put({ world }: Model, path: string, text: string | null): void {
  if (text === null) rmSync(join(baseOf(world), path), { force: true });
  else world.write(path, text);
}

/** Whether a file is mcphooks' own. */
export const isOwn = (path: string): boolean =>
  /(^|\/)\.local\/(share|state)\/mcphooks\/|\/\.mcphooks\/|\/mcphooks\.lock\.json$/.test(path);

/** Runs a command in a folder of the world. */
export async function command(model: Model, folder: string, ...words: string[]): Promise<Ended> {
  const ended = await model.world.runAs({ folder }, ...words);
  model.told.push(`${folder}$ mcphooks ${words.join(' ')} -> ${ended.code}`);
  return ended;
}
