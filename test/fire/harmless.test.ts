import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FireServer } from '../../src/fire/format.ts';
import { keptTextsFolder } from '../../src/fire/own-folders.ts';
import { storeText } from '../../src/fire/session/kept-texts.ts';
import { documentFor, outputOf } from '../../src/fire/text/render.ts';
import type { Definition } from '../../src/servers/types.ts';
import { needlesFile } from '../../src/shims/prefilter.ts';
import { ODD_FILES } from '../base/odd-files.ts';
import { ALL, LONG, sample } from '../effort.ts';
import { nodeHere } from '../node-here/start.ts';
import { homeEnv } from '../platform.ts';
import { present, shellPath } from '../shells.ts';
import {
  at,
  captured,
  commandOf,
  FIRE_SERVER,
  type Fired,
  isAlive,
  type Ran,
  served,
  TAG,
  world,
} from './world.ts';

const w = world({ node: nodeHere({ servers: true }) });
/** Where the process of node is what a test is about. */
const IN_NODE = { node: process.execPath };
const payload = captured('claude-code', 'PostToolUse.Bash');
const hooks = [{ text: 'Store it in {project_name}.' }];
const shimOf = (files = {}, script = {}): Fired =>
  w.shim('claude-code', 'PostToolUse', hooks, {}, files, script);

/** Exit 0, nothing on stderr, and (`world` checks it) nothing or one whole document of ours on stdout. */
function harmless(ran: Ran, because?: string): void {
  expect({ code: ran.code, signal: ran.signal, stderr: ran.stderr }, because).toEqual({
    code: 0,
    signal: null,
    stderr: '',
  });
}

const OTHERS = ALL
  ? [['bash', '--posix'], ['busybox', 'sh'], ['mksh'], ['lksh'], ['posh'], ['zsh', '--emulate', 'sh']]
  : [];
// dash is /bin/sh on Debian; it is tried by its own name too only where all are.
const DASH = ALL || shellPath('dash') !== shellPath('/bin/sh') ? [['dash']] : [];
const SHELLS = present([['/bin/sh'], ['bash'], ...DASH, ...OTHERS]);

// Without MCPHOOKS_TEST=all it is run by the first shell and read by the second; in a short run only the latter.
const ALL_RUNS = sample(
  SHELLS.flatMap((shell) => [
    { how: `run by ${shell.join(' ')}`, words: (shim: Fired) => [...shell, shim.path], read: false },
    {
      how: `read by ${shell.join(' ')}`,
      words: (shim: Fired) => [...shell, '-c', commandOf(shim)],
      read: true,
    },
  ]),
  3,
);
const RUNS = LONG ? ALL_RUNS : ALL_RUNS.slice(-1);

// They end with 1 or 127, which blocks nothing, where a script breaks off in a word of its first line, or (posh) in a
// function; no client starts them.
const PASSES_TRAPS_BY = /zsh|posh/;

