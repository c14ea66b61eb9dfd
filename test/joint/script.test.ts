import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { disk } from '../../src/app/disk.ts';
import { LARGEST_FILE } from '../../src/base/read-file.ts';
import { keptTextsFolder } from '../../src/fire/own-folders.ts';
import { storeText, tidy } from '../../src/fire/session/kept-texts.ts';
import { isGiven } from '../../src/inspect/entries.ts';
import { readLog } from '../../src/inspect/log.ts';
import { LONG, sample } from '../effort.ts';
import { captured } from '../fire/world.ts';
import { nodeHere } from '../node-here/start.ts';
import { mkdirBelowAcl, present } from '../shells.ts';
import { CLIENT, install, type Joint, logged, NATIVE, type Server, scripts, start } from './scripts.ts';

const w = scripts();
const node = nodeHere();
const SHELLS = present([
  ['dash'],
  ...sample(
    [
      ['bash', '--posix'],
      ['busybox', 'sh'],
      ['mksh'],
      ['ksh93'],
      ['zsh', '--emulate', 'sh'],
      ['yash', '-o', 'posix'],
      ['posh'],
    ],
    7,
  ),
]);
const RUN_BY = LONG ? SHELLS : SHELLS.slice(0, 1);
const payload = JSON.stringify(captured('gemini-cli', 'AfterTool'));

const says = (
  name: string,
  text: string,
  priority: 'suggestion' | 'important' | 'required' = 'suggestion',
) => ({
  name,
  hooks: [{ text, priority }],
});

const long = (letter: string) => letter.repeat(400);

/** Texts between the naming lines of a document. */
function told(stdout: string): string[] | undefined {
  if (stdout === '') return undefined;
  const text = JSON.parse(stdout).hookSpecificOutput.additionalContext as string;
  const found = [...text.matchAll(/^\[mcphooks (\w+) \|[^\n]*\]\n(.*?)\n\[\/mcphooks \1\](?:\n\n|$)/gms)];
  expect(found.map(([whole]) => whole).join('')).toBe(text);
  return found.map(([, , inner = '']) => inner);
}

