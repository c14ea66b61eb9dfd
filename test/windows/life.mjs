// The life of an install on Windows, every command of it: node.exe test/windows/life.mjs. The last line counts.
import assert from 'node:assert/strict';
import { chmodSync, closeSync, copyFileSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { checks, existsSync, fireEntry, ROOT, World } from './world.mjs';

const { check, skip, end } = checks();
const SERVER = join(ROOT, 'test', 'windows', 'server.mjs');
const declared = [
  { event: 'session_start', context: 'MARK-START ü', priority: 'important' },
  { event: 'pre_request', context: 'MARK-PROMPT', priority: 'suggestion' },
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash' },
    context: 'MARK-POST {tool_name}',
    priority: 'suggestion',
  },
];
const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const pidsIn = (file) => readFileSync(file, 'utf8').trim().split('\n').map(Number);
const gone = async (pids) => {
  for (let i = 0; i < 50 && pids.some(isAlive); i++) await sleep(100);
  return pids.filter(isAlive);
};
const ok = (ran, code = 0) =>
  assert.equal(ran.code, code, `exit code ${ran.code}\n${ran.stdout}\n${ran.stderr}`);
const textOf = ({ stdout }) => JSON.parse(stdout).hookSpecificOutput.additionalContext;

/** A person's own files: CRLF, a comment, a hook of theirs. */
function ownFiles(world) {
  world.put(
    '.claude/settings.json',
    '{\r\n  "model": "opus",\r\n  "hooks": {\r\n    "Stop": [{ "hooks": [{ "type": "command", "command": "exit 0" }] }]\r\n  }\r\n}\r\n',
  );
  world.put('.codex/config.toml', 'model = "gpt-5.5" # mine\r\n\r\n[tui]\r\nnotifications = true\r\n');
  world.put('.gemini/settings.json', '{\n  // mine\n  "ui": { "theme": "x" }\n}');
}

