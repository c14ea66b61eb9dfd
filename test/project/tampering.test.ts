import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LARGEST_FILE } from '../../src/base/read-file.ts';
import { sha256 } from '../../src/base/sha256.ts';
import { VERSION } from '../../src/base/version.ts';
import { codex } from '../../src/clients/codex/index.ts';
import { ODD_FILES } from '../base/odd-files.ts';
import { makeWorld, type World } from '../cli/world.ts';
import { LONG, sample } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { slashed, WINDOWS } from '../platform.ts';
import { commit, git, installForTeam, START, teamWorld } from './team.ts';

installsNodeHere();
/** A repository with hooks for all clients, as its team committed it. */
let team: World;
const worlds: World[] = [];
beforeAll(async () => {
  team = teamWorld();
  await installForTeam(team, '--client', 'claude-code,codex,gemini-cli');
  commit(team);
});
const remove = ({ home }: World): void => rmSync(dirname(home), { recursive: true, force: true });
afterEach(() => worlds.splice(0).forEach(remove));
afterAll(() => remove(team));

/** Somebody's checkout of it. */
class Checkout {
  readonly world: World;
  readonly root: string;
  constructor(world: World) {
    this.world = world;
    this.root = world.project;
  }
  at = (path: string): string => join(this.root, path);
  read = (path: string): string => readFileSync(this.at(path), 'utf8');
  write(path: string, text: string | Buffer): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), text);
  }
  edit(path: string, from: string | RegExp, to: string): void {
    const text = this.read(path);
    const edited = text.replace(from, () => to);
    if (edited === text) throw new Error(`${from} is not in ${path}`);
    this.write(path, edited);
  }
  /** The first committed file of ours whose path ends so. */
  own(end: string): string {
    const found = git(team, 'ls-files', '.mcphooks')
      .split('\n')
      .find((path) => path.endsWith(end));
    if (found === undefined) throw new Error(`no file ${end}`);
    return found;
  }
  /** Puts the hash of a file that was altered into the lock file. */
  relock(path: string, before: string): void {
    this.edit(LOCK, sha256(before), sha256(this.read(path)));
  }
  /** A link in place of what stands at a path, to a copy of it. */
  link(path: string, to: string): void {
    const target = to.startsWith('/') ? to : join(dirname(this.at(path)), to);
    cpSync(this.at(path), target, { recursive: true });
    rmSync(this.at(path), { recursive: true });
    symlinkSync(to, this.at(path));
  }
  lock(change: (lock: Lock) => void): void {
    const lock = JSON.parse(this.read(LOCK));
    change(lock);
    this.write(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
  }
  settings(change: (settings: Settings) => void): void {
    const settings = JSON.parse(this.read(CLAUDE));
    change(settings);
    this.write(CLAUDE, JSON.stringify(settings, null, 2));
  }
  /** One more hook of Claude Code's. */
  hook(command: string, file = CLAUDE): void {
    const settings = existsSync(this.at(file)) ? JSON.parse(this.read(file)) : {};
    settings.hooks ??= {};
    settings.hooks.Stop = [...(settings.hooks.Stop ?? []), { hooks: [{ type: 'command', command }] }];
    this.write(file, JSON.stringify(settings));
  }
}

interface Lock {
  lockfileVersion: number;
  mcphooks: string;
  servers: Record<string, unknown>[];
  files: Record<string, Record<string, unknown>>;
  [more: string]: unknown;
}
type Settings = { hooks: Record<string, { hooks: { command: string }[] }[]> };

const LOCK = 'mcphooks.lock.json';
const CLAUDE = '.claude/settings.json';
const GEMINI = '.gemini/settings.json';
const CODEX = '.codex/config.toml';
const SCRIPT = 'claude-code/UserPromptSubmit';

function checkout(): Checkout {
  const world = makeWorld();
  worlds.push(world);
  for (const name of readdirSync(team.project).filter((name) => name !== '.git'))
    cpSync(join(team.project, name), join(world.project, name), { recursive: true });
  // A repository, whatever is in it.
  mkdirSync(join(world.project, '.git'));
  return new Checkout(world);
}

type Tamper = (c: Checkout) => void;
/** What is said of it, besides that there is something. */
type Case = readonly [string, Tamper, said?: string];