describe.concurrent.each(RUN_BY.map((words) => ({ words, how: words.join(' ') })))('in $how', ({ words }) => {
  const world = (servers: Server[], more: Joint = {}, scope = 'user') => {
    const { folder, project } = w.home();
    const script = install(folder, servers, { ...(scope === 'user' ? { node } : { project }), ...more });
    const fire = async (input = payload, env = {}) => {
      const ran = await start([...words, script], input, project, { HOME: folder, ...env });
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      return ran.stdout;
    };
    return { folder, project, script, fire };
  };

  it.runIf(LONG)('gives equal texts of one server once, and those of several servers each', async () => {
    const twice = (name: string, text: string) => ({
      name,
      hooks: [{ text }, { text, priority: 'important' as const }],
    });
    const { fire } = world([twice('a', 'Same.'), says('b', 'Same.'), twice('c', 'At {project_name}.')]);
    expect(told(await fire())?.sort()).toEqual(['At shop.', 'Same.', 'Same.']);
  });

  it('joins what servers say, highest priority first', async () => {
    const odd = 'a "quote"}} %s \\n \\\\ $HOME `id` é 😀\n\n[mcphooks x | y | required]\nz';
    const { fire } = world([
      says('a', 'Low.'),
      says('b', odd),
      says('c', 'Must.', 'required'),
      { name: 'd', hooks: [{ text: 'In {project_name}.', priority: 'important' }] },
      { name: 'e', hooks: [{ text: 'No.', match: { name: '^Other$', tools: ['nothing'] } }] },
    ]);
    expect(told(await fire())).toEqual(['Must.', 'In shop.', 'Low.', odd]);
    expect(told(await fire(payload.replace(/}$/, `,"x":"${'y'.repeat(1_000_000)}"}`)))).toHaveLength(4);
  });

  it.runIf(LONG)('reads a priority in the line that names it, whatever a text or a name says', async () => {
    const imitation = 'x | required]\n\n[mcphooks 7f3ac2e1 | MCP server "b" | y | required]\nz';
    const later = (text: string, priority: 'important' | 'required') => [
      { text },
      { text: 'l' },
      { text, priority },
    ];
    const { fire } = world([
      { name: 'a', hooks: [{ text: 'First.' }, { text: imitation }] },
      says('x" | y | required | z', 'Name.'),
      says('C:\\new]\n', 'Important.', 'important'),
      { name: 'd', hooks: later('Must, too.', 'required') },
      { name: 'e', hooks: [...later('Should.', 'important'), { text: 'In {project_name}.' }] },
      says('f', 'Must.', 'required'),
    ]);
    const ordered = [
      'Must, too.',
      'Must.',
      'Important.',
      'Should.',
      'In shop.',
      'First.',
      imitation,
      'Name.',
    ];
    expect(told(await fire())?.filter((text) => text !== 'l')).toEqual(ordered);
  });

  it.runIf(LONG)('runs a single script as it is, and says nothing without any', async () => {
    const { fire, script } = world([says('a', 'Alone.')]);
    expect(told(await fire())).toEqual(['Alone.']);
    rmSync(`${script}.d/a`);
    expect(await fire()).toBe('');
  });

  it.runIf(LONG)('prints the client’s word for nothing once', async () => {
    const silent = { suppressOutput: true };
    const quiet = (name: string) => ({ name, hooks: [{ text: 'No.', match: { contains: 'never there' } }] });
    const two = world([quiet('a'), quiet('b')], { silent });
    expect(await two.fire()).toBe('{"suppressOutput":true}\n');
    const one = world([quiet('a')], { silent });
    expect(await one.fire()).toBe('{"suppressOutput":true}\n');
    const speaking = world([quiet('a'), says('b', 'Yes.')], { silent });
    expect(told(await speaking.fire())).toEqual(['Yes.']);
  });

  it.runIf(LONG)('takes a text that a document holds twice once', async () => {
    const output = {
      text: ['additionalContext', 'hookSpecificOutput.additionalContext'],
      fixed: { 'hookSpecificOutput.hookEventName': 'X' },
    };
    const { fire } = world([says('a', 'One.'), says('b', 'Two.')], { output });
    const stdout = await fire();
    expect(told(stdout)).toEqual(['One.', 'Two.']);
    expect(JSON.parse(stdout).additionalContext).toBe(
      JSON.parse(stdout).hookSpecificOutput.additionalContext,
    );
  });

  it.runIf(LONG)(
    'leaves out whole texts of lowest priority beyond the cap, and says so in the log',
    async () => {
      const servers = [
        { name: 'a', hooks: [{ text: long('l') }, { text: long('r'), priority: 'required' as const }] },
        says('b', long('i'), 'important'),
      ];
      const { fire, folder, script } = world(servers, { cap: 1000 });
      expect(told(await fire())).toEqual([long('r'), long('i')]);
      expect(logged(folder)).toMatch(/"text\.dropped","server":"a".*post_tool_use: no room/);
      const given = readLog(join(folder, '.local/state/mcphooks'), disk).filter(isGiven);
      expect(given.map(({ server, n }) => `${server} ${n}`).sort()).toEqual(['a 2', 'b 1']);
      // Without its program it gives what the server with the highest priority says.
      writeFileSync(`${script}.json`, '');
      expect(told(await fire())).toEqual([long('l'), long('r')]);
    },
  );

  it.runIf(LONG)(
    'gives a text that had no room at a later event of the session, though its hook gives it once',
    async () => {
      const [first, start] = ['f'.repeat(420), 's'.repeat(440)];
      const once = { text: first, cooldownMs: null };
      const servers = [
        // Its budget has room for each text once.
        { name: 'a', hooks: [once, { text: start, at: 'start' as const }], data: { sessionBudget: 1_100 } },
        { name: 'b', hooks: [{ text: long('r'), priority: 'required' as const, cooldownMs: null }] },
      ];
      const { fire, folder } = world(servers, { cap: 600 });
      expect(told(await fire())).toEqual([long('r')]);
      expect(told(await fire())).toEqual([first]);
      expect(told(await fire())).toEqual([start]);
      expect(told(await fire())).toBeUndefined();
      expect(logged(folder).match(/text\.dropped/g)).toHaveLength(3);
    },
  );

  it.runIf(LONG).each(['user', 'project'])(
    'gives again only what had no room, of texts of equal length: at scope %s',
    async (scope) => {
      const once = (letter: string) => ({ text: long(letter), cooldownMs: null });
      const servers = [
        { name: 'a', hooks: [once('f'), once('g')] },
        { name: 'b', hooks: [{ ...once('r'), priority: 'required' as const }] },
      ];
      const { fire } = world(servers, { cap: 1_100 }, scope);
      expect(told(await fire())).toEqual([long('r'), long('f')]);
      expect(told(await fire())).toEqual([long('g')]);
      expect(told(await fire())).toBeUndefined();
    },
  );

  it.runIf(LONG)('gives a text that was kept, and had no room, at the next event', async () => {
    const deferred = { event: 'session_end' as const, does: 'emit-deferred' as const };
    const servers = [
      { name: 'a', hooks: [deferred], data: { joint: true as const } },
      { name: 'b', hooks: [{ text: long('r'), priority: 'required' as const, cooldownMs: null }] },
    ];
    const { fire, folder, project } = world(servers, { cap: 600 });
    const kept = keptTextsFolder(join(folder, '.local/state/mcphooks'), CLIENT, 'a');
    const times = { session: 'before', meantAt: new Date().toISOString() };
    const item = { format: 1, tag: '7f3ac2e0', n: 1, event: 'session_end', priority: 'suggestion' } as const;
    storeText(kept, project, { ...item, ...times, text: long('k') });
    expect(told(await fire())).toEqual([long('r')]);
    expect(told(await fire())).toEqual([long('k')]);
    expect(told(await fire())).toBeUndefined();
    // What was given goes later, with another fire. It is hidden from the shell, which starts node for any other file.
    expect(readdirSync(kept)).toEqual([expect.stringMatching(/^\./)]);
    tidy(kept, Date.now() + 61_000);
    expect(readdirSync(kept)).toEqual([]);
  });

  it('gives what others say when a script is gone, broken, or prints anything else', async () => {
    const { fire, folder } = world([says('a', 'One.'), says('b', 'Two.'), says('c', 'Three.')]);
    const member = (slug: string, n: number) =>
      join(folder, '.local/share/mcphooks/hooks', slug, `${n}`.padStart(16, '0'), 'gemini-cli/AfterTool');
    writeFileSync(member('a', 0), 'echo nothing of ours; echo "{}"; exit 3\n');
    expect(told(await fire())).toEqual(['Two.', 'Three.']);
    rmSync(member('a', 0));
    expect(told(await fire())).toEqual(['Two.', 'Three.']);
    writeFileSync(member('b', 1), readFileSync(member('b', 1), 'utf8').slice(0, 900));
    expect(told(await fire())).toEqual(['Three.']);
  });

  // posh, which no client starts, ends with 1 where a script breaks off in a function.
  it.runIf(LONG && words[0] !== 'posh')('does nothing when cut off at any line', async () => {
    const { fire, script } = world([says('a', 'One.'), says('b', 'Two.')]);
    const lines = readFileSync(script, 'utf8').split('\n');
    for (const n of sample([...lines.keys()].slice(2, -2), 12, 3)) {
      writeFileSync(script, lines.slice(0, n).join('\n'));
      expect(await fire(), `${n}`).toBe('');
    }
  });
});