async function all() {
  const world = new World("Zoë O'Brien & Sön 100% (x)");
  ownFiles(world);
  const file = world.put('d.json', { declarations: declared });
  const clients = 'claude-code,codex,gemini-cli,copilot,opencode';
  const before = world.files();
  const settings = () => JSON.parse(world.read('.claude/settings.json'));
  const handlerOf = (event) =>
    settings()
      .hooks[event].flatMap((group) => group.hooks)
      .at(-1);
  const payload = (event, more = {}) => ({
    hook_event_name: event,
    session_id: 's1',
    cwd: world.project,
    ...more,
  });
  const fire = (handler, given) => fireEntry(handler, given, { cwd: world.project, env: world.env() });
  const prompt = payload('UserPromptSubmit', { prompt: 'x' });

  await check('install writes into the profile, not into HOME, and keeps CRLF', async () => {
    const ran = await world.mcphooks([
      ...['install', 'demo', '--declarations', file, '--no-check', '--client', clients, '--yes'],
    ]);
    ok(ran);
    assert.deepEqual(
      Object.keys(before).filter((path) => !existsSync(world.at(path))),
      [],
    );
    assert.match(ran.stdout, /~\\\.claude\\settings\.json/);
    assert.ok(existsSync(world.at('AppData/Local/mcphooks/hooks/demo')));
    assert.ok(!existsSync(join(world.office, '.claude')));
    assert.doesNotMatch(world.read('.claude/settings.json'), /[^\r]\n/);
  });
  await check('an entry prints the text, in ASCII', async () => {
    const start = await fire(handlerOf('SessionStart'), payload('SessionStart', { source: 'startup' }));
    assert.match(textOf(start), /MARK-START ü/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII it is.
    assert.match(start.stdout, /^[\x00-\x7f]*$/);
    assert.match(textOf(await fire(handlerOf('UserPromptSubmit'), prompt)), /MARK-PROMPT/);
  });
  await check('the PowerShell tool of Claude Code counts as Bash', async () => {
    const group = settings().hooks.PostToolUse[0];
    assert.equal(group.matcher, 'Bash|PowerShell');
    const call = payload('PostToolUse', {
      tool_name: 'PowerShell',
      tool_input: { command: 'ls' },
      tool_response: {},
    });
    assert.match(textOf(await fire(group.hooks[0], call)), /MARK-POST Bash/);
    assert.equal((await fire(group.hooks[0], { ...call, tool_name: 'Write' })).stdout, '');
  });
  await check('list, diff, explain, doctor, log, stats, schema, completions', async () => {
    ok(await world.mcphooks(['list']));
    ok(await world.mcphooks(['diff', 'demo', '--offline']));
    const explained = await world.mcphooks(['explain', 'demo']);
    ok(explained);
    assert.match(explained.stdout, /MARK-START/);
    const log = await world.mcphooks(['log']);
    ok(log);
    assert.match(log.stdout, /demo/);
    ok(await world.mcphooks(['stats']));
    ok(await world.mcphooks(['schema', 'record']));
    const script = await world.mcphooks(['completions', 'powershell']);
    ok(script);
    assert.match(script.stdout, /Register-ArgumentCompleter/);
    const words = await world.mcphooks(['__complete', 'uninstall', '""']);
    assert.match(words.stdout, /^demo/m);
    ok(await world.mcphooks(['lint', file]));
  });
  for (const client of ['claude-code', 'codex', 'gemini-cli', 'copilot'])
    await check(`fire gives the text on ${client}`, async () => {
      const ran = await world.mcphooks(['fire', 'demo', 'session_start', '--client', client]);
      ok(ran);
      assert.match(ran.stdout, /MARK-START/);
    });
  await check('disable and enable count at once', async () => {
    ok(await world.mcphooks(['disable', 'demo']));
    assert.equal((await fire(handlerOf('UserPromptSubmit'), prompt)).stdout, '');
    ok(await world.mcphooks(['enable', 'demo']));
    assert.match(textOf(await fire(handlerOf('UserPromptSubmit'), prompt)), /MARK-PROMPT/);
  });
  await check('an altered entry is drift, and a missing script ends with 0 and prints nothing', async () => {
    const { args } = handlerOf('UserPromptSubmit');
    const script = args.at(-1);
    const copy = `${script}.kept`;
    copyFileSync(script, copy);
    rmSync(script);
    const ran = await fire(handlerOf('UserPromptSubmit'), prompt);
    assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, '', '']);
    ok(await world.mcphooks(['diff', 'demo', '--offline']), 2);
    copyFileSync(copy, script);
    rmSync(copy);
    ok(await world.mcphooks(['diff', 'demo', '--offline']));
  });
  await check('doctor finds a client that is a .cmd, and its version', async () => {
    const bin = join(world.base, 'bin');
    mkdirSync(bin, { recursive: true });
    world.put('../bin/claude.cmd', '@echo off\r\necho 2.1.329 (Claude Code)\r\n');
    const ran = await world.mcphooks(['doctor', '--json'], { env: { PATH: `${bin};${process.env.PATH}` } });
    const about = JSON.parse(ran.stdout).findings.filter(({ client }) => client === 'claude-code');
    assert.deepEqual(
      about.map(({ code }) => code).filter((code) => /client|version/.test(code)),
      [],
    );
  });
  await check('uninstall gives every byte back', async () => {
    const ran = await world.mcphooks(['uninstall', 'demo']);
    ok(ran);
    assert.deepEqual(world.files(), before);
    assert.ok(!existsSync(world.at('AppData/Local/mcphooks')));
    assert.ok(!existsSync(world.at('AppData/Local/mcphooks-state')));
  });
  await check('all clients, in a profile whose name every shell takes', async () => {
    const plain = new World('Zoë Sön');
    const path = plain.put('d.json', { declarations: declared });
    const was = plain.files();
    const all = 'claude-code,codex,gemini-cli,copilot,cursor,droid,opencode,qwen-code';
    ok(
      await plain.mcphooks([
        'install',
        'demo',
        '--declarations',
        path,
        '--no-check',
        '--client',
        all,
        '--yes',
      ]),
    );
    ok(await plain.mcphooks(['list']));
    const groups = JSON.parse(plain.read('.qwen/settings.json')).hooks.SessionStart;
    const given = { hook_event_name: 'SessionStart', session_id: 's', cwd: plain.project, source: 'startup' };
    const ran = await fireEntry(groups[0].hooks[0], given, { cwd: plain.project, env: plain.env() });
    assert.match(ran.stdout, /MARK-START/);
    ok(await plain.mcphooks(['uninstall', '--all']));
    assert.deepEqual(plain.files(), was);
    plain.remove();
  });
  world.remove();
}

