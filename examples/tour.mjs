// The main job from beginning to end, on the example server, in a throwaway home that already contains a user's own
// settings: show the plan, install, show what the model would read, uninstall, and check that no byte is left.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homeEnv } from '../scripts/home-env.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const cli = join(here, '..', 'dist', 'mcphooks.cjs');
const base = mkdtempSync(join(realpathSync(tmpdir()), 'mcphooks-tour-'));
const home = join(base, 'home');
const project = join(base, 'shop');
const env = {
  PATH: process.env.PATH,
  ...homeEnv(home),
  TERM: process.env.TERM ?? 'dumb',
  LANG: 'C.UTF-8',
};
if (process.env.NO_COLOR) env.NO_COLOR = process.env.NO_COLOR;
if (process.stdout.isTTY) env.FORCE_COLOR = '1';

const bold = (text) => (process.stdout.isTTY && !env.NO_COLOR ? `\x1b[1;36m${text}\x1b[0m` : text);
const title = (text) => console.log(`\n${bold(`── ${text} ${'─'.repeat(Math.max(0, 76 - text.length))}`)}\n`);

/** Runs the real program; `quiet` when its output was shown before. */
function mcphooks(args, wanted, quiet = false) {
  console.log(`$ mcphooks ${args.map((a) => (/^[\w=.:/-]+$/.test(a) ? a : `'${a}'`)).join(' ')}`);
  const stdio = quiet ? ['ignore', 'ignore', 'inherit'] : ['ignore', 'inherit', 'inherit'];
  const { status } = spawnSync(process.execPath, [cli, ...args], { cwd: project, env, stdio });
  if (status !== wanted) throw new Error(`mcphooks ended with ${status}, not ${wanted}`);
}

/** Every file below a folder, by its path relative to it. */
function tree(folder) {
  const names = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((e) => !e.isDirectory());
  const paths = names.map((e) => join(e.parentPath, e.name)).sort();
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
}

// A home before mcphooks: settings, and hooks that the user wrote.
const files = {
  '.claude/settings.json': `{
    "permissions": { "allow": ["Bash(git status)"] },
    "hooks": {
        "PostToolUse": [
            { "matcher": "Write|Edit", "hooks": [{ "type": "command", "command": "prettier --write ." }] }
        ]
    }
}
`,
  '.claude.json': `${JSON.stringify({ mcpServers: { notebook: { command: process.execPath, args: ['SERVER'] } } }, null, 2)}\n`,
  '.codex/config.toml': `# my Codex
model = "gpt-5.5"

[mcp_servers.notebook]
command = "NODE"
args = ["SERVER"]

[[hooks.PostToolUse]]
matcher = "^Bash$"
hooks = [ { type = "command", command = "echo >> ~/bash.log" } ] # count commands
`,
  '.gemini/settings.json': `{
  // one theme for all
  "ui": { "theme": "GitHub" },
  "mcpServers": { "notebook": { "command": "NODE", "args": ["SERVER"] } }
}`,
};

try {
  mkdirSync(project, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    const whole = text.replaceAll('SERVER', join(here, 'server.mjs')).replaceAll('NODE', process.execPath);
    writeFileSync(join(home, name), whole);
    files[name] = whole;
  }

  const before = tree(home);

  title('The plan. Nothing is written yet');
  mcphooks(['install', 'notebook', '--session-end', 'defer', '--dry-run'], 2);

  title('Install it');
  mcphooks(['install', 'notebook', '--session-end', 'defer', '--yes'], 0, true);
  mcphooks(['diff'], 0);

  title('What the model reads when a session starts');
  mcphooks(['fire', 'notebook', 'session_start'], 0);

  title('What the model reads after `git commit`');
  mcphooks(
    ['fire', 'notebook', 'post_tool_use', '--tool', 'Bash', '--input', '{"command":"git commit -m x"}'],
    0,
  );

  title('Uninstall it');
  mcphooks(['uninstall', 'notebook'], 0);
  const after = tree(home);
  const clients = [...before.keys()];
  for (const name of clients) {
    if (!after.get(name)?.equals(before.get(name))) throw new Error(`~/${name} is not what it was`);
    console.log(`  ~/${name}  byte for byte as before (${before.get(name).length} bytes)`);
  }
  const left = [...after.keys()].filter((name) => !before.has(name));
  console.log(`  own files left: ${left.length === 0 ? 'none' : left.join(', ')}`);
} finally {
  rmSync(base, { recursive: true, force: true });
}
