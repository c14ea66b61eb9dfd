/** A home with a user's own hooks and a server `mem`, in which mcphooks is installed and sessions are held. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OF, said } from './of.mjs';
import { session } from './session.mjs';
import { makeWorld, put, run } from './world.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const cli = join(here, '../../dist/mcphooks.cjs');
/** The path of a script of ours, and the timeout behind it in the same entry. */
const OUR_TIMEOUT = /(mcphooks\/(?:hooks\/mem|joint)\/[\s\S]{0,200}?timeout\w*["']?\s*[:=]\s*)(\d+)/g;

/** `declarations`: of server `mem`, or { server: declarations }. `more`: further files of the world. */
export async function makeBench(variant, declarations, { more = {} } = {}) {
  const sets = Array.isArray(declarations) ? { mem: declarations } : declarations;
  const world = makeWorld();
  const server = (name) => ({
    command: process.execPath,
    args: [join(here, 'fixture-server.mjs'), join(world.dir, `${name}.json`)],
  });
  const files = said(variant, 'files.user')(
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
    /** How a client is told to start one of the servers. */
    server,
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
    /** One more hook of the user's, behind all others in the file that holds hooks. */
    addUserHook: (event, text) => said(variant, 'files.addHook')(world, event, text, variant),
    /**
     * Raises the timeouts of our entries in a file, as a user may. Returns whether there were any, and whether they
     * stand.
     */
    editEntries: (file) => {
      const timeouts = () =>
        [...readFileSync(file, 'latin1').matchAll(OUR_TIMEOUT)].map(([, , timeout]) => Number(timeout));
      const raised = timeouts().map((timeout) => timeout + 3);
      const text = readFileSync(file, 'latin1');
      writeFileSync(
        file,
        text.replaceAll(OUR_TIMEOUT, (_, before, timeout) => `${before}${Number(timeout) + 3}`),
        'latin1',
      );
      return { any: raised.length > 0, stand: () => timeouts().join() === raised.join() };
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
      const [other] = Object.keys(OF).filter((id) => id !== variant.client.id);
      put(world, OF[other].files.servers({ mem: server('mem') }));
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
        ...said(variant, 'files.project')({ mem: evil }),
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
        allow: ['mcp__mem__echo', 'mcp__mem__do-it_now'],
        ...options,
      }),
    remove: world.remove,
  };
}