describe.concurrent.each(RUNS)('a shim $how', ({ how, words, read }) => {
  const run = (shim: Fired, input: unknown, env = {}) => w.start(words(shim), input, env).done;

  it.runIf(LONG)('gives text by node, and a prepared document', async () => {
    const ran = await run(shimOf({}, IN_NODE), payload);
    harmless(ran);
    expect(ran.text).toContain('Store it in shop.');
    const prepared = await run(
      shimOf({ out: `${documentFor(outputOf('PostToolUse'), 'Ready.')}\n` }),
      payload,
    );
    harmless(prepared);
    expect(prepared.text).toBe('Ready.');
  });

  it.skipIf(how === 'run by posh')('does nothing when the script is cut off, at any line', async () => {
    const tryCut = async (whole: Fired, n: number): Promise<void> => {
      const lines = readFileSync(whole.path, 'utf8').split('\n');
      if (n >= lines.length - 1) return;
      // A client can't run an empty file either.
      const cut = lines.slice(0, n).join('\n');
      const shim = { ...whole, path: `${whole.path}x${n}` };
      // Under another name, so that several are tried at once; it names the same files beside it.
      writeFileSync(shim.path, cut, { mode: 0o700 });
      const ran = await run(shim, payload);
      if (n > 1 || read) harmless(ran, `cut to ${n} lines`);
      if (cut !== '' && !cut.trimEnd().endsWith('\nfire')) expect(ran.stdout, `${n}`).toBe('');
    };
    const whole = shimOf({ needles: needlesFile(['mkdir']) ?? '' });
    const lines = sample([...readFileSync(whole.path, 'utf8').split('\n').keys()], 8, read ? 1 : 3);
    for (let i = 0; i < lines.length; i += 8)
      await Promise.all(lines.slice(i, i + 8).map((n) => tryCut(whole, n)));
  });

  it.runIf(LONG)('reads a payload of several lines, without a last one, whole where it matches', async () => {
    const shim = shimOf({ needles: needlesFile(['mkdir']) ?? '' });
    const lines = JSON.stringify(payload, null, 1);
    for (const input of [lines, `${lines}\n`, `\n\n${lines}`]) {
      const ran = await run(shim, input);
      harmless(ran);
      expect(ran.text, JSON.stringify(input.slice(-10))).toContain('Store it in shop.');
      expect((await run(shim, input.replaceAll('mkdir', 'ls'))).stdout).toBe('');
    }
  });

  it('reads a payload that is too long for an argument', async () => {
    const long = { ...payload, tool_response: { stdout: 'é$(x)`x`\\'.repeat(40_000) } };
    // A variable that the client exports would pass it on to Node.
    const ran = await run(shimOf(), long, { in: 'exported' });
    harmless(ran);
    expect(ran.text).toContain('Store it in shop.');
  });

  it('gives a text where the size of files has a limit, which ends a shell that writes more', async () => {
    const out = `${documentFor(outputOf('PostToolUse'), 'Ready.')}\n`;
    const sessions = mkdtempSync(`${w.home}/limited-`);
    const log = `${join(w.state, 'hooks.log')}\n"n":1\n`;
    const shim = shimOf({ out, log, budget: `${sessions}\n10 50\n` });
    const limited = ['/bin/sh', '-c', 'ulimit -f 0; exec "$@"', 'sh', ...words(shim)];
    const ran = await w.start(limited, payload).done;
    harmless(ran);
    expect(ran.text).toBe('Ready.');
  });

  it.runIf(LONG)('takes nothing but numbers for numbers', async () => {
    const out = `${documentFor(outputOf('PostToolUse'), 'Ready.')}\n`;
    const evil = `x[$(touch "${w.home}/pwned")]`;
    const sessions = mkdtempSync(`${w.home}/numbers-`);
    mkdirSync(`${sessions}/${payload.session_id}`);
    const text = async (units: string, most: string, spent: string) => {
      writeFileSync(`${sessions}/${payload.session_id}/spent`, spent);
      const ran = await run(shimOf({ out, budget: `${sessions}\n${units} ${most}\n` }), payload);
      harmless(ran);
      return ran.text;
    };
    expect(await text('10', '50', '1\n2\n')).toBe('Ready.');
    // As node writes it, with what an entry for several servers took back.
    expect(await text('10', '50', '30\n30 0badcafe\n-30 0badcafe 01234567\n')).toBe('Ready.');
    expect(await text('10', '12', '1\n2\n')).toContain('Store it in shop.');
    for (const [units, most, spent] of [
      [evil, '50', ''],
      ['10', evil, ''],
      ['10', '50', `1\n${evil}\n`],
      ['10', '50', '1\n--1\n'],
      ['', '', ''],
    ] as const)
      expect(await text(units, most, spent)).toContain('Store it in shop.');
    expect(existsSync(`${w.home}/pwned`)).toBe(false);
  });

  it.runIf(LONG)('waits for nothing where there is no stdin, and no reader', async () => {
    const shim = shimOf({}, IN_NODE);
    const without = async (redirected: string): Promise<Ran> =>
      w.start(['/bin/sh', '-c', `exec "$@" ${redirected}`, 'sh', ...words(shim)], payload).done;
    const ran = await without('<&-');
    harmless(ran);
    expect(ran.stdout).toBe('');
    harmless(await without('>&-'));
    const { child, done } = w.start(words(shim), payload);
    child.stdout?.destroy();
    harmless(await done);
  });

  it('keeps within its deadline when node hangs', async () => {
    const folder = mkdtempSync(join(w.home, 'stuck-'));
    const stuck = join(folder, 'node');
    writeFileSync(stuck, `#!/bin/sh\ntrap '' TERM\necho $$ >"${folder}/pid"\nwhile :; do sleep 0.1; done\n`, {
      mode: 0o755,
    });
    const ran = await run(shimOf({}, { node: stuck, seconds: 1 }), payload);
    harmless(ran);
    expect(ran.stdout).toBe('');
    expect(isAlive(Number(readFileSync(`${folder}/pid`, 'utf8')))).toBe(false);
  });
});

