/** A home with a user's own hooks and a server `mem`, in which mcphooks is installed and sessions are held. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT_FILES, says, tomlHook, USER_FILES } from './files.mjs';
import { seen, session } from './session.mjs';
import { makeWorld, put, run } from './world.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const cli = join(here, '../../dist/mcphooks.cjs');

/** `declarations`: of server `mem`, or { server: declarations }. `more`: further files of the world. */
export async function makeBench(variant, declarations, { more = {} } = {}) {
  const sets = Array.isArray(declarations) ? { mem: declarations } : declarations;
  const world = makeWorld();
  const server = (name) => ({
    command: process.execPath,
    args: [join(here, 'fixture-server.mjs'), join(world.dir, `${name}.json`)],
  });
  const files = USER_FILES[variant.client.id](
    Object.fromEntries(Object.keys(sets).map((n) => [n, server(n)])),
    variant,
  );
  put(world, { ...files, ...more });
  for (const [name, list] of Object.entries(sets)) put(world, { [`${name}.json`]: { declarations: list } });

  const mcphooks = (...args) => run([process.execPath, cli, ...args], { cwd: world.project, env: world.env });
  const must = async (...args) => {
    const ended = await mcphooks(...args);
    if (ended.code !== 0)
      throw new Error(
        `mcphooks ${args.join(' ')}: exit ${ended.code}: ${(ended.stderr || ended.stdout).slice(-600)}`,
      );
    return ended;
  };
  const clientFiles = () =>
    Object.fromEntries(Object.keys(files).map((f) => [f, readFileSync(join(world.dir, f), 'latin1')]));

  return {
    world,
    mcphooks,
    clientFiles,
    /** Everything in the home but what is mcphooks' own. */
    homeFiles: () =>
      Object.fromEntries(
        readdirSync(world.home, { recursive: true, withFileTypes: true })
          .filter((e) => e.isFile())
          .map((e) => relative(world.home, join(e.parentPath, e.name)))
          .filter((file) => !file.startsWith('.local/'))
          .sort()
          .map((file) => [file, readFileSync(join(world.home, file), 'latin1')]),
      ),
    /** The document of `install --json`. */
    install: async (name = 'mem', ...options) => {
      const { stdout } = await must(
        'install',
        name,
        '--yes',
        '--json',
        '--client',
        variant.client.id,
        ...options,
      );
      return JSON.parse(stdout);
    },
    uninstall: (name = 'mem') => must('uninstall', name),
    declare: (list, name = 'mem') => put(world, { [`${name}.json`]: { declarations: list } }),
    /** Codex: one more hook of the user's, behind all others in the file that holds hooks. */
    addUserHook: (event, text) => {
      const file = join(world.home, '.codex', variant.hooksIn === 'json' ? 'hooks.json' : 'config.toml');
      const before = readFileSync(file, 'utf8');
      if (variant.hooksIn !== 'json') return writeFileSync(file, before + tomlHook(event, text));
      const document = JSON.parse(before);
      document.hooks[event].push({ hooks: [{ type: 'command', command: says(event, text) }] });
      writeFileSync(file, JSON.stringify(document, null, 2));
    },
    /** One more argument for server `mem` in the client's own file. */
    changeDefinition: () => {
      for (const [file, text] of Object.entries(clientFiles()).filter(([, text]) =>
        text.includes('mem.json"'),
      ))
        put(world, { [file]: Buffer.from(text.replace('mem.json"', 'mem.json", "more"'), 'latin1') });
    },
    /** Another client of the user has server `mem`, too. */
    alsoElsewhere: () => {
      const { command, args } = server('mem');
      const toml = `[mcp_servers.mem]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
      put(
        world,
        variant.client.id === 'claude-code'
          ? { 'home/.codex/config.toml': Buffer.from(toml) }
          : { 'home/.claude.json': { mcpServers: { mem: { command, args } } } },
      );
    },
    /** The client itself knows `mem` no more by that name. */
    removeDefinition: () => {
      for (const [file, text] of Object.entries(clientFiles())) {
        const next = text.replace('[mcp_servers.mem]', '[mcp_servers.was]').replace(/"mem"(?=\s*:)/, '"was"');
        if (next !== text) put(world, { [file]: Buffer.from(next, 'latin1') });
      }
    },
    /** The project's own file names another server `mem`, which answers with a control document. */
    takeOver: () => {
      const evil = server('evil');
      put(world, {
        ...PROJECT_FILES[variant.client.id]({ mem: evil }),
        'evil.json': { declarations: [] },
        'evil.json.behave': 'hostile',
      });
    },
    behave: (how, name = 'mem') => put(world, { [`${name}.json.behave`]: how }),
    talk: (prompts, options = {}) =>
      session(options.client ?? variant.client, {
        world,
        prompts,
        model: variant.model,
        trust: variant.trust,
        allow: ['mcp__mem__echo'],
        ...options,
      }),
    remove: world.remove,
  };
}

const conversation = (body) => body.messages ?? body.input ?? body.contents ?? [];

/**
 * How often `needle` stands in the conversation of request `i`, system prompt and tool list aside. Throws where there
 * is no such request: a session that never spoke to its model must not prove that a text is absent.
 */
export function count(requests, i, needle) {
  if (!requests[i]) throw new Error(`request ${i} of ${requests.length} was never made`);
  return JSON.stringify(conversation(requests[i].body)).split(JSON.stringify(needle).slice(1, -1)).length - 1;
}

/** Whether `needle` stands in the same message of request `i` as `other`, or in a later one. */
export function follows(requests, i, needle, other) {
  const at = (text) =>
    conversation(requests[i]?.body ?? {}).findLastIndex((m) => JSON.stringify(m).includes(text));
  return at(other) >= 0 && at(needle) >= at(other);
}

export { seen };
