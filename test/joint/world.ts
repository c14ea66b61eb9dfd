import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import type { NativeEvent } from '../../src/clients/protocol.ts';
import { makeWorld, serverEntry, type World } from '../cli/world.ts';
import { homeEnv, WINDOWS } from '../platform.ts';

/** A client that stands for those that don't use each hook's text, until its natives say so themselves. */
export const CLIENT = clientById('gemini-cli');

/** Makes its events use texts in this way, in the tests of a file. */
export function usesTexts(natives: Readonly<Record<string, Partial<NativeEvent>>>): void {
  const before = structuredClone(CLIENT.natives);
  beforeAll(() => {
    for (const [name, how] of Object.entries(natives)) Object.assign(CLIENT.natives[name] as object, how);
  });
  afterAll(() => {
    for (const name of Object.keys(natives)) CLIENT.natives[name] = before[name] as NativeEvent;
  });
}

/** A home in which that client knows these servers, each of which declares its hooks. */
export function homeOf(servers: Readonly<Record<string, readonly object[]>>, settings: object = {}): World {
  const world = makeWorld();
  const entries = Object.entries(servers).map(([name, declarations]) => {
    const file = world.write(`home/${name}.json`, JSON.stringify({ declarations }));
    return [name, serverEntry(file)];
  });
  const text = JSON.stringify({ ...settings, mcpServers: Object.fromEntries(entries) }, null, 2);
  world.write('home/.gemini/settings.json', `// mine\n${text}\n`);
  return world;
}

/** The entries of an event, in the client's file. */
export function entriesAt(world: World, event: string, file = 'home/.gemini/settings.json'): string[] {
  const text = world.read(file).replace(/^\/\/.*$/gm, '');
  const groups: { hooks: { command: string }[] }[] = JSON.parse(text).hooks?.[event] ?? [];
  return groups.flatMap(({ hooks }) => hooks.map(({ command }) => command));
}

/** The words that a command comes to; on Windows without PowerShell, which would read the line. */
const wordsOf = (command: string): string[] =>
  WINDOWS
    ? [...command.matchAll(/'((?:[^']|'')*)'/g)].map(([, word = '']) => word.replaceAll("''", "'"))
    : ['/bin/sh', '-c', command];

/** Runs an entry as the client does; returns the text that reaches the model. */
export function fires(
  world: World,
  command: string,
  payload: object,
  env: Record<string, string> = {},
): { status: number | null; stderr: string; stdout: string; text: string | undefined } {
  const [program = '', ...words] = wordsOf(command);
  const ran = spawnSync(program, words, {
    input: JSON.stringify(payload),
    encoding: 'utf8',
    cwd: world.project,
    env: { PATH: process.env.PATH ?? '', ...homeEnv(world.home), GEMINI_PROJECT_DIR: world.project, ...env },
  });
  const { status, stderr, stdout } = ran;
  const text = stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput?.additionalContext;
  return { status, stderr, stdout, text };
}

export const dataOf = (world: World): string => join(world.home, '.local/share/mcphooks');
