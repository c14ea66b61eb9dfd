// What a hook that doesn't match costs on Windows: node.exe test/windows/cost.mjs [pairs]. Each way in turn with an empty
// node, started as its client starts it; prints medians and the median of the pairs' ratios. Asserts nothing but silence.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ROOT, run, World } from './world.mjs';

const PAIRS = Number(process.argv[2] ?? 20);
const PAYLOAD = { hook_event_name: 'PostToolUse', session_id: 's', tool_response: {} };
const call = (cwd, tool_name, command) => ({ ...PAYLOAD, cwd, tool_name, tool_input: { command } });
const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

const world = new World('user');
const declarations = [
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash', input_contains: 'git commit' },
    context: 'MARK {tool_name}',
    priority: 'suggestion',
  },
];
const file = world.put('d.json', { declarations });
const given = ['--declarations', file, '--no-check', '--yes', '--client', 'claude-code,codex,copilot'];
const installed = await world.mcphooks(['install', 'demo', ...given]);
assert.equal(installed.code, 0, installed.stderr);

const { MCPHOOKS_PWSH } = process.env;
const env = world.env({
  PWSH_NODE: process.execPath,
  PWSH_SCRIPT: join(ROOT, 'test', 'windows', 'pwsh.mjs'),
});
const claude = JSON.parse(world.read('.claude/settings.json')).hooks.PostToolUse[0].hooks[0];
const codex = JSON.parse(/command = (".*?[^\\]")/.exec(world.read('.codex/config.toml'))[1]);
const copilot = JSON.parse(world.read('.copilot/hooks/mcphooks.json')).hooks.postToolUse[0];
const wordsOf = (line) =>
  [...line.matchAll(/'((?:[^']|'')*)'/g)].map(([, word]) => word.replaceAll("''", "'"));
const ls = call(world.project, 'Bash', 'ls');
const other = call(world.project, 'Write', 'ls');
const ways = {
  'the form without a shell, another command': [[claude.command, ...claude.args], ls],
  'the form without a shell, another tool': [[claude.command, ...claude.args], other],
  'the form without a shell, a match': [
    [claude.command, ...claude.args],
    call(world.project, 'Bash', 'git commit'),
    true,
  ],
  "the PowerShell form's node, another command": [wordsOf(codex), ls],
  'an entry for all servers, another command': [
    wordsOf(copilot.command ?? copilot.powershell),
    {
      sessionId: 's',
      cwd: world.project,
      toolName: 'powershell',
      toolArgs: '{"command":"ls"}',
      toolResult: {},
    },
  ],
  ...(MCPHOOKS_PWSH && {
    'with the stand-in for PowerShell (a node, too)': [
      [join(MCPHOOKS_PWSH, 'pwsh.exe'), '-NoProfile', '-Command', codex],
      ls,
    ],
  }),
};
const timed = async ([program, ...args], payload, speaks = false) => {
  const ran = await run(program, args, { cwd: world.project, env, input: JSON.stringify(payload) });
  assert.deepEqual([ran.code, ran.stderr, ran.stdout !== ''], [0, '', speaks]);
  return ran.ms;
};
for (const [name, way] of Object.entries(ways)) {
  const pairs = [];
  for (let i = 0; i < PAIRS; i++)
    pairs.push([await timed(...way), await timed([process.execPath, '-e', '0'], {})]);
  const ratio = median(pairs.map(([one, empty]) => one / empty)).toFixed(2);
  const [ms, empty] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
  console.log(`${name}: ${ms} ms, an empty node ${empty} ms, ratio ${ratio}`);
}
world.remove();
console.log(`${Object.keys(ways).length} passed, 0 failed`);