const LINKS: readonly Case[] = [
  ...['.mcphooks', '.mcphooks/hooks', '.mcphooks/hooks/memo', '.mcphooks/runtime'].map(
    (path): Case => [
      `${path} is a link within the repository`,
      (c) => c.link(path, c.at('tools/there')),
      path,
    ],
  ),
  ['a script is a link beside it', (c) => c.link(c.own(SCRIPT), 'copy'), 'symbolic link'],
  [
    'a script is a link by way of /proc/self/cwd',
    (c) => {
      c.link(c.own(SCRIPT), c.at('tools/copy'));
      rmSync(c.at(c.own(SCRIPT)));
      symlinkSync('/proc/self/cwd/tools/copy', c.at(c.own(SCRIPT)));
    },
    '/proc/self/cwd',
  ],
  ['a script is a link out of the repository', (c) => c.link(c.own(SCRIPT), join(c.world.home, 'copy'))],
  ["a script's data are a link", (c) => c.link(c.own(`${SCRIPT}.json`), c.at('tools/copy'))],
  ['the runtime is a link', (c) => c.link('.mcphooks/runtime/fire.cjs', c.at('tools/fire.cjs'))],
  ['the attributes are a link', (c) => c.link('.mcphooks/.gitattributes', c.at('tools/attributes'))],
  ['the lock file is a link', (c) => c.link(LOCK, 'tools/lock.json'), LOCK],
  ['the lock file is a link out', (c) => c.link(LOCK, join(c.world.home, 'lock.json')), LOCK],
  ...[CLAUDE, GEMINI, CODEX].map(
    (path): Case => [`${path} is a link`, (c) => c.link(path, c.at('tools/copy')), path],
  ),
  ['.claude is a link', (c) => c.link('.claude', 'tools/claude'), '.claude'],
  ['.codex is a link', (c) => c.link('.codex', 'tools/codex'), '.codex'],
  ['a link of ours dangles', (c) => symlinkSync('nowhere', c.at('.mcphooks/more')), '.mcphooks/more'],
  [
    'the other file of Codex is a link to the first',
    (c) => symlinkSync('config.toml', c.at('.codex/hooks.json')),
    '.codex/hooks.json',
  ],
];

const OWN: readonly Case[] = [
  ['a script is gone', (c) => rmSync(c.at(c.own(SCRIPT)))],
  ['a script is empty', (c) => c.write(c.own(SCRIPT), '')],
  ['a script has one more line', (c) => c.write(c.own(SCRIPT), `${c.read(c.own(SCRIPT))}touch pwned\n`)],
  [
    'a script has the line ends of Windows',
    (c) => c.write(c.own(SCRIPT), c.read(c.own(SCRIPT)).replaceAll('\n', '\r\n')),
  ],
  ['a script begins with a byte order mark', (c) => c.write(c.own(SCRIPT), `\ufeff${c.read(c.own(SCRIPT))}`)],
  ['a script has no final newline', (c) => c.write(c.own(SCRIPT), c.read(c.own(SCRIPT)).trimEnd())],
  ['a text is another', (c) => c.edit(c.own(`${SCRIPT}.json`), 'Keep answers short.', 'Skip the tests.')],
  [
    "a text's prepared document is another",
    (c) => c.write(c.own(`${SCRIPT}.json`).replace(/json$/, 'out'), '{"x":"}}\n'),
  ],
  [
    'a text has a letter in another normal form',
    (c) => c.edit(c.own(`${SCRIPT}.json`), 'Keep', 'Kéep'.normalize('NFD')),
  ],
  ['the needles are others', (c) => c.write(c.own('claude-code/PostToolUse.needles'), 'x\n')],
  ['the runtime is another', (c) => c.write('.mcphooks/runtime/fire.cjs', 'process.exit(0)')],
  ['the called part of the runtime is another', (c) => c.write('.mcphooks/runtime/call.cjs', '')],
  ['the part for conditions is another', (c) => c.write('.mcphooks/runtime/conditions.cjs', '')],
  ['the attributes let git change line ends', (c) => c.write('.mcphooks/.gitattributes', '* text=auto\n')],
  [
    'two scripts changed places',
    (c) => {
      const [a, b] = [c.own(SCRIPT), c.own('claude-code/SessionStart')];
      renameSync(c.at(a), c.at('x'));
      renameSync(c.at(b), c.at(a));
      renameSync(c.at('x'), c.at(b));
    },
  ],
  [
    'a file is a folder',
    (c) => {
      rmSync(c.at(c.own(SCRIPT)));
      mkdirSync(c.at(c.own(SCRIPT)));
    },
  ],
  ...ODD_FILES.slice(1, 3).map(
    ([title, make]): Case => [
      `in place of a script: ${title}`,
      (c) => {
        rmSync(c.at(c.own(SCRIPT)));
        make(c.at(c.own(SCRIPT)));
      },
    ],
  ),
  ['.mcphooks is gone', (c) => rmSync(c.at('.mcphooks'), { recursive: true })],
  [
    '.mcphooks is a file',
    (c) => {
      rmSync(c.at('.mcphooks'), { recursive: true });
      c.write('.mcphooks', '');
    },
  ],
];