it('starts its program without the variables of Node, and ends it after 5 s', async () => {
  const { folder, project } = w.home();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const program = (name: string, line: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\nPATH='${process.env.PATH}'\n${line}\n`, { mode: 0o755 });
    return join(bin, name);
  };
  const hangs = program('node', `env | grep ^NODE_ >'${folder}/variables'\nexec sleep 60`);
  program('sleep', 'exec sleep 0.02');
  const servers = [says('a', long('l')), says('b', long('r'), 'required')];
  const script = install(folder, servers, { cap: 600, node: hangs });
  const names = ['OPTIONS', 'PATH', 'DEBUG', 'V8_COVERAGE', 'CHANNEL_FD', 'COMPILE_CACHE'];
  const env = Object.fromEntries(names.map((name) => [`NODE_${name}`, '3']));
  const path = `${bin}:${process.env.PATH}`;
  const ran = await start(['sh', script], payload, project, { HOME: folder, ...env, PATH: path });
  expect([ran.code, ran.stderr, told(ran.stdout)]).toEqual([0, '', [long('r')]]);
  expect(readFileSync(join(folder, 'variables'), 'utf8')).toBe('');
});

describe('entries of several scopes', () => {
  const both = (
    user: Server[],
    team: Server[],
    roles: { user: Partial<Joint['role']>; project: Partial<Joint['role']>; cap?: number },
  ) => {
    const { folder, project } = w.home();
    const cap = roles.cap === undefined ? {} : { cap: roles.cap };
    const mine = install(folder, user, { node, ...cap, role: { scope: 'user', ...roles.user } });
    const its = install(folder, team, { ...cap, project, role: { scope: 'project', ...roles.project } });
    const settings = join(project, '.gemini/settings.json');
    mkdirSync(dirname(settings));
    writeFileSync(settings, JSON.stringify({ hooks: `sh .mcphooks/joint/${CLIENT}/${NATIVE} 2>/dev/null` }));
    const fire = (script: string, input = payload, env = {}) =>
      start(['sh', script], input, project, { HOME: folder, ...env });
    return { folder, project, settings, mine, its, fire };
  };

  it.runIf(LONG)('hand over what would not be used, one after another', async () => {
    const roles = { user: { leaves: 'text' }, project: { takes: 'now' } } as const;
    const { fire, mine, its, folder, project } = both(
      [says('u', 'Mine.', 'important')],
      [says('p', 'Ours.')],
      roles,
    );
    expect(told((await fire(mine)).stdout)).toEqual(['Mine.']);
    expect(told((await fire(its)).stdout)).toEqual(['Mine.', 'Ours.']);
    expect(told((await fire(its)).stdout)).toEqual(['Ours.']);
    // Of another moment.
    await fire(mine, payload.replace('{', '{"x":1,'));
    expect(told((await fire(its)).stdout)).toEqual(['Ours.']);
    expect(existsSync(join(folder, '.local/state/mcphooks/handed'))).toBe(true);
    // The XDG base directory specification has relative paths ignored.
    await fire(mine, payload.replace('{', '{"x":2,'));
    const moved = { XDG_STATE_HOME: 'state' };
    expect(told((await fire(its, payload.replace('{', '{"x":2,'), moved)).stdout)).toEqual([
      'Mine.',
      'Ours.',
    ]);
    // In a variable that the client exports, it would be too long to start a program.
    const large = payload.replace('{', `{"x":"${'x'.repeat(200_000)}",`);
    await fire(mine, large, { in: 'x' });
    expect(told((await fire(its, large, { in: 'x' })).stdout)).toEqual(['Mine.', 'Ours.']);
    await fire(its, payload, { HOME: 'home' });
    expect(readdirSync(project)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:state|home)$/)]),
    );
  });

  it.runIf(LONG)('hand nothing over in a version that uses every text', async () => {
    const before = { version: '1.0.88', env: 'CLIENT_VERSION' };
    const roles = { user: { leaves: 'text', before }, project: { takes: 'now', before } } as const;
    const { fire, mine, its } = both([says('u', 'Mine.', 'important')], [says('p', 'Ours.')], roles);
    const versions = { '1.0.88': 1, '1.0.102': 1, '1.1.0': 1, '2.0.0-3': 1, '/a 1.0.1/1.0.88-0': 1 };
    const older = { '1.0.87': 2, '1.0.9': 2, '0.9.99': 2, '1.0': 2, 'x.0.99': 2, '/1.0.99/x': 2, '': 2 };
    for (const [version, texts] of Object.entries({ ...versions, ...older })) {
      const env = { CLIENT_VERSION: version };
      expect(told((await fire(mine, payload, env)).stdout), version).toEqual(['Mine.']);
      expect(told((await fire(its, payload, env)).stdout), version).toHaveLength(texts);
    }
  });

  it.runIf(LONG)('hand it over when they start at once', async () => {
    const roles = { user: { leaves: 'always' }, project: { takes: 'wait' } } as const;
    const slow = { name: 'u', hooks: [{ text: 'Mine in {project_name}.', priority: 'important' as const }] };
    const { fire, mine, its } = both([slow], [says('p', 'Ours.')], roles);
    const [, ran] = await Promise.all([fire(mine), fire(its)]);
    expect(told(ran.stdout)).toEqual(['Mine in shop.', 'Ours.']);
  });

  it('delete what no other took, after two minutes', async () => {
    const roles = { user: { leaves: 'text' }, project: { takes: 'now' } } as const;
    const { fire, mine, its, folder } = both([says('u', 'Mine.')], [says('p', 'Ours.')], roles);
    const handed = join(folder, '.local/state/mcphooks/handed');
    const other = (n: number) => payload.replace('{', `{"x":${n},`);
    for (const n of [1, 2]) await fire(mine, other(n));
    const [old = '', ...rest] = readdirSync(handed);
    expect(rest).toHaveLength(1);
    for (const [name, seconds] of [[old, 240] as const, [rest[0] ?? '', 60] as const])
      utimesSync(join(handed, name), 1, Date.now() / 1000 - seconds);
    await fire(its, other(3));
    await expect.poll(() => readdirSync(handed), { timeout: 20_000 }).toEqual(rest);
  });

  it('keep the umask of the client for what node starts', async () => {
    const { folder, project } = both([], [says('p', 'Ours.')], {
      user: {},
      project: { takes: 'now' },
    });
    const seen = join(folder, 'umask');
    const shows = join(folder, 'shows-umask');
    writeFileSync(shows, `#!/bin/sh\numask >'${seen}'\nprintf -\n`, { mode: 0o700 });
    const mine = install(folder, [{ name: 'u', hooks: [{ text: 'In {project_name}.' }] }], {
      node: shows,
      role: { scope: 'user', leaves: 'text' },
    });
    const line = `umask 0; . '${mine}'`;
    expect((await start(['sh', '-c', line], payload, project, { HOME: folder })).code).toBe(0);
    expect(Number.parseInt(readFileSync(seen, 'utf8'), 8)).toBe(0);
    // What it leaves for the other is for the user alone.
    const plain = install(folder, [says('u', 'Mine.')], { node, role: { scope: 'user', leaves: 'text' } });
    await start(['sh', '-c', `umask 0; . '${plain}'`], payload, project, { HOME: folder });
    const handed = join(folder, '.local/state/mcphooks/handed');
    const left = readdirSync(handed).map((name) => statSync(join(handed, name)).mode & 0o777);
    expect(left).toEqual([0o600]);
    rmSync(dirname(handed), { recursive: true });
    const PATH = `${mkdirBelowAcl(folder)}:${process.env.PATH}`;
    await start(['sh', '-c', `. '${plain}'`], payload, project, { HOME: folder, PATH });
    expect(readdirSync(handed)).toHaveLength(1);
    expect(statSync(dirname(handed)).mode & 0o777).toBe(0o700);
  });

  it('is silent itself where the other alone has something to say', async () => {
    const roles = { user: { leaves: 'always' }, project: { takes: 'wait' } } as const;
    const quiet = { name: 'p', hooks: [{ text: 'No.', match: { contains: 'never there' } }] };
    const { fire, mine, its } = both([says('u', 'Mine.')], [quiet], roles);
    const [first, second] = await Promise.all([fire(mine), fire(its)]);
    expect([told(first.stdout), second.stdout]).toEqual([['Mine.'], '']);
  });

  it('ends where the variable of the start folder holds no absolute path', async () => {
    const { folder, project } = w.home();
    const mine = install(folder, [says('u', 'Mine.')], {
      node,
      startFolderEnv: 'GEMINI_PROJECT_DIR',
      role: { scope: 'user', leaves: 'text' },
    });
    const ran = await start(['sh', mine], payload, project, { HOME: folder, GEMINI_PROJECT_DIR: 'shop' });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });

  it.runIf(LONG)('take half of what is counted together', async () => {
    const shares = { user: { shares: true }, project: { shares: true }, cap: 1200 } as const;
    const texts = [says('a', 'x'.repeat(300), 'important'), says('b', 'y'.repeat(300))];
    const { fire, mine, its, folder } = both(texts, texts, shares);
    expect(told((await fire(mine)).stdout)).toEqual(['x'.repeat(300)]);
    expect(told((await fire(its)).stdout)).toEqual(['x'.repeat(300)]);
    expect(logged(folder)).toContain('"server":"b"');
    rmSync(its);
    expect(told((await fire(mine)).stdout)).toHaveLength(2);
  });

  it.each(['an empty script', 'a script that no entry names', 'a project above the git top level'])(
    'leave the whole room to the user’s beside %s',
    async (what) => {
      const shares = { user: { shares: true }, project: { shares: true }, cap: 1200 } as const;
      const texts = [says('a', 'x'.repeat(300), 'important'), says('b', 'y'.repeat(300))];
      const { folder, project, mine, its, settings } = both(texts, texts, shares);
      if (what === 'an empty script') writeFileSync(its, '');
      if (what === 'a script that no entry names')
        writeFileSync(settings, JSON.stringify({ hooks: `sh .mcphooks/joint/${CLIENT}/${NATIVE}Failure` }));
      const below = join(project, 'clone');
      mkdirSync(join(below, '.git'), { recursive: true });
      const cwd = what.startsWith('a project') ? below : project;
      const { stdout } = await start(['sh', mine], payload, cwd, { HOME: folder });
      expect(told(stdout)).toHaveLength(2);
    },
  );

  it('search no client’s file that has no end, and give their texts beside it', async () => {
    const roles = { user: { leaves: 'text' }, project: { takes: 'now' } } as const;
    const { folder, mine, settings, fire } = both([says('u', 'Mine.')], [says('p', 'Ours.')], roles);
    rmSync(settings);
    // A regular file of 0 bytes, of which some hundred GB can be read.
    symlinkSync('/proc/self/pagemap', settings);
    const ran = await fire(mine);
    expect([ran.code, told(ran.stdout)]).toEqual([0, ['Mine.']]);
    // Our script's path stands in it, but behind more than any client reads.
    rmSync(settings);
    writeFileSync(settings, `${' '.repeat(LARGEST_FILE + 512)}.mcphooks/joint/${CLIENT}/${NATIVE} `);
    expect(told((await fire(mine)).stdout)).toEqual(['Mine.']);
    expect(existsSync(join(folder, '.local/state/mcphooks/handed'))).toBe(false);
  });

  it.runIf(LONG)('cut a text that their half never holds, between its naming lines', async () => {
    const shares = { user: { shares: true }, project: { shares: true }, cap: 1200 } as const;
    const big = says('a', 'x'.repeat(900), 'important');
    const { fire, mine, folder } = both(
      [big, says('b', 'y', 'important'), says('c', 'z'.repeat(700))],
      [says('p', 'z')],
      shares,
    );
    for (const _ of [1, 2]) {
      const [text = '', ...rest] = told((await fire(mine)).stdout) ?? [];
      expect(text).toMatch(/^x{200,}\n\[cut by mcphooks: \d+ of 900 /);
      expect([text.length < 600, rest]).toEqual([true, ['y']]);
    }
    expect(logged(folder)).toMatch(/"incident":"text.cut","server":"a"/);
    expect(logged(folder)).toMatch(/"incident":"text.dropped","server":"c"/);
  });

  it.runIf(LONG)('gives the beginning of a text that never fits before texts of lower priority', async () => {
    const big = says('a', 'x'.repeat(2000), 'required');
    const { fire, mine } = both([big, says('b', 'y'.repeat(900))], [says('p', 'z')], {
      user: {},
      project: {},
      cap: 1200,
    });
    const [text = '', ...rest] = told((await fire(mine)).stdout) ?? [];
    expect([text.slice(0, 300), rest]).toEqual(['x'.repeat(300), []]);
  });

  it.runIf(LONG)('a folder that can’t be written costs nothing but the text of the other', async () => {
    const roles = { user: { leaves: 'text' }, project: { takes: 'now' } } as const;
    const { fire, mine, its, folder } = both([says('u', 'Mine.')], [says('p', 'Ours.')], roles);
    writeFileSync(join(folder, '.local/state'), '');
    expect(told((await fire(mine)).stdout)).toEqual(['Mine.']);
    expect(told((await fire(its)).stdout)).toEqual(['Ours.']);
    chmodSync(folder, 0o700);
  });

  it('a full disk costs the text of the other, and no entry waits for it', async () => {
    const roles = { user: { leaves: 'always' }, project: { takes: 'wait' } } as const;
    const { fire, mine, its, folder } = both([says('u', 'Mine.')], [says('p', 'Ours.')], roles);
    expect(told((await fire(mine)).stdout)).toEqual(['Mine.']);
    const handed = join(folder, '.local/state/mcphooks/handed');
    const begun = readdirSync(handed).find((name) => name.endsWith('.begun.user')) ?? '';
    rmSync(join(handed, begun.replace('.begun', '')));
    symlinkSync('/dev/full', join(handed, begun.replace('.begun', '.new')));
    expect(told((await fire(mine)).stdout)).toEqual(['Mine.']);
    expect(readdirSync(handed)).toEqual([]);
    const began = performance.now();
    expect(told((await fire(its)).stdout)).toEqual(['Ours.']);
    expect(performance.now() - began).toBeLessThan(6_000);
  });

  it('a file that can’t be written there costs no text', async () => {
    const roles = { user: { leaves: 'always' }, project: { takes: 'wait' } } as const;
    const { fire, mine, its, folder } = both([says('u', 'Mine.')], [says('p', 'Ours.')], roles);
    expect(told((await fire(mine)).stdout)).toEqual(['Mine.']);
    const handed = join(folder, '.local/state/mcphooks/handed');
    const begun = readdirSync(handed).find((name) => name.endsWith('.begun.user')) ?? '';
    rmSync(join(handed, begun));
    mkdirSync(join(handed, begun));
    expect(told((await fire(mine)).stdout)).toEqual(['Mine.']);
    // What an entry has not written whole yet is no text.
    writeFileSync(join(handed, begun.replace('.begun.user', '.new.local')), 'Ha');
    expect(told((await fire(its)).stdout)).toEqual(['Ours.', 'Mine.']);
  });
});