async function servers() {
  const world = new World('Bob');
  const pids = world.put('../pids.txt', '');
  const bin = join(world.base, 'bin');
  world.put('../bin/notes-server.cmd', `@echo off\r\n"${process.execPath}" "${SERVER}" %*\r\n`);
  const env = { PATH: `${bin};${process.env.PATH ?? process.env.Path}`, SERVER_PIDS: pids };
  world.put('.claude.json', {
    mcpServers: { notes: { command: 'notes-server', args: ['--greet'], env: { GREETING: '100% "x" & y' } } },
  });
  const before = world.files();
  const startSession = (entry, session_id) =>
    fireEntry(
      entry,
      { hook_event_name: 'SessionStart', session_id, cwd: world.project, source: 'startup' },
      { cwd: world.project, env: world.env(env) },
    );

  await check('a server that is a .cmd is read, and called when its hook fires', async () => {
    ok(await world.mcphooks(['install', 'notes', '--client', 'claude-code', '--yes'], { env }));
    const [group] = JSON.parse(world.read('.claude/settings.json')).hooks.SessionStart;
    const ran = await startSession(group.hooks[0], 's1');
    assert.equal(ran.code, 0);
    assert.match(textOf(ran), /MARK-TOOL 100% "x" & y ü/, ran.stdout + ran.stderr);
    const fired = await world.mcphooks(['fire', 'notes', 'session_start', '--client', 'claude-code'], {
      env,
    });
    ok(fired);
    assert.match(fired.stdout, /MARK-TOOL/);
  });
  if (process.env.MCPHOOKS_WINE)
    skip(
      'nothing that a .cmd started stays',
      "Wine's taskkill knows no /T; node's own child processes are tested below",
    );
  else
    await check('nothing that a .cmd started stays', async () => {
      assert.ok(pidsIn(pids).length >= 4);
      assert.deepEqual(await gone(pidsIn(pids)), []);
    });
  const planted = world.put('my prôj/node.cmd', `@echo planted >"${world.put('../planted.txt', '')}"\r\n`);
  const isPlantedRun = () => readFileSync(join(world.base, 'planted.txt'), 'utf8') !== '';
  const script = `#!/usr/bin/env node\nimport(${JSON.stringify(pathToFileURL(SERVER).href)});\n`;
  world.put('../bin/by-name.js', script);
  const byPath = world.put('../bin/by-path', script);
  for (const [how, command] of [
    ['a .js on PATH', 'by-name'],
    ['a path', byPath],
  ])
    await check(
      `a script that names node as its interpreter, ${how}, gets none of the session's folder`,
      async () => {
        const own = { mcpServers: { script: { command, args: ['--greet'] } } };
        const kept = world.read('.claude.json');
        world.put('.claude.json', own);
        ok(await world.mcphooks(['install', 'script', '--client', 'claude-code', '--yes'], { env }));
        const [group] = JSON.parse(world.read('.claude/settings.json')).hooks.SessionStart.slice(-1);
        const ran = await startSession(group.hooks.at(-1), how);
        assert.match(textOf(ran), /MARK-TOOL/, ran.stdout + ran.stderr);
        assert.ok(!isPlantedRun());
        ok(await world.mcphooks(['uninstall', 'script'], { env }));
        world.put('.claude.json', kept);
      },
    );
  if (process.env.MCPHOOKS_WINE)
    skip(
      "a .cmd that starts node by its name gets none of the session's folder",
      "Wine's cmd always looks there",
    );
  else
    await check("a .cmd that starts node by its name gets none of the session's folder", async () => {
      world.put('../bin/notes-server.cmd', `@echo off\r\nnode "${SERVER}" %*\r\n`);
      const [group] = JSON.parse(world.read('.claude/settings.json')).hooks.SessionStart;
      const ran = await startSession(group.hooks[0], 's2');
      assert.match(textOf(ran), /MARK-TOOL/, ran.stdout + ran.stderr);
      assert.ok(!isPlantedRun());
    });
  rmSync(planted);
  await check('nothing that a server started stays', async () => {
    const own = world.put('../own.txt', '');
    const given = ['--', process.execPath, SERVER];
    const more = { env: { SERVER_PIDS: own } };
    ok(await world.mcphooks(['install', 'own', '--client', 'codex', '--yes', ...given], more));
    ok(await world.mcphooks(['fire', 'own', 'session_start', '--client', 'codex'], more));
    assert.ok(pidsIn(own).length >= 4);
    assert.deepEqual(await gone(pidsIn(own)), []);
    ok(await world.mcphooks(['uninstall', 'own']));
  });
  await check('a server that answers nothing is ended, and nothing is written', async () => {
    const mute = world.put('../mute.txt', '');
    const given = ['--', process.execPath, SERVER, '--mute'];
    const ran = await world.mcphooks(
      ['install', 'mute', '--timeout', '3', '--client', 'codex', '--yes', ...given],
      {
        env: { SERVER_PIDS: mute },
      },
    );
    ok(ran, 1);
    assert.deepEqual(await gone(pidsIn(mute)), []);
    assert.ok(!existsSync(world.at('.codex')));
  });
  await check('uninstall --all gives every byte back', async () => {
    ok(await world.mcphooks(['uninstall', '--all'], { env }));
    assert.deepEqual(world.files(), before);
  });
  world.remove();
}