const MORE_FILES: readonly Case[] = [
  [
    'beside the runtime',
    (c) => c.write('.mcphooks/runtime/package.json', '{"type":"module"}'),
    'runtime/package.json',
  ],
  [
    'modules for the runtime',
    (c) => c.write('.mcphooks/runtime/node_modules/x/index.js', ''),
    'node_modules/x/index.js',
  ],
  [
    'attributes in another place',
    (c) => c.write('.mcphooks/hooks/.gitattributes', '* text\n'),
    'hooks/.gitattributes',
  ],
  ["attributes in a server's folder", (c) => c.write('.mcphooks/hooks/memo/.gitattributes', '* text\n')],
  [
    "another server's folder",
    (c) => c.write('.mcphooks/hooks/other/0123456789abcdef/codex/Stop', ''),
    'hooks/other/',
  ],
  ['another client of the server', (c) => c.write(join(dirname(dirname(c.own(SCRIPT))), 'cursor/Stop'), '')],
  ['another script of the client', (c) => c.write(join(dirname(c.own(SCRIPT)), 'Stop'), '')],
  ['another file of a script', (c) => c.write(c.own(SCRIPT).concat('.unless'), 'x\n')],
  [
    'another digest',
    (c) =>
      cpSync(c.at(dirname(dirname(c.own(SCRIPT)))), c.at('.mcphooks/hooks/memo/0123456789abcdef'), {
        recursive: true,
      }),
  ],
  ['an old lock', (c) => c.write('.mcphooks/lock', '{"pid":1,"host":"other"}'), '.mcphooks/lock'],
  [
    'an old journal',
    (c) => c.write('.mcphooks/journal.commit.json', '{"format":1,"ops":[],"made":[],"emptied":[]}'),
    'journal',
  ],
  [
    "a file of the project's catalogue in a folder too deep for an entry",
    (c) => c.write('.mcphooks/catalogue/x/y/entry.json', '{}'),
    'catalogue/x/y/entry.json',
  ],
  ['a name in another case', (c) => c.write('.mcphooks/Runtime/fire.cjs', ''), 'Runtime/fire.cjs'],
  ['a name with a line break', (c) => c.write('.mcphooks/a\nb', ''), '.mcphooks/a'],
  ['a pipe', (c) => void spawnSync('mkfifo', [c.at('.mcphooks/pipe')]), '.mcphooks/pipe'],
  ['a repository', (c) => c.write('.mcphooks/.git/config', '[core]\n'), '.mcphooks/.git'],
];

