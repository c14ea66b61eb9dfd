import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { commandOn, shownArgs, word } from '../../src/messages/words.ts';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { WINDOWS } from '../platform.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const START = { event: 'session_start', context: 'Read your notes.', priority: 'suggestion' };
const NAMES = ['--all', '-y', '-', '-a b', '-x\ny', 'x\ny\'\\"\t\u202e$(id)'];

/** Returns the words that a shell makes of a command. */
const wordsOf = (command: string): string[] =>
  execFileSync('bash', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

function worldWith(name: string): World {
  const world = makeWorld();
  world.write('home/declared.json', JSON.stringify({ declarations: [START] }));
  const entry = serverEntry(join(world.home, 'declared.json'));
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { other: entry, [name]: entry } }));
  return world;
}

/** Returns the words of the command that is suggested behind a text. */
function suggested(text: string, behind: string): string[] {
  const line = text.split('\n').find((one) => one.includes(behind));
  if (line === undefined) throw new Error(`nothing behind '${behind}' in ${text}`);
  return wordsOf(line.slice(line.indexOf(behind) + behind.length)).slice(1);
}

it.each([
  ['notes', 'notes'],
  ['C:/x/d.json', 'C:/x/d.json'],
  ["My O'Brien (x) & 100%", `"My O'Brien (x) & 100%"`],
  ['C:\\Zoë X\\d.json', '"C:\\Zoë X\\d.json"'],
  ['@scope/pkg', '"@scope/pkg"'],
  ['a,b', '"a,b"'],
  [`it's $HOME`, `'it''s $HOME'`],
  ['C:\\My Files\\', '"C:\\My Files\\\\"'],
  // Each would run a program where it is pasted: in PowerShell, in PowerShell, in cmd, in cmd and PowerShell.
  ['x\u201d;id;\u201d', "'x\u201d;id;\u201d'"],
  ['$\u2019;id;\u2019', "'$\u2019\u2019;id;\u2019\u2019'"],
  ['$&id', '(-join[char[]](36,38,105,100))'],
  ["\n';&id", '(-join[char[]](10,39,59,38,105,100))'],
  ['a" --yes', '(-join[char[]](97,92,34,32,45,45,121,101,115))'],
])('on Windows, %j is the word %s, for cmd and PowerShell', (name, quoted) =>
  expect(word(name, true)).toBe(quoted),
);

describe.skipIf(WINDOWS)('a suggested command', () => {
  it.each(NAMES)('has the real name as one word, and never as an option: %j', (name) => {
    expect(wordsOf(word(name))).toEqual([name]);
    const command = commandOn('fire', shownArgs({ name, scope: 'local' }), '--json', 'session_start');
    expect(command).not.toContain('\n');
    const words = wordsOf(command);
    expect(words).toEqual(
      name.startsWith('-')
        ? ['mcphooks', 'fire', '--scope', 'local', '--json', '--', name, 'session_start']
        : ['mcphooks', 'fire', '--scope', 'local', name, 'session_start', '--json'],
    );
  });

  it.runIf(LONG).each(NAMES)('works when it is pasted: %j', async (name) => {
    const world = worldWith(name);
    await world.run('install', 'other', '--yes');
    const installed = await world.run('install', '--yes', '--', name);
    expect(installed.code, installed.stderr).toBe(0);
    const fired = await world.run(...suggested(installed.stderr, 'Try it: '));
    expect([fired.code, fired.stdout]).toEqual([0, expect.stringContaining('Read your notes.')]);
    const off = await world.run('disable', '--', name);
    const enable = suggested(off.stdout + off.stderr, 'To enable it again: ');
    expect(enable.slice(0, 1)).toEqual(['enable']);
    const silent = await world.run('fire', '--', name, 'session_start');
    expect(suggested(silent.stdout, 'is disabled; run ')).toEqual(enable);
    expect(await world.run(...enable)).toMatchObject({ code: 0 });
    const doctor = await world.run('doctor', '--', name);
    expect(suggested(doctor.stdout, 'or remove its hooks: ')).toContain(name);
    world.write('home/declared.json', JSON.stringify({ declarations: [{ ...START, context: 'New.' }] }));
    const { stdout } = await world.run('diff', '--', name);
    const update = suggested(stdout, 'approve what changed: ');
    const accept = ['install', '--yes', '--accept-changed', ...update.slice(1)];
    expect(await world.run(...accept)).toMatchObject({ code: 0 });
    const undone = await world.run(...suggested(installed.stderr, 'To undo: '));
    expect(undone.code, undone.stderr).toBe(0);
    const { servers } = JSON.parse((await world.run('list', '--json')).stdout);
    expect(servers.map((one: { server: string }) => one.server)).toEqual(['other']);
  });
});

it('is made in one place alone', () => {
  const src = join(import.meta.dirname, '../../src');
  const verbs = COMMANDS.map(({ name }) => name).join('|');
  const made = new RegExp(`mcphooks (?:${verbs})(?: --?[\\w-]+(?: [a-z]+)?)* \\$\\{[^\n]*`, 'g');
  const found = ['messages', 'cli'].flatMap((room) =>
    readdirSync(join(src, room), { recursive: true, encoding: 'utf8' })
      .filter((one) => one.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(join(src, room, file), 'utf8').matchAll(made)])
      .map(([line]) => line),
  );
  expect(found).toEqual([]);
});
