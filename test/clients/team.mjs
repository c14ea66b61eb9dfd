/** People who share a repository that defines a server `mem`; each has a home of their own and a clone somewhere else. */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { said } from './of.mjs';
import { session } from './session.mjs';
import { makeWorld, put, run } from './world.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const cli = join(here, '../../dist/mcphooks.cjs');
/** What a person knows of the server who has it for themselves, too. */
const own = { command: process.execPath, args: [join(here, 'fixture-server.mjs')] };

/** Someone with a home and an empty folder for the project. `knows`: the server is in their own configuration too. */
function person(variant, { project, knows = false }) {
  const world = makeWorld({}, project);
  const { id } = variant.client;
  const definition = { ...own, args: [...own.args, join(world.project, 'tools/hooks.json')] };
  put(world, said(variant, 'files.user')(knows ? { mem: definition } : {}, variant));
  const mcphooks = (args, cwd = world.project) =>
    run([process.execPath, cli, ...args], { cwd, env: world.env });
  const must = async (args, cwd) => {
    const ended = await mcphooks(args, cwd);
    if (ended.code !== 0) throw new Error(`mcphooks ${args.join(' ')}: exit ${ended.code}: ${ended.stderr}`);
    return ended;
  };
  const git = (...args) =>
    execFileSync('git', args, { cwd: world.project, env: world.env, encoding: 'utf8' });
  return {
    world,
    mcphooks,
    git,
    commit() {
      git('add', '-A');
      git('commit', '-q', '-m', 'state');
    },
    /** For the project, or `--scope local`, with the approval to start what the project defines. */
    async install(...more) {
      const args = ['install', 'mem', '--client', id, ...(more.length > 0 ? more : ['--scope', 'project'])];
      const asked = await mcphooks([...args, '--dry-run']);
      const hash = /--allow-start ([0-9a-f]{64})/.exec(asked.stderr)?.[1];
      return must([...args, '--yes', ...(hash ? ['--allow-start', hash] : [])]);
    },
    /** For themselves, outside of the project. */
    installOwn: () => must(['install', 'mem', '--client', id, '--yes'], world.home),
    uninstallOwn: () => must(['uninstall', 'mem'], world.home),
    uninstall: (scope = 'project') => must(['uninstall', 'mem', '--scope', scope]),
    silence: () => must(['disable', 'mem']),
    /** As the client writes it down; nothing where it asks for no trust in such runs. */
    trust: (folder = world.project) => said(variant, 'team.trust')(world, folder),
    /** Every file of the project, git's own left out. */
    files: () =>
      Object.fromEntries(
        readdirSync(world.project, { recursive: true, withFileTypes: true })
          .filter((e) => e.isFile() && !`${e.parentPath}/`.includes('/.git/'))
          .map((e) => join(e.parentPath, e.name))
          .sort()
          .map((file) => [file.slice(world.project.length + 1), readFileSync(file, 'latin1')]),
      ),
    talk: (prompts, options = {}) =>
      session(variant.client, {
        world,
        prompts,
        model: variant.model,
        trust: variant.trust,
        ...options,
        env: { ...said(variant, 'team').env, ...options.env },
      }),
    remove: world.remove,
  };
}

/**
 * The first of a team. `project`: the folder's name. Returns the person, with `mate()`: someone else who clones what
 * is committed, with `options` for git, into a folder of another name.
 */
export function makeTeam(variant, declarations, { project = 'project', knows } = {}) {
  const people = [person(variant, { project, knows })];
  const [first] = people;
  put(first.world, {
    ...said(variant, 'files.team')(
      { mem: { command: 'node', args: ['tools/server.mjs', 'tools/hooks.json'] } },
      variant,
    ),
    'project/tools/server.mjs': readFileSync(join(here, 'fixture-server.mjs')),
    'project/tools/hooks.json': { declarations },
    'project/src/inner/note.txt': 'x\n',
  });
  first.commit();
  return Object.assign(first, {
    mate(options = [], more = {}) {
      const other = person(variant, { project: "bob's project", ...more });
      people.push(other);
      other.git(...options, 'pull', '-q', first.world.project, 'main');
      return other;
    },
    removeAll() {
      for (const { remove } of people) remove();
    },
  });
}