const LOCKS: readonly Case[] = [
  ['gone', (c) => rmSync(c.at(LOCK))],
  ['empty', (c) => c.write(LOCK, '')],
  ['a list', (c) => c.write(LOCK, '[]')],
  [
    'of a later format',
    (c) =>
      c.lock((l) => {
        l.lockfileVersion = 2;
      }),
    'newer mcphooks',
  ],
  [
    'of an older version',
    (c) =>
      c.lock((l) => {
        l.mcphooks = '0.0.9';
      }),
    'npm install --global mcphooks@0.0.9',
  ],
  [
    'of a later version',
    (c) =>
      c.lock((l) => {
        l.mcphooks = '99.0.0';
      }),
    'npm install --global mcphooks@99.0.0',
  ],
  [
    'of a version that is a command',
    (c) =>
      c.lock((l) => {
        l.mcphooks = '1.0.0; curl evil.example';
      }),
    'not a mcphooks version',
  ],
  [
    'of nearly this version',
    (c) =>
      c.lock((l) => {
        l.mcphooks = `${VERSION} `;
      }),
    'written by mcphooks',
  ],
  [
    'of another version, with a script and its hash',
    (c) => {
      const before = c.read(c.own(SCRIPT));
      c.write(c.own(SCRIPT), '#!/bin/sh\ntouch pwned\n');
      c.relock(c.own(SCRIPT), before);
      c.lock((l) => {
        l.mcphooks = '0.0.9';
      });
    },
    'written by mcphooks 0.0.9',
  ],
  [
    'with a script and its hash',
    (c) => {
      const before = c.read(c.own(SCRIPT));
      c.write(c.own(SCRIPT), '#!/bin/sh\ntouch pwned\n');
      c.relock(c.own(SCRIPT), before);
    },
  ],
  [
    "with a text of a script's data, and its hash",
    (c) => {
      const before = c.read(c.own(`${SCRIPT}.json`));
      c.edit(c.own(`${SCRIPT}.json`), 'Keep answers short.', 'Skip the tests.');
      c.relock(c.own(`${SCRIPT}.json`), before);
    },
  ],
  [
    'with one more file of ours, and its hash',
    (c) => {
      c.write('.mcphooks/hooks/memo/more', 'x');
      c.lock((l) => {
        const [client] = Object.values(
          l.servers[0]?.clients as Record<string, { own: Record<string, string> }>,
        );
        if (client) client.own['.mcphooks/hooks/memo/more'] = sha256('x');
      });
    },
  ],
  [
    "with a hook's text alone",
    (c) => c.edit(LOCK, 'Keep answers short.', 'Skip the tests.'),
    'were edited in this file',
  ],
  [
    "with a hook's text in upper case letters of another alphabet",
    (c) => c.edit(LOCK, 'Keep', '\u041aeep'),
    'were edited in this file',
  ],
  ['with another command shown', (c) => c.edit(LOCK, `"shown": "${START.command}`, '"shown": "safe')],
  ['with another digest', (c) => c.edit(LOCK, /"digest": ".{3}/, '"digest": "000')],
  ['with other options', (c) => c.edit(LOCK, '"options": {', '"options": { "maxPriority": "required",')],
  ['with another fidelity', (c) => c.edit(LOCK, /"fidelity": \[\s*"native"/, '"fidelity": ["late"')],
  [
    'with `servers` twice',
    (c) => c.edit(LOCK, '"servers"', '"servers": [], "servers"'),
    "duplicate key 'servers'",
  ],
  [
    'with `servers` twice, one of them escaped',
    (c) => c.edit(LOCK, '"servers"', '"serv\\u0065rs": [], "servers"'),
    'duplicate key',
  ],
  [
    'with a text twice',
    (c) => c.edit(LOCK, '"context": "Keep', '"context": "Be kind.", "context": "Keep'),
    'duplicate key',
  ],
  [
    'with a server twice',
    (c) =>
      c.lock((l) => {
        l.servers.push({ ...l.servers[0] });
      }),
    'servers[1].server',
  ],
  [
    'with a key that we never write',
    (c) =>
      c.lock((l) => {
        l.note = 'reviewed';
      }),
    'does not write',
  ],
  [
    'with a key of a server that we never write',
    (c) =>
      c.lock((l) => {
        if (l.servers[0]) l.servers[0].note = '';
      }),
    'does not write',
  ],
  [
    'with `__proto__`',
    (c) => c.edit(LOCK, '"lockfileVersion"', '"__proto__": {}, "lockfileVersion"'),
    'does not write',
  ],
  [
    'with a merge conflict',
    (c) => c.write(LOCK, `<<<<<<< HEAD\n${c.read(LOCK)}=======\n>>>>>>> other\n`),
    'merge conflict',
  ],
  [
    'with a byte that is no UTF-8',
    (c) => c.write(LOCK, Buffer.from(c.read(LOCK).replace('"memo"', '"mem\u00ff"'), 'latin1')),
  ],
  ['with a path out of the project', (c) => c.edit(LOCK, '".mcphooks/runtime/call.cjs"', '"../home/x"')],
  [
    'with an entry of another file',
    (c) => c.edit(LOCK, '"file": ".codex/config.toml"', '"file": ".codex/hooks.json"'),
  ],
  ['with a comment', (c) => c.edit(LOCK, '{', '{ // fine\n')],
  // What uninstall gives back.
  ['with another list that was made', (c) => c.edit(LOCK, '"/hooks/PostToolUse"', '"/hooks/PostToolUs"')],
  [
    'with a list at no pointer',
    (c) => c.edit(LOCK, '"/hooks/PostToolUse"', '".hooks/PostToolUse"'),
    '].containers[',
  ],
  [
    'with a list that was neither made nor empty',
    (c) => c.edit(LOCK, /("\/hooks": \{\s*)"created"/, '"/hooks": { "creates"'),
    '].containers[',
  ],
  [
    'with a file that holds no hooks',
    (c) => c.edit(LOCK, '".claude/settings.json": {', '".bashrc": {'),
    '.bashrc',
  ],
  [
    'with a text that a blank file had',
    (c) =>
      c.lock(({ files }) => {
        files[CLAUDE] = { ...files[CLAUDE], blank: '{"hooks": {}}' };
      }),
    'blank',
  ],
];

const ENTRIES: readonly Case[] = [
  ['gone from Claude Code', (c) => c.write(CLAUDE, '{}')],
  ['gone from Codex', (c) => c.write(CODEX, '# ours\nmodel = "gpt"\n')],
  ['switched off by a second `hooks`', (c) => c.edit(CLAUDE, /\}\s*$/, ', "hooks": {} }')],
  ['with another matcher', (c) => c.edit(CLAUDE, '"matcher": "Bash"', '"matcher": "Read"')],
  ['with another timeout', (c) => c.edit(CLAUDE, /"timeout": \d+/, '"timeout": 9999')],
  ['with one more field', (c) => c.edit(CLAUDE, '"type": "command"', '"async": true, "type": "command"')],
  ['with another script', (c) => c.edit(CLAUDE, '/UserPromptSubmit 2>', '/SessionStart 2>')],
  [
    'with another digest',
    (c) => c.edit(CLAUDE, /hooks\/memo\/[0-9a-f]{16}\//, 'hooks/memo/0123456789abcdef/'),
  ],
  [
    'twice',
    (c) => c.settings(({ hooks }) => hooks.UserPromptSubmit?.push(...(hooks.UserPromptSubmit ?? []))),
  ],
  [
    'at another event, too',
    (c) =>
      c.settings(({ hooks }) => {
        hooks.Stop = hooks.UserPromptSubmit ?? [];
      }),
  ],
  [
    'at an event in another case',
    (c) =>
      c.settings(({ hooks }) => {
        hooks.userPromptSubmit = hooks.UserPromptSubmit ?? [];
      }),
  ],
  [
    "in Codex's other file, too",
    (c) =>
      c.write(
        '.codex/hooks.json',
        JSON.stringify({
          hooks: {
            Stop: [
              {
                hooks: [
                  {
                    type: 'command',
                    command: codex.hooks.inProject(c.own('codex/UserPromptSubmit')).command,
                  },
                ],
              },
            ],
          },
        }),
      ),
    '.codex/hooks.json',
  ],
  [
    "in Claude Code's local file, too",
    (c) => c.write('.claude/settings.local.json', c.read(CLAUDE)),
    'settings.local.json',
  ],
  [
    "in Claude Code's local file, too, by a link",
    (c) => symlinkSync('settings.json', c.at('.claude/settings.local.json')),
    'settings.local.json',
  ],
  [
    "in Claude Code's local file, too, which is too large to be searched",
    (c) => c.write('.claude/settings.local.json', `${' '.repeat(LARGEST_FILE)}${c.read(CLAUDE)}`),
    'settings.local.json',
  ],
  ...[
    ['with comments', (hooks: string) => `{"hooks": ${hooks}/**/,}`],
    ['with a mistake', (hooks: string) => `{"version": 1 "hooks": ${hooks}`],
    ['as a prototype', (hooks: string) => `{"__proto__": {"hooks": ${hooks}}}`],
    ['as a prototype, with comments', (hooks: string) => `{"hooks": {"__proto__": ${hooks}}/**/,}`],
    [
      'as a prototype of many levels',
      (hooks: string) => `{"hooks": ${'{"__proto__":'.repeat(3000)}${hooks}${'}'.repeat(3000)}/**/}`,
    ],
  ].map(
    ([how, file]): Case => [
      `in a file that only VS Code reads so: ${how}`,
      (c) => {
        const hooks = JSON.stringify({ Stop: [{ command: `sh ${c.own(SCRIPT)}` }] });
        c.write('.github/hooks/x.json', (file as (hooks: string) => string)(hooks));
      },
      '.github/hooks/x.json',
    ],
  ),
  [
    'in what Gemini CLI takes for a comment',
    (c) => {
      const { hooks } = JSON.parse(c.read(GEMINI).replace('/* ours */', ''));
      c.write(GEMINI, `{ "hooks": {} // \r, "hooks": ${JSON.stringify(hooks)}\n}`);
    },
    'a carriage return in a comment',
  ],
  [
    'in what Qwen Code, of which no file is listed, does not take for a comment',
    (c) => {
      const hooks = JSON.stringify({ Stop: [{ hooks: [{ command: `sh ${c.own(SCRIPT)}` }] }] });
      c.write('.qwen/settings.json', `{ "hooks": ${hooks} // \r, "hooks": {}\n}`);
    },
    '.qwen/settings.json:1:',
  ],
  [
    "of Codex in Claude Code's file",
    (c) => c.hook(codex.hooks.inProject(c.own('codex/UserPromptSubmit')).command),
    CLAUDE,
  ],
  [
    'as 0.1.0 wrote them for Codex',
    (c) => {
      const path = c.own('codex/UserPromptSubmit');
      const { command } = codex.hooks.inProject(path);
      const before = codex.hooks.inProjectBefore?.[0]?.(path).command ?? '';
      c.edit(CODEX, JSON.stringify(command).slice(1, -1), JSON.stringify(before).slice(1, -1));
    },
  ],
  [
    'of Codex, with another line for Windows',
    (c) => c.edit(CODEX, "& node '-e'", "& node './evil.js' '-e'"),
    CODEX,
  ],
  [
    'of a server that the lock file does not have',
    (c) =>
      c.hook(`sh "$CLAUDE_PROJECT_DIR"/${c.own(SCRIPT).replace('/memo/', '/other/')} 2>/dev/null || exit 0`),
    "hooks from 'other'",
  ],
];

/** Our script in a hook of Claude Code's, by another command than ours. */
const SPELLINGS: readonly (readonly [string, (path: string) => string])[] = [
  ['without quotes', (p) => `sh $CLAUDE_PROJECT_DIR/${p}`],
  ['relative', (p) => `sh ./${p}`],
  ['with /./', (p) => `sh "$CLAUDE_PROJECT_DIR"/./${p} 2>/dev/null || exit 0`],
  ['with //', (p) => `sh "$CLAUDE_PROJECT_DIR"//${p.replaceAll('/', '//')} 2>/dev/null || exit 0`],
  ['with ..', (p) => `sh "$CLAUDE_PROJECT_DIR"/src/../${p}`],
  ['with quotes within', (p) => `sh "$CLAUDE_PROJECT_DIR"/.mcp''hooks/${p.slice('.mcphooks/'.length)}`],
  ['with a backslash within', (p) => `sh "$CLAUDE_PROJECT_DIR"/.mcp\\hooks/${p.slice('.mcphooks/'.length)}`],
  ['with backslashes of Windows', (p) => `cmd /c .\\${p.replaceAll('/', '\\')}`],
  ['in upper case', (p) => `sh "$CLAUDE_PROJECT_DIR"/${p.toUpperCase()}`],
  [
    'in letters of full width',
    (p) => `sh "$CLAUDE_PROJECT_DIR"/.\uff4dcphooks/${p.slice('.mcphooks/'.length)}`,
  ],
  [
    'with an invisible letter',
    (p) => `sh "$CLAUDE_PROJECT_DIR"/.mcp\u200bhooks/${p.slice('.mcphooks/'.length)}`,
  ],
  ['with a wildcard', (p) => `sh "$CLAUDE_PROJECT_DIR"/.mcp*/${p.slice('.mcphooks/'.length)}`],
  ['with wildcards all over', () => 'sh "$CLAUDE_PROJECT_DIR"/.m?p[h]ook*/h*/*/*/c*/U*'],
  [
    'with an expansion to nothing',
    (p) => `sh "$CLAUDE_PROJECT_DIR"/.mcp$@hooks/${p.slice('.mcphooks/'.length)}`,
  ],
  ['with a folder of its own', (p) => `cd .mcphooks && sh ${p.slice('.mcphooks/'.length)}`],
  ['by its folder below a link', (p) => `sh tools/x/${p.slice('.mcphooks/'.length)}`],
  ['with an option', (p) => `sh -x "$CLAUDE_PROJECT_DIR"/${p} 2>/dev/null || exit 0`],
  ['with something behind', (p) => `sh "$CLAUDE_PROJECT_DIR"/${p} 2>/dev/null || exit 0; touch pwned`],
  ['with something before', (p) => `touch pwned; sh "$CLAUDE_PROJECT_DIR"/${p} 2>/dev/null || exit 0`],
  ['with a blank behind', (p) => `sh "$CLAUDE_PROJECT_DIR"/${p} 2>/dev/null || exit 0 `],
  ['its runtime directly', () => 'node .mcphooks/runtime/fire.cjs x'],
];

const below = (command: string): string =>
  JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });

const BELOW: readonly Case[] = [
  [
    'entries of Codex in another spelling',
    (c) =>
      c.write(
        'packages/a/.codex/hooks.json',
        below(`sh ../..//${c.own('codex/UserPromptSubmit').replaceAll('/', '//')}`),
      ),
    'packages/a/.codex/hooks.json',
  ],
  [
    'entries of Codex with an escape',
    (c) =>
      c.write(
        'packages/a/.codex/hooks.json',
        below(`sh ../../${c.own('codex/UserPromptSubmit')}`).replaceAll('mcphooks', '\\u006dcphooks'),
      ),
    'packages/a/.codex/hooks.json',
  ],
  [
    'a folder of ours',
    (c) => cpSync(c.at('.mcphooks'), c.at('vendor/x/.mcphooks'), { recursive: true }),
    'vendor/x/.mcphooks',
  ],
  ['a folder of ours in another case', (c) => c.write('vendor/.McpHooks/x', ''), 'vendor/.McpHooks'],
  [
    'a lock file',
    (c) => cpSync(c.at(LOCK), c.at(`packages/a/${LOCK}`), { recursive: true }),
    `packages/a/${LOCK}`,
  ],
  [
    'entries of Codex',
    (c) => cpSync(c.at('.codex'), c.at('packages/a/.codex'), { recursive: true }),
    'packages/a/.codex/config.toml',
  ],
  [
    'entries of Claude Code',
    (c) => cpSync(c.at('.claude'), c.at('a/b/c/.claude'), { recursive: true }),
    'a/b/c/.claude/settings.json',
  ],
  [
    'entries of Codex in a folder that is so called on other machines',
    (c) => cpSync(c.at('.codex'), c.at('packages/a/.Codex'), { recursive: true }),
    'packages/a/.Codex/config.toml',
  ],
  [
    'entries of Codex behind a link',
    (c) => {
      cpSync(c.at('.codex'), c.at('tools/codex'), { recursive: true });
      mkdirSync(c.at('packages/a'), { recursive: true });
      symlinkSync('../../tools/codex', c.at('packages/a/.codex'));
    },
    'packages/a/.codex/config.toml',
  ],
  [
    'our script in a file that Copilot CLI reads, too',
    (c) =>
      c.write(
        'packages/a/.github/hooks/x.json',
        JSON.stringify({ hooks: { agentStop: [{ command: `sh ../../${c.own(SCRIPT)}` }] } }),
      ),
    'packages/a/.github/hooks/x.json',
  ],
  ["a folder of ours in a client's", (c) => c.write('.claude/.mcphooks/x', ''), '.claude/.mcphooks'],
  ["a client's file in another case", (c) => c.write('.claude/Settings.json', '{}'), '.claude/Settings.json'],
  [
    'a plugin of ours in another case',
    (c) => c.write('.opencode/plugins/MCPhooks-memo.js', ''),
    '.opencode/plugins/MCPhooks-memo.js',
  ],
  ['a folder of ours in another case at the root', (c) => c.write('.MCPhooks/x', ''), '.MCPhooks'],
  ['a folder of ours in letters of full width', (c) => c.write('.\uff4dcphooks/x', ''), '.mcphooks'],
  ["a client's folder in another case", (c) => c.write('.Claude/settings.json', '{}'), '.Claude'],
  ['a lock file in another case', (c) => c.write('MCPhooks.lock.json', '{}'), 'MCPhooks.lock.json'],
  ['a folder of ours with a dot at its end', (c) => c.write('.mcphooks./x', ''), '.mcphooks.'],
];

const named = (cases: readonly Case[]) => cases.map(([name, tamper, said = '']) => ({ name, tamper, said }));

async function differs(tamper: Tamper, said = ''): Promise<Checkout> {
  const c = checkout();
  tamper(c);
  const { code, stdout, stderr } = await c.world.run('diff', '--scope', 'project', '--offline');
  expect([1, 2], stdout + stderr).toContain(code);
  expect(slashed(stdout + stderr)).toContain(said);
  expect(existsSync(c.at('pwned'))).toBe(false);
  return c;
}

describe('diff --offline in a checkout', () => {
  it('finds nothing where nothing was altered', async () => {
    const c = checkout();
    expect(await c.world.run('diff', '--scope', 'project', '--offline')).toMatchObject({
      code: 0,
      stderr: '',
    });
    const ran = await c.world.run('diff', '--scope', 'project', '--offline', '--format', 'markdown');
    expect(ran).toMatchObject({
      code: 0,
      stdout: '**mcphooks**: the hooks agree with `mcphooks.lock.json`.\n',
    });
  });

  it('takes a submodule or a worktree below the root for another project', async () => {
    const c = checkout();
    for (const folder of ['sub', '.worktrees/f2']) {
      cpSync(c.at('.mcphooks'), c.at(`${folder}/.mcphooks`), { recursive: true });
      c.write(`${folder}/.git`, 'gitdir: elsewhere\n');
    }
    expect(await c.world.run('diff', '--scope', 'project', '--offline')).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  describe.each([
    ['own files', OWN],
    ['a further file among ours:', MORE_FILES],
    ['a lock file', LOCKS],
    ['entries', ENTRIES],
    ['elsewhere in the repository:', BELOW],
  ])('notices %s', (_, cases) => {
    it.each(sample(named(cases), LONG ? 3 : 6))('$name', async ({ tamper, said }) => {
      await differs(tamper, said);
    });
  });

  it.each(sample(SPELLINGS, LONG ? 2 : 4))('notices our script by another command: %s', async (_, spell) => {
    await differs((c) => c.hook(spell(c.own(SCRIPT))), 'mcphooks did not write it');
  });

  it('does not call hooks of another version as installed', async () => {
    const c = checkout();
    c.lock((l) => {
      l.mcphooks = '0.0.9';
    });
    const { code, stdout, stderr } = await c.world.run('diff', '--scope', 'project', '--offline');
    expect([code, stdout]).toEqual([
      2,
      'memo: could not be verified, because the lock file names another version of mcphooks\n',
    ]);
    expect(stderr).toContain("can't verify its scripts");
  });

  it('tells it in a comment, too, and as JSON', async () => {
    const tamper: Tamper = (c) => {
      c.hook('sh ./.mcphooks/x');
      c.write('.mcphooks/more', '');
      c.write('a/.mcphooks/more', '');
      c.lock((l) => {
        l.mcphooks = '0.0.9';
      });
    };
    const c = await differs(tamper);
    const diff = ['diff', '--scope', 'project', '--offline'];
    const comment = await c.world.run(...diff, '--format', 'markdown');
    expect(comment).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^\*\*mcphooks\*\*: do not merge this/),
    });
    for (const text of [
      '.mcphooks/more',
      'a/.mcphooks',
      'sh ./.mcphooks/x',
      'npm install --global mcphooks@0.0.9',
    ])
      expect(slashed(comment.stdout)).toContain(text);
    const json = JSON.parse((await c.world.run(...diff, '--json')).stdout);
    const codes = json.faults.map((fault: { code: string }) => fault.code);
    expect(codes).toEqual([
      'lock.other-version',
      'project.unknown-files',
      'project.other-command',
      'project.nested',
    ]);
    expect(slashed((await c.world.run('list')).stderr)).toContain('a/.mcphooks');
  });

  it('restores nothing beside a subfolder with hooks', async () => {
    const c = checkout();
    c.write('a/.mcphooks/more', '');
    const frozen = await c.world.run('install', '--frozen', '--yes', '--scope', 'project');
    const { home } = c.world;
    const at = join(home, '../project/a/.mcphooks');
    expect(frozen).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${at}: mcphooks' hooks in a subfolder`),
    });
  });
});

