// A real session each of claude.exe and codex.exe against a fake model on this machine: what mcphooks installs reaches
// the model, and the files come back byte for byte. MCPHOOKS_CLAUDE and MCPHOOKS_CODEX name the programs; under Wine
// (MCPHOOKS_WINE), MCPHOOKS_PWSH names the folder of a stand-in for PowerShell (pwsh.c). The last line counts.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anthropic } from '../clients/models/anthropic.mjs';
import { openai } from '../clients/models/openai.mjs';
import { fakeModel } from '../clients/models/server.mjs';
import { checks, ROOT, run, World } from './world.mjs';

const { check, skip, end } = checks();
const {
  MCPHOOKS_CLAUDE: claude,
  MCPHOOKS_CODEX: codex,
  MCPHOOKS_PWSH: pwsh,
  MCPHOOKS_WINE: wine,
} = process.env;
const system = process.env.SystemRoot ?? 'C:\\Windows';
/** What Windows itself has on PATH, so without Git Bash. */
const BARE = [`${system}\\system32`, system, `${system}\\System32\\WindowsPowerShell\\v1.0`].join(';');
const PWSH = {
  // Hooks of a project start the node on PATH.
  PATH: [...(pwsh ? [pwsh] : []), dirname(process.execPath), BARE].join(';'),
  PWSH_NODE: process.execPath,
  PWSH_SCRIPT: join(ROOT, 'test', 'windows', 'pwsh.mjs'),
};
const ok = (ran) => assert.equal(ran.code, 0, `exit code ${ran.code}\n${ran.stdout}\n${ran.stderr}`);
const declarations = (tool, input) => [
  { event: 'session_start', context: 'MARK-START ü漢', priority: 'important' },
  { event: 'pre_request', context: 'MARK-PROMPT of {project_name}', priority: 'suggestion' },
  {
    event: 'post_tool_use',
    matcher: { tool_name: tool, input_contains: input },
    context: 'MARK-POST',
    priority: 'suggestion',
  },
];
/** How often a text is in what the model was sent in the end. */
const sent = (requests, text) =>
  JSON.stringify(requests.filter(({ kind }) => kind === 'main').at(-1)?.body ?? {}).split(text).length - 1;

async function sessionOf(client, world, { declared, script, dialect, start, more = [] }) {
  const file = world.put('my prôj/d.json', { declarations: declared });
  const given = ['--declarations', file, '--no-check', '--client', client, '--yes', ...more];
  ok(await world.mcphooks(['install', 'demo', ...given]));
  const model = await fakeModel(dialect, { main: script });
  try {
    const ran = await start(model.url);
    return { ran, requests: model.requests, shown: `${ran.stdout}\n${ran.stderr}` };
  } finally {
    await model.close();
  }
}

function reached(requests, shown) {
  for (const text of ['MARK-START ü漢', 'MARK-PROMPT of my prôj', 'MARK-POST'])
    assert.equal(
      sent(requests, text),
      1,
      `${text} reached the model ${sent(requests, text)} times\n${shown}`,
    );
}