/** A server that Claude Code has for one project: it writes the project's folder with slashes. */
async function localServers() {
  const world = new World('Bob');
  const { project } = world;
  mkdirSync(join(project, '.git'));
  const env = { SERVER_PIDS: world.put('../pids.txt', '') };
  const own = { mcpServers: { own: { command: process.execPath, args: [SERVER] } } };
  world.put('.claude.json', { projects: { [project.replaceAll('\\', '/')]: own } });
  const before = world.files();
  const spelled = project.replace(/^[A-Z]/, (drive) => drive.toLowerCase()).replace('my', 'MY');

  await check(
    'a server of one project is found, and called however a session spells the folder',
    async () => {
      const install = ['install', 'own', '--scope', 'local', '--client', 'claude-code', '--yes'];
      const asked = await world.mcphooks(install, { env, cwd: spelled });
      ok(asked, 3);
      const [, hash] = /--allow-start (\w+)/.exec(asked.stderr) ?? [];
      ok(await world.mcphooks([...install, '--allow-start', hash], { env }));
      for (const cwd of [project, spelled]) {
        const fired = await world.mcphooks(['fire', 'own', 'session_start', '--scope', 'local'], {
          env,
          cwd,
        });
        ok(fired);
        assert.match(fired.stdout, /MARK-TOOL/);
      }
      ok(await world.mcphooks(['uninstall', 'own', '--scope', 'local'], { env, cwd: spelled }));
      assert.deepEqual(world.files(), before);
    },
  );
  world.remove();
}