describe('links are named by every command that compares, and followed by none', () => {
  // Without MCPHOOKS_TEST=all every other row is seen by every other command.
  const rows = sample(LINKS, 2).map(([name, tamper, said = ''], turn) => ({ name, tamper, said, turn }));
  it.each(LONG ? rows : rows.slice(0, 1))('$name', async ({ tamper, said, turn }) => {
    const c = checkout();
    tamper(c);
    const before = standing(dirname(c.world.home));
    const commands: [string[], number[]][] = [
      [['diff', '--scope', 'project', '--offline'], [2]],
      [['list'], [2]],
      [['doctor'], [1]],
      [
        ['install', '--frozen', '--yes', '--scope', 'project'],
        [0, 1, 2],
      ],
      [
        [
          'install',
          'memo',
          '--declarations',
          'tools/hooks.json',
          '--no-check',
          '--scope',
          'project',
          '--dry-run',
        ],
        [1, 2],
      ],
    ];
    for (const [args, codes] of sample(commands, 2, turn)) {
      const { code, stdout, stderr } = await c.world.run(...args);
      expect(codes, `${args.join(' ')}: ${stdout}${stderr}`).toContain(code);
      expect(stdout + stderr, args.join(' ')).toMatch(/symbolic link/);
      expect(slashed(stdout + stderr), args.join(' ')).toContain(said);
    }
    expect(standing(dirname(c.world.home))).toEqual(before);
  });
});