describe.concurrent.each(RUNS.filter(({ read }) => read))('a shim $how', ({ how, words }) => {
  const run = (shim: Fired, input: unknown) => w.start(words(shim), input).done;

  it('does nothing when it is missing or a folder', async () => {
    const shim = shimOf();
    rmSync(shim.path);
    harmless(await run(shim, payload));
    mkdirSync(shim.path);
    harmless(await run(shim, payload));
  });

  it.runIf(LONG && !PASSES_TRAPS_BY.test(how))(
    'does nothing when it is cut off within its first lines',
    async () => {
      const shim = shimOf();
      const text = readFileSync(shim.path, 'utf8');
      const first = text.slice(0, text.indexOf(shim.path) + shim.path.length + 10);
      // A shell that is cut off in the name of a file would make that file.
      const cuts = [...[...first].keys()].filter((n) => !/2>\/(?!dev\/null$)\S*$/.test(first.slice(0, n)));
      for (const n of sample(cuts, 5)) {
        writeFileSync(shim.path, text.slice(0, n));
        const ran = await run(shim, payload);
        harmless(ran, `cut to ${n} characters`);
        expect(ran.stdout).toBe('');
      }
    },
  );
});

// Alone: others fail, too, and say so in the same file.
it.each(RUNS.filter(({ read }) => read))(
  'a shim $how works where options of the shell are set',
  async ({ words }) => {
    const fire = (shim: Fired) => {
      const all = words(shim);
      return w.start([...all.slice(0, -1), `set -efuC; ${all.at(-1)}`], payload).done;
    };
    const inNode = await fire(shimOf({}, IN_NODE));
    harmless(inNode);
    expect(inNode.text).toContain('Store it in shop.');
    writeFileSync(`${w.project}/there.txt`, '');
    expect((await fire(shimOf({ files: '-\nthe*.txt\n\n' }))).text).toContain('Store it in shop.');
    // It writes over the name of the script that failed before.
    const node = `${w.home}/failing`;
    writeFileSync(node, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    for (const failing of [shimOf({}, { node }), shimOf({}, { node })]) {
      await fire(failing);
      expect(readFileSync(`${w.home}/data/hooks/annal/failed`, 'utf8')).toBe(`${failing.path}\n`);
    }
  },
);

describe('what is broken', () => {
  const fire = async (shim: Fired, input: unknown = payload, env = {}): Promise<Ran> => {
    const ran = await w.fire(shim, input, env);
    harmless(ran);
    return ran;
  };
  const breaks: [string, (shim: Fired) => void][] = [
    ['no shim', (s) => rmSync(s.path)],
    ['a bad interpreter', (s) => writeFileSync(s.path, '#!/no/such/sh\nexit 2\n')],
    ['a first line that is cut', (s) => writeFileSync(s.path, "#!/bin/sh\ntrap 'exit 0")],
    ['no data', (s) => rmSync(`${s.path}.json`)],
    [
      'half the data',
      (s) => writeFileSync(`${s.path}.json`, readFileSync(`${s.path}.json`, 'utf8').slice(0, 300)),
    ],
    ['other data', (s) => writeFileSync(`${s.path}.json`, '{"format":1,"hooks":[{}]}')],
    ['data of a later format', (s) => writeFileSync(`${s.path}.json`, '{"format":2,"hooks":[]}')],
  ];
  it('nothing: it gives its text', async () => {
    expect((await fire(shimOf())).text).toBeDefined();
  });
  it.each(breaks)('%s', async (_, damage) => {
    const shim = shimOf();
    damage(shim);
    expect((await fire(shim)).stdout).toBe('');
  });

  it('a shim without leave to be run: silent where it is executed, as ever where a shell reads it', async () => {
    for (const client of ['claude-code', 'gemini-cli', 'codex']) {
      const shim = w.shim(client, 'PostToolUse', hooks);
      chmodSync(shim.path, 0o600);
      expect((await fire(shim)).text !== undefined, client).toBe(client !== 'codex');
    }
  });

  it('no runtime, or half of it', async () => {
    const file = `${w.runtime}/fire.cjs`;
    const code = readFileSync(file);
    rmSync(file);
    expect((await fire(shimOf())).stdout).toBe('');
    expect(existsSync(`${w.home}/data/hooks/annal/failed`)).toBe(true);
    writeFileSync(file, code.subarray(0, code.length / 2));
    expect((await fire(shimOf())).stdout).toBe('');
    writeFileSync(file, code);
    expect((await fire(shimOf())).text).toBeDefined();
  });

  it.runIf(LONG)('no runtime for conditions: a hook that has one is silent, others are not', async () => {
    const file = `${w.runtime}/conditions.cjs`;
    const code = readFileSync(file);
    const withCondition = hooks.map((hook) => ({ ...hook, when: { files: ['package.json', '.git'] } }));
    writeFileSync(`${w.project}/package.json`, '');
    const shim = w.shim('claude-code', 'PostToolUse', withCondition);
    expect((await fire(shim)).text).toBeDefined();
    for (const part of ['', 'module.exports = {}', code.subarray(0, code.length / 2)]) {
      writeFileSync(file, part);
      expect((await fire(shim)).stdout).toBe('');
      expect((await fire(shimOf())).text).toBeDefined();
    }
    writeFileSync(file, code);
  });

  it('a needle or prepared file that is damaged falls back on node', async () => {
    for (const needles of ['', 'mkdi', 'git commit\n', '\u0000', 'git commit\n\\u00'])
      expect((await fire(shimOf({ needles }))).text, JSON.stringify(needles)).toContain('Store it');
  });

  it('no grep on PATH', async () => {
    const files = { needles: needlesFile(['mkdir']) ?? '' };
    const PATH = `${w.home}/only-cat`;
    mkdirSync(PATH);
    symlinkSync('/bin/cat', `${PATH}/cat`);
    expect((await fire(shimOf(files), payload, { PATH })).text).toContain('Store it');
  });

  it.each(
    (
      [
        ['--require of a missing file', { NODE_OPTIONS: '--require /no/such/file.js' }],
        ['an unknown flag', { NODE_OPTIONS: '--no-such-flag' }],
        ['an inspector', { NODE_OPTIONS: '--inspect-brk' }],
        ['a channel', { NODE_CHANNEL_FD: '3' }],
        ['debug output', { NODE_DEBUG: 'fs,module', NODE_V8_COVERAGE: '/nowhere' }],
        [
          'shell options',
          {
            SHELLOPTS: 'errexit:nounset:noglob:noclobber',
            IFS: 'x',
            ENV: '/no',
            BASH_ENV: '/no',
            CDPATH: '/',
          },
        ],
        ['options for grep', { GREP_OPTIONS: '--color=always -v', GREP_COLORS: 'mt=1' }],
        ['another locale', { LC_ALL: 'tr_TR.UTF-8', LANG: 'xx' }],
      ] as const
    ).slice(0, LONG ? undefined : 3),
  )('an environment with %s', async (_, env) => {
    expect((await fire(shimOf({}, IN_NODE), payload, env)).text).toContain('Store it in shop.');
  });

  it('node: missing, no program, too old, failing, or only on PATH', async () => {
    const fake = (name: string, code: string): string => {
      writeFileSync(`${w.home}/${name}`, code, { mode: 0o755 });
      return `${w.home}/${name}`;
    };
    const silent = async (node: string, env = {}): Promise<void> =>
      expect((await fire(shimOf({}, { node }), payload, env)).stdout, node).toBe('');
    await silent('/no/node', { PATH: '/nowhere' });
    await silent(fake('old', '#!/bin/sh\necho "SyntaxError: Unexpected token" >&2\nexit 1\n'));
    await silent(fake('noisy', '#!/bin/sh\necho noise; echo \'{"decision":"block"}\'; exit 2\n'));
    await silent(fake('half', '#!/bin/sh\nprintf \'{"hookSpecificOutput":{"hookEventName":"PostTo\'\n'));
    await silent(fake('dies', '#!/bin/sh\nkill -9 $$\n'));
    for (const node of ['/no/node', w.home])
      expect((await fire(shimOf({}, { node }), payload, { PATH: process.env.PATH })).text).toContain(
        'Store it',
      );
  });

  it('node: that of the client where there is no other, which reads nothing of the folder it starts in', async () => {
    const seen = `${w.home}/seen`;
    const MCPHOOKS_NODE = `${w.home}/client`;
    const said = '"$BUN_BE_BUN $BUN_OPTIONS $MCPHOOKS_BUN_OPTIONS"';
    const code = `#!/bin/sh\necho ${said} >'${seen}'\nexec '${process.execPath}' "$@"\n`;
    writeFileSync(MCPHOOKS_NODE, code, { mode: 0o755 });
    const env = { PATH: w.bare, MCPHOOKS_NODE, BUN_OPTIONS: '--smol' };
    expect((await fire(shimOf({}, IN_NODE), payload, env)).text).toContain('Store it');
    expect(existsSync(seen)).toBe(false);
    expect((await fire(shimOf({}, { node: '/no/node' }), payload, env)).text).toContain('Store it');
    expect(readFileSync(seen, 'utf8')).toBe('1 --config=/dev/null --env-file=/dev/null --smol\n');
  });

  // Only root can start what another user runs.
  it.skipIf(process.getuid?.() !== 0)(
    'a client of another user than the shell, which may not ask after it',
    ({ skip }) => {
      const shim = shimOf({}, IN_NODE);
      for (const path of [w.home, shim.path]) chmodSync(path, 0o755);
      const options = {
        input: JSON.stringify(payload),
        env: { PATH: process.env.PATH, ...homeEnv(w.home), CLAUDE_PROJECT_DIR: w.project },
        uid: 65_534,
        gid: 65_534,
        encoding: 'utf8',
      } as const;
      const able = spawnSync(process.execPath, ['--check', join(w.runtime, 'fire.cjs')], options);
      if (able.status !== 0) skip('another user can run no node here');
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', commandOf(shim)], options);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain('Store it in shop.');
    },
  );

  it.skipIf(process.getuid?.() !== 0)(
    'a state folder of another user, who may have left texts for the model there',
    ({ skip }) => {
      const prompt = captured('claude-code', 'UserPromptSubmit');
      const state = join(w.home, 'theirs');
      const event = 'post_request' as const;
      const giving = [{ event, does: 'emit-deferred' as const }];
      const shim = w.shim('claude-code', 'UserPromptSubmit', giving, { state }, undefined, IN_NODE);
      const folder = keptTextsFolder(state, 'claude-code', 'annal');
      const fired = (owner: number) => {
        storeText(folder, w.project, {
          ...{ format: 1, tag: TAG, n: 1, event, priority: 'important', text: 'Left there.' },
          ...{ session: String(prompt.session_id), meantAt: new Date().toISOString() },
        });
        execFileSync('chown', ['-R', `${owner}`, state]);
        execFileSync('chmod', ['-R', 'a+rwX', state]);
        return spawnSync('/bin/sh', ['-c', commandOf(shim)], {
          input: JSON.stringify(prompt),
          env: { PATH: process.env.PATH, ...homeEnv(w.home), CLAUDE_PROJECT_DIR: w.project },
          uid: 65_534,
          gid: 65_534,
          encoding: 'utf8',
        }).stdout;
      };
      for (const path of [w.home, shim.path]) chmodSync(path, 0o755);
      if (!fired(65_534).includes('Left there.')) skip('another user can run no node here');
      expect(fired(1234)).toBe('');
      // As on a network drive that shows all files as of one user.
      chownSync(shim.path, 1234, 1234);
      expect(fired(1234)).toContain('Left there.');
    },
  );

  it('a grep that takes bytes for binary data', async () => {
    const shim = shimOf({ needles: needlesFile(['mkdir']) ?? '' });
    const old = `${w.home}/old-grep`;
    mkdirSync(old);
    const grep = `case " $* " in *' -az '*) exec /bin/grep "$@" ;; *' -z '*) echo Binary file matches; exit 0 ;; *) exec /bin/grep "$@" ;; esac`;
    writeFileSync(`${old}/grep`, `#!/bin/sh\n${grep}\n`, { mode: 0o755 });
    expect((await fire(shim, payload, { PATH: `${old}:${process.env.PATH}` })).text).toContain('Store it');
    writeFileSync(`${old}/grep`, '#!/bin/sh\ncase $* in *z*) exit 2 ;; *) exec /bin/grep "$@" ;; esac\n');
    expect((await fire(shim, payload, { PATH: `${old}:${process.env.PATH}` })).text).toContain('Store it');
  });

  it.each(sample(['cat', 'grep', 'kill', 'printf', 'read', 'sleep', 'wait'], 3))(
    "a function %s that the client's bash takes from its environment",
    async (name) => {
      const shim = w.shim('gemini-cli', 'AfterTool', hooks, {}, { needles: needlesFile(['mkdir']) ?? '' });
      const env = { [`BASH_FUNC_${name}%%`]: '() { echo taken; }' };
      const ran = await w.start(['bash', '-c', commandOf(shim)], payload, env).done;
      harmless(ran);
      expect(ran.text).toContain('Store it in shop.');
    },
  );

  it.each([
    ['closed', null],
    ['empty', ''],
    ['no JSON', 'git commit'],
    ['a list', '[1,2]'],
    ['null', 'null'],
    ['half', JSON.stringify(payload).slice(0, 100)],
    ['NUL and invalid UTF-8', Buffer.from([0, 0xff, 0xfe, 0x7b])],
    ['deep', `${'['.repeat(100_000)}`],
  ])('stdin: %s', async (_, input) => {
    expect((await fire(shimOf(), input)).stdout).toBe('');
  });

  it('stdin: invalid UTF-8 in a value, no final newline, unknown and missing fields', async () => {
    const [a, b] = JSON.stringify(payload).split('mkdir');
    const bytes = Buffer.concat([Buffer.from(a ?? ''), Buffer.from([0xff, 0xc3]), Buffer.from(`mkdir${b}`)]);
    expect((await fire(shimOf(), bytes)).text).toContain('Store it');
    expect((await fire(shimOf(), { surprise: { __proto__: null } })).text).toContain('Store it');
    expect(
      (await fire(shimOf(), { ...payload, session_id: 7, tool_name: [], tool_input: null })).text,
    ).toContain('Store it');
  });

  it('a state folder that is missing, a file, or read-only', async () => {
    const text = 'Store it.';
    const call = { tool: 'echo', args: { a: 1 } };
    writeFileSync(`${w.home}/file`, '');
    for (const state of [`${w.home}/new/state`, `${w.home}/file`, '/sys/state']) {
      const shim = w.shim(
        'claude-code',
        'PostToolUse',
        [{ text, cooldownMs: 1000 }, { call }, { does: 'emit-deferred' }, { does: 'mark-turn' }],
        { ...served(), state },
      );
      const ran = await fire(shim);
      expect(ran.text).toContain('{"a":1}');
    }
    const { state: _, ...data } = w.shim('claude-code', 'PostToolUse', [{ text }]).data;
    const without = shimOf();
    writeFileSync(`${without.path}.json`, JSON.stringify(data));
    expect((await fire(without)).text).toContain(text);
  });
});

describe('a stray variable with the file for reasons', () => {
  const folder = `${w.home}/reasons`;
  const fireWith = (file: string): Promise<Ran> => {
    const hooks = [{ text: 'Store it.' }, { text: 'No.', match: { name: '^Other$' } }];
    return w.fire(w.shim('claude-code', 'PostToolUse', hooks, {}, undefined, IN_NODE), payload, {
      MCPHOOKS_WHY: file,
    });
  };
  const told = `${folder}/mcphooks-why`;
  const cases: [string, (file: string) => void][] = [
    ['no file', () => {}],
    ['a pipe that nobody reads', (file) => void execFileSync('mkfifo', [file])],
    ['a link to another file', (file) => symlinkSync(`${w.home}/mine`, file)],
    ['a link to its own output', (file) => symlinkSync('/dev/stdout', file)],
    ['a folder', (file) => void mkdirSync(file)],
  ];
  it.each(sample(cases, 2, 1))('leads nowhere: %s', async (_, make) => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeFileSync(`${w.home}/mine`, 'mine');
    make(told);
    const ran = await fireWith(told);
    harmless(ran);
    expect(ran.text).toContain('Store it.');
    expect(readFileSync(`${w.home}/mine`, 'utf8')).toBe('mine');
  });
});