async function projects() {
  const world = new World("O'Neil x");
  const { project } = world;
  mkdirSync(join(project, '.git'));
  mkdirSync(join(project, 'sub'));
  const file = world.put('my prôj/d.json', { declarations: declared });
  const own = '{\r\n  "permissions": {}\r\n}\r\n';
  world.put('my prôj/.claude/settings.json', own);
  // State of a project's hooks stays: its folders are those of the user's own, and it expires.
  const lasting = () =>
    Object.fromEntries(
      Object.entries(world.files()).filter(([path]) => !path.startsWith('AppData/Local/mcphooks-state/')),
    );
  const before = lasting();
  const given = ['--declarations', file, '--no-check', '--yes'];
  const started = { hook_event_name: 'SessionStart', session_id: 's1', cwd: project, source: 'startup' };

  await check('hooks of a project, committed for every system', async () => {
    const clients = ['--client', 'claude-code,codex,gemini-cli'];
    ok(await world.mcphooks(['install', 'demo', '--scope', 'project', ...clients, ...given]));
    ok(await world.mcphooks(['list']));
    ok(await world.mcphooks(['diff', '--scope', 'project', '--offline']));
    const claude = JSON.parse(world.read('my prôj/.claude/settings.json')).hooks.SessionStart[0].hooks[0];
    assert.equal(claude.onFailure, 'continue');
    assert.doesNotMatch(claude.command, /\\/);
    assert.doesNotMatch(world.read('my prôj/mcphooks.lock.json'), /\\\\/);
    const line = JSON.parse(
      /commandWindows = (".*?[^\\]")/.exec(world.read('my prôj/.codex/config.toml'))[1],
    );
    const ran = await fireEntry({ commandWindows: line }, started, {
      cwd: join(project, 'sub'),
      env: world.env(),
    });
    assert.deepEqual([ran.code, ran.stderr], [0, '']);
    assert.match(ran.stdout, /MARK-START/);
    const fired = await world.mcphooks([
      'fire',
      'demo',
      'session_start',
      '--scope',
      'project',
      '--client',
      'codex',
    ]);
    ok(fired);
    assert.match(fired.stdout, /MARK-START/);
    ok(await world.mcphooks(['disable', 'demo']));
    const silent = await fireEntry({ commandWindows: line }, started, { cwd: project, env: world.env() });
    assert.equal(silent.stdout, '');
    ok(await world.mcphooks(['enable', 'demo']));
    ok(await world.mcphooks(['uninstall', 'demo', '--scope', 'project']));
    assert.deepEqual(lasting(), before);
  });
  await check("a person's own hooks in one project", async () => {
    ok(await world.mcphooks(['install', 'demo', '--scope', 'local', '--client', 'claude-code', ...given]));
    const { hooks } = JSON.parse(world.read('my prôj/.claude/settings.local.json'));
    const ran = await fireEntry(hooks.SessionStart[0].hooks[0], started, { cwd: project, env: world.env() });
    assert.match(ran.stdout, /MARK-START/);
    // A terminal of an editor is in `c:`, and PowerShell keeps what was typed.
    const spelled = project.replace(/^[A-Z]/, (drive) => drive.toLowerCase()).replace('my', 'MY');
    for (const cwd of [project, spelled]) {
      const listed = await world.mcphooks(['list'], { cwd });
      ok(listed);
      assert.match(listed.stdout, /^demo +local +● current/m);
      assert.match(
        (await world.mcphooks(['install', 'demo', '--scope', 'local', ...given], { cwd })).stderr,
        /Nothing to do/,
      );
    }
    ok(await world.mcphooks(['uninstall', 'demo', '--scope', 'local'], { cwd: spelled }));
    assert.deepEqual(lasting(), before);
  });
  await check('a read-only file is left alone', async () => {
    const path = world.put('.claude/settings.json', '{}');
    chmodSync(path, 0o444);
    const ran = await world.mcphooks(['install', 'demo', '--client', 'claude-code', ...given]);
    ok(ran, 1);
    assert.match(ran.stderr, /read-only/);
    assert.equal(world.read('.claude/settings.json'), '{}');
    chmodSync(path, 0o666);
  });
  const install = ['install', 'demo', '--client', 'claude-code', ...given];
  await check('a file that another program has open for a moment is tried again', async () => {
    const held = openSync(world.at('.claude/settings.json'), 'r');
    const running = world.mcphooks(install);
    const journal = world.at('AppData/Local/mcphooks-state/journal.commit.json');
    for (let i = 0; i < 300 && !existsSync(journal); i++) await sleep(50);
    await sleep(300);
    closeSync(held);
    ok(await running);
    ok(await world.mcphooks(['uninstall', 'demo']));
    assert.equal(world.read('.claude/settings.json'), '{}');
  });
  await check('a file that another program keeps open is named, and stays', async () => {
    const held = openSync(world.at('.claude/settings.json'), 'r');
    const ran = await world.mcphooks(install);
    closeSync(held);
    // Some versions of Windows replace a file that is open.
    if (ran.code === 0) return ok(await world.mcphooks(['uninstall', 'demo']));
    assert.match(ran.stderr, /another program has the file open/);
    assert.equal(world.read('.claude/settings.json'), '{}');
    assert.ok(!existsSync(world.at('AppData/Local/mcphooks')));
  });
  world.remove();
}

await all();
await servers();
await localServers();
await projects();
end();