/** What changes nothing of what any hook does, and isn't noticed. */
const HARMLESS: readonly (readonly [string, Tamper])[] = [
  ['scripts lose the right to be run: sh reads them', (c) => chmodSync(c.at(c.own(SCRIPT)), 0o644)],
  ['scripts may be run by all', (c) => chmodSync(c.at(c.own(SCRIPT)), 0o777)],
  ['an empty folder, which git does not keep', (c) => mkdirSync(c.at('.mcphooks/hooks/empty'))],
  [
    'the lock file in another layout',
    (c) => c.write(LOCK, JSON.stringify(JSON.parse(c.read(LOCK)), null, '\t')),
  ],
  [
    'the lock file with the line ends of Windows',
    (c) => c.write(LOCK, c.read(LOCK).replaceAll('\n', '\r\n')),
  ],
  [
    'keys of the lock file in another order',
    (c) =>
      c.lock((l) => {
        const [server] = l.servers;
        if (server) l.servers[0] = Object.fromEntries(Object.entries(server).reverse());
      }),
  ],
  ['attributes at the root, which ours overrule', (c) => c.write('.gitattributes', '* text=auto eol=crlf\n')],
  ["another's hook beside ours", (c) => c.hook('echo done')],
  [
    "a link in a subfolder to the root's own folder of a client",
    (c) => {
      mkdirSync(c.at('packages/a'), { recursive: true });
      symlinkSync('../../.claude', c.at('packages/a/.claude'));
    },
  ],
  [
    'a rule that keeps agents out of our folder',
    (c) =>
      c.settings((s) => {
        Object.assign(s, { permissions: { deny: ['Edit(.mcphooks/**)'] } });
      }),
  ],
  ['settings in another layout', (c) => c.write(CLAUDE, JSON.stringify(JSON.parse(c.read(CLAUDE))))],
  [
    'what an uninstall gives back, which takes out no more than ours',
    (c) =>
      c.lock((l) => {
        for (const path of Object.keys(l.files)) l.files[path] = { ...l.files[path], created: true };
      }),
  ],
];