describe('what stands in place of a file that a fire reads', () => {
  const definition: Definition = {
    transport: 'stdio',
    command: process.execPath,
    args: [FIRE_SERVER],
    env: {},
  };
  it.each(LONG ? ODD_FILES : ODD_FILES.slice(0, 1))('costs neither time nor memory: %s', async (_, make) => {
    const folder = `${w.home}/odd`;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    make(`${folder}/file`);
    const called = { call: { tool: 'echo', args: {} } };
    const source = {
      client: 'claude-code',
      scope: 'user',
      file: `${folder}/file`,
      pointer: ['mcpServers', 'm'],
    };
    const served = { server_at: { ...at(definition), source: source as FireServer['source'] } };
    const defined = w.shim('claude-code', 'PostToolUse', [called, ...hooks], served, undefined, IN_NODE);
    const began = performance.now();
    // A child's memory counts, too; what is read fills it as fast as the machine can.
    const limited = await w.start(['sh', '-c', `ulimit -v 4000000; ${commandOf(defined)}`], payload).done;
    harmless(limited);
    expect(limited.text).toContain('Store it');
    const shim = shimOf({}, IN_NODE);
    rmSync(`${shim.path}.json`);
    make(`${shim.path}.json`);
    const unread = await w.start(['sh', '-c', `ulimit -v 4000000; ${commandOf(shim)}`], payload).done;
    harmless(unread);
    expect(unread.text).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(8_000);
  });
});

