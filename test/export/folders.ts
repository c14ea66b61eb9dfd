import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeWorld, type World } from '../cli/world.ts';

/** Files of a folder, by relative path: mode and bytes. */
export function tree(folder: string): Record<string, { mode: number; text: string }> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
  return Object.fromEntries(
    files
      .map((e) => join(e.parentPath, e.name))
      .sort()
      .map((path) => [
        path.slice(folder.length + 1),
        { mode: statSync(path).mode & 0o777, text: readFileSync(path, 'latin1') },
      ]),
  );
}

/** Another machine, to which a plugin was copied. */
export function machineWith(folder: string): { world: World; plugin: string } {
  const world = makeWorld();
  const plugin = join(world.home, `it's "$HOME" \`here\``, 'plugin');
  mkdirSync(dirname(plugin), { recursive: true });
  cpSync(folder, plugin, { recursive: true });
  return { world, plugin };
}

/** Runs the hooks of one native event in `file` as a client does, and gives what the model would read. */
export function fireAll(
  { world, plugin }: { world: World; plugin: string },
  native: string,
  payload: Record<string, unknown> = {},
  { file = 'hooks/hooks.json', env = {} }: { file?: string; env?: Record<string, string> } = {},
): (string | undefined)[] {
  const { hooks } = JSON.parse(readFileSync(join(plugin, file), 'utf8'));
  const commands: string[] = (hooks[native] ?? []).flatMap((g: { hooks: { command: string }[] }) =>
    g.hooks.map((h) => h.command),
  );
  return commands.map((command) => {
    const { status, stdout, stderr } = spawnSync(
      '/bin/sh',
      ['-c', command.replaceAll('${extensionPath}', () => plugin)],
      {
        cwd: world.project,
        env: {
          ...world.env,
          CLAUDE_PLUGIN_ROOT: plugin,
          PLUGIN_ROOT: plugin,
          CLAUDE_PROJECT_DIR: world.project,
          ...env,
        },
        input: JSON.stringify({ session_id: 's1', hook_event_name: native, ...payload }),
        encoding: 'utf8',
      },
    );
    if (status !== 0 || stderr !== '') throw new Error(`exit ${status}: ${stderr}`);
    return stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput.additionalContext;
  });
}

export const SERVER = fileURLToPath(new URL('../fixtures/servers/declares.mjs', import.meta.url));