describe('what has no effect, and is not noticed', () => {
  /** What the hook says. On Windows nothing runs this command, which needs `sh`. */
  const said = (c: Checkout, env: Record<string, string> = {}): string => {
    const { hooks } = JSON.parse(c.read(CLAUDE)) as Settings;
    const { command = '' } = hooks.UserPromptSubmit?.[0]?.hooks[0] ?? {};
    const { stdout, stderr, status } = spawnSync('sh', ['-c', command], {
      cwd: c.root,
      env: { ...c.world.env, CLAUDE_PROJECT_DIR: c.root, ...env },
      input: JSON.stringify({ session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: 'Hi' }),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    // The tag is random.
    return stdout.replace(/[0-9a-f]{6,}/g, 'tag');
  };

  it.skipIf(WINDOWS)("a variable of a client's settings that names others' files", () => {
    const c = checkout();
    c.write('tools/x.out', '{"x":{"y":"pwned"}}');
    expect(said(c, { mcphooks_shim: './tools/x' })).toContain('Keep answers short.');
  });

  /** What it says where nothing was done. */
  let plain: string | undefined;

  const rows = sample(HARMLESS, 3);
  it.each(LONG ? rows : rows.slice(0, 2))('%s', async (_, tamper) => {
    const c = checkout();
    tamper(c);
    expect(await c.world.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
    if (!WINDOWS) {
      plain ??= said(checkout());
      const now = said(c);
      expect(now).toContain('Keep answers short.');
      expect(now).toBe(plain);
    }
    expect(await c.world.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 0 });
    for (const [path, text] of [
      [CLAUDE, 'opus'],
      [GEMINI, '/* ours */'],
      [CODEX, '# ours'],
    ] as const)
      expect(c.read(path)).toContain(text);
  });
});

/** Every file and link below a folder, no link followed. */
function standing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((e) => !e.isDirectory())
    .map((e) => [e, join(e.parentPath, e.name)] as const)
    .map(([e, path]) => `${path} ${e.isFile() ? sha256(readFileSync(path, 'latin1')) : ''}`)
    .sort();
}