// What ignores a signal passes that on, and a shell can't undo it: what watches Node kept the client's pipes open, or the
// script waited for it until the deadline.
it('a client that was started where a signal is ignored waits hardly longer for a hook', async () => {
  const command = commandOf(shimOf({}, IN_NODE));
  const start = (signal: string) =>
    w.start(['sh', '-c', `trap '' ${signal}; exec sh -c "$1"`, 'sh', command], payload);
  const { child, done } = start('TERM');
  await once(child, 'exit');
  const ended = performance.now();
  harmless(await done);
  expect(performance.now() - ended).toBeLessThan(400);
  const began = performance.now();
  const ran = await start('USR1').done;
  expect([ran.code, ran.text?.includes('Store it')]).toEqual([0, true]);
  expect(performance.now() - began).toBeLessThan(4_000);
});

// In a container whose first process waits for no other, each process that its parent left behind stays as a zombie.
const ALONE = ['--pid', '--fork', '--mount-proc'];
it.runIf(LONG && spawnSync('unshare', [...ALONE, 'true']).status === 0)(
  'leaves no process for the first one to wait for',
  () => {
    const first = `
      const { status, stdout } = require('node:child_process').spawnSync('sh', ['-c', process.argv[1]], {
        input: require('node:fs').readFileSync(0),
      });
      const others = require('node:fs').readdirSync('/proc').filter((name) => Number(name) > 1);
      console.log(JSON.stringify([status, String(stdout).includes('Store it'), others.length]));`;
    const command = commandOf(shimOf({}, IN_NODE));
    const { stdout } = spawnSync('unshare', [...ALONE, process.execPath, '-e', first, command], {
      input: JSON.stringify(payload),
      env: { PATH: process.env.PATH, ...homeEnv(w.home) },
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual([0, true, 0]);
  },
);

// Node may be missing, and have ended before what watches it listens. mksh goes on at an ALRM that nothing catches, and
// then waited for its deadline.
it.each(present([['/bin/sh'], ['mksh']]))('%s ends what watches Node, also before it listens', (shell) => {
  for (const name of ['shim', 'joint']) {
    const script = readFileSync(join(import.meta.dirname, `../../templates/${name}.sh`), 'utf8');
    const [, signal = ''] = /kill -([A-Z0-9]+) \$watch/.exec(script) ?? [];
    expect(script).toContain(`exit' ${signal}\n`);
    const code = `(sleep 0.5 >/dev/null 2>&1; echo on) & sleep 0.1; kill -${signal} $!; wait`;
    const { stdout } = spawnSync(shell, ['-c', code], { encoding: 'utf8' });
    expect([name, stdout]).toEqual([name, '']);
  }
});

describe.concurrent('the end of the client', () => {
  // Longer than a test may take: nothing but the end of the client ends these processes.
  const SECONDS = 900;
  const slow = (client: string, log: string) =>
    w.shim(
      client,
      'PostToolUse',
      [{ call: { tool: 'slow', args: { ms: SECONDS * 1000 } } }],
      { ...served(['--helper', '--log', log], { callMs: SECONDS * 1000 }), deadlineMs: SECONDS * 1000 },
      {},
      { ...IN_NODE, seconds: SECONDS },
    );
  const entries = (log: string): Record<string, number>[] =>
    (existsSync(log) ? readFileSync(log, 'utf8') : '')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  const ends = (['TERM', 'KILL'] as const).flatMap((signal) => [
    { signal, client: 'claude-code', shell: '/bin/sh' },
    { signal, client: 'gemini-cli', shell: 'bash' },
    { signal, client: 'codex', shell: 'bash' },
    { signal, client: 'codex', shell: undefined },
  ]);
  it.each(LONG ? sample(ends, 3, 1) : sample(ends, 3, 1).slice(1, 2))(
    'by $signal of what $client started ($shell) leaves no process',
    async ({ signal, client, shell }) => {
      const log = `${w.home}/end-${signal}-${client}-${shell === undefined}.jsonl`;
      const shim = slow(client, log);
      const command = shell === undefined ? [shim.path] : [shell, '-c', commandOf(shim)];
      const { child, done } = w.start(command, payload);
      const started = (): number[] => entries(log).flatMap((e) => e.pid ?? e.helper ?? []);
      await until(() => started().length === 5 && entries(log).some((e) => 'call' in e));
      process.kill(child.pid ?? 0, `SIG${signal}`);
      await done;
      await until(() => !started().some(isAlive));
      await until(() => !commands().some((line) => line.includes(shim.path)));
    },
  );

  // Node ends by itself, unless it hangs.
  it.runIf(LONG).each(['the shell', 'its parent'])('by KILL of %s ends a Node that hangs', async (which) => {
    const folder = mkdtempSync(join(w.home, 'hangs-'));
    const node = join(folder, 'node');
    // It gets the processes of the shell and of its parent as its last words.
    const code = `trap '' TERM\necho "$3 $4 $$" >"${folder}/pids"\nwhile :; do sleep 0.1; done\n`;
    writeFileSync(node, `#!/bin/sh\n${code}`, { mode: 0o755 });
    const command = commandOf(shimOf({}, { node, seconds: SECONDS }));
    const shell = ['/bin/sh', '-c', command];
    const { done } = w.start(
      which === 'the shell' ? shell : ['/bin/sh', '-c', '"$@"; :', 'sh', ...shell],
      payload,
    );
    const pids = (): string[] =>
      existsSync(join(folder, 'pids')) ? readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ') : [];
    await until(() => pids().length === 3);
    process.kill(Number(pids()[which === 'the shell' ? 0 : 1]), 'SIGKILL');
    await until(() => !isAlive(Number(pids()[2])));
    await done;
  });
});

function commands(): string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}
