import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { reviewHash, reviewKey } from '../../src/clients/codex/review.ts';
import type { HookGroup } from '../../src/clients/hook-config.ts';
import { hookFile, pathWith, sayingProgram } from '../platform.ts';
import { makeWorld, serverEntry, type World } from './world.ts';

export const COMMIT = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'You committed in {project_name}.',
  priority: 'suggestion',
};
export const START = {
  event: 'session_start',
  context_tool: 'note',
  context_tool_args: { q: '{project_name}' },
  priority: 'important',
};

/** A home in which all three clients know the server `memo`, which declares these hooks. */
export function homeWith(...declarations: object[]): World {
  const world = makeWorld();
  declare(world, ...declarations);
  tellClients(world, serverEntry(join(world.home, 'declared.json'), join(world.home, 'started.log')));
  return world;
}

/** Writes the files of the three clients, with the server `memo`. */
export function tellClients(world: World, entry: ReturnType<typeof serverEntry>): void {
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry } }));
  world.write('home/.claude/settings.json', '{\n  "model": "opus"\n}\n');
  world.write(
    'home/.codex/config.toml',
    `# mine\n[mcp_servers.memo]\ncommand = ${JSON.stringify(entry.command)}\nargs = ${JSON.stringify(entry.args)}\n`,
  );
  world.write(
    'home/.gemini/settings.json',
    `{ /* mine */ "mcpServers": { "memo": ${JSON.stringify(entry)} } }`,
  );
}

export function declare(world: World, ...declarations: object[]): void {
  world.write('home/declared.json', declarations.length > 0 ? JSON.stringify({ declarations }) : '');
}

/** How often the server was started. */
export function starts(world: World): number {
  const log = world.files()['home/started.log'] ?? '';
  return log.split('\n').filter((line) => line === 'started').length;
}

/** Paths of own files, relative to the world, that end in `tail`. */
export function own(world: World, tail: string): string {
  const found = Object.keys(world.files()).find(
    (path) => path.includes('/mcphooks/') && (path.endsWith(tail) || path.endsWith(hookFile(tail))),
  );
  if (found === undefined) throw new Error(`no own file ${tail}`);
  return found;
}

/** Reviews as Codex writes them when a person trusts everything that stands in its file, or in this one of a project. */
export function trustCodex(world: World, path = 'home/.codex/config.toml'): void {
  const file = join(world.home, '..', path);
  const { hooks = {} } = parse(world.read(path)) as unknown as { hooks?: Record<string, HookGroup[]> };
  const tables = Object.entries(hooks)
    .filter(([, groups]) => Array.isArray(groups))
    .flatMap(([event, groups]) =>
      groups.map(
        (group, i) =>
          `\n[hooks.state.${JSON.stringify(reviewKey(file, event, i, 0))}]\ntrusted_hash = "${reviewHash(event, group, 0)}"\n`,
      ),
    );
  const own = 'home/.codex/config.toml';
  const before = existsSync(join(world.home, '..', own)) ? world.read(own) : '';
  world.write(own, before + tables.join(''));
}

/** Clients on PATH that say their version and nothing else. */
export function installClients(world: World, versions: Record<string, string>): void {
  const folder = join(world.home, '../bin');
  mkdirSync(folder, { recursive: true });
  for (const [name, version] of Object.entries(versions)) sayingProgram(folder, name, version);
  world.env.PATH = pathWith(folder);
}