async function ofClaude() {
  const world = new World("Zoë O'Brien & Sön 100% (x)");
  const own = '{\r\n  "cleanupPeriodDays": 30,\r\n  "hooks": {}\r\n}\r\n';
  world.put('.claude/settings.json', own);
  const target = join(world.project, 'a.txt');
  const start = (url, path = BARE) =>
    run(claude, ['-p', 'go', '--permission-mode', 'acceptEdits', '--allowedTools', 'PowerShell,Bash,Write'], {
      cwd: world.project,
      env: world.env({
        ...PWSH,
        PATH: path,
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'dummy',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
      }),
    });
  const script = () => [{ calls: [{ write: target, text: 'x' }] }, { say: 'Done.' }];
  const session = { declared: declarations('Write', 'a.txt'), dialect: anthropic, start };
  await check('claude.exe without Git Bash: every text reaches the model, and its tool runs', async () => {
    const { requests, shown } = await sessionOf('claude-code', world, { ...session, script: script() });
    reached(requests, shown);
    assert.equal(readFileSync(target, 'utf8'), 'x');
  });
  await check('claude.exe with the scripts gone: nothing is said, nothing is blocked', async () => {
    rmSync(target, { force: true });
    rmSync(world.at('AppData/Local/mcphooks'), { recursive: true });
    const model = await fakeModel(anthropic, { main: script() });
    const ran = await start(model.url);
    await model.close();
    ok(ran);
    assert.equal(sent(model.requests, 'MARK-'), 0);
    assert.equal(readFileSync(target, 'utf8'), 'x');
  });
  await check("claude.exe's settings come back byte for byte", async () => {
    ok(await world.mcphooks(['uninstall', 'demo']));
    assert.equal(world.read('.claude/settings.json'), own);
  });
  if (wine && !pwsh) skip('a line for sh without Git Bash', 'Wine has no PowerShell that would refuse it');
  else
    await check("a project's hook that PowerShell can't read blocks no tool of claude.exe", async () => {
      rmSync(target, { force: true });
      mkdirSync(join(world.project, '.git'));
      const declared = [{ ...declarations('Write', 'a.txt')[2], event: 'pre_tool_use' }];
      const more = ['--scope', 'project'];
      const atPwsh = (url) => start(url, PWSH.PATH);
      const inProject = { ...session, declared, more, start: atPwsh, script: script() };
      const { shown } = await sessionOf('claude-code', world, inProject);
      assert.ok(existsSync(target), shown);
      ok(await world.mcphooks(['uninstall', 'demo', ...more]));
    });
  world.remove();
}

async function ofCodex() {
  const world = new World("Zoë O'Brien & Sön 100% (x)");
  const own = '# mine\r\n[tui]\r\nnotifications = false\r\n';
  world.put('.codex/config.toml', own);
  const start = (url, cwd = world.project) => {
    const provider = `{name="fake",base_url="${url}/v1",wire_api="responses",env_key="FAKE_KEY",request_max_retries=0,stream_max_retries=0,supports_websockets=false}`;
    const settings = [
      'model="gpt-5.5"',
      'model_provider="fake"',
      'check_for_update_on_startup=false',
      `model_providers.fake=${provider}`,
    ];
    const free = ['--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust'];
    const words = [
      'exec',
      '--skip-git-repo-check',
      '--json',
      ...free,
      ...settings.flatMap((s) => ['-c', s]),
      'go',
    ];
    const env = world.env({ ...PWSH, CODEX_HOME: world.at('.codex'), FAKE_KEY: 'dummy' });
    return run(codex, words, { cwd, env });
  };
  const script = [{ calls: [{ bash: 'echo hello' }] }, { say: 'Done.' }];
  const session = { declared: declarations('Bash', 'echo hello'), dialect: openai, start, script };
  await check('codex.exe: every text reaches the model', async () => {
    const { requests, shown } = await sessionOf('codex', world, session);
    reached(requests, shown);
  });
  await check("codex.exe's settings come back byte for byte", async () => {
    ok(await world.mcphooks(['uninstall', 'demo']));
    assert.equal(world.read('.codex/config.toml'), own);
  });
  await check("codex.exe runs a project's line for Windows, from a folder below", async () => {
    const sub = join(world.project, 'a', 'b');
    mkdirSync(sub, { recursive: true });
    world.put('my prôj/.git/HEAD', 'ref: refs/heads/main\n');
    world.put(
      '.codex/config.toml',
      `${own}\n[projects.${JSON.stringify(world.project)}]\ntrust_level = "trusted"\n`,
    );
    const inSub = { ...session, more: ['--scope', 'project'], start: (url) => start(url, sub) };
    const { requests, shown } = await sessionOf('codex', world, inSub);
    reached(requests, shown);
    ok(await world.mcphooks(['uninstall', 'demo', '--scope', 'project']));
    assert.ok(!existsSync(world.at('my prôj/.codex')));
  });
  world.remove();
}

if (claude && existsSync(claude)) await ofClaude();
else skip('sessions of claude.exe', 'MCPHOOKS_CLAUDE names no program');
if (!codex || !existsSync(codex)) skip('sessions of codex.exe', 'MCPHOOKS_CODEX names no program');
else if (wine && !pwsh)
  skip('sessions of codex.exe', 'Wine has no PowerShell, and MCPHOOKS_PWSH names no stand-in');
else await ofCodex();
end();
