/**
 * What is known of each client, by its id: of/<id>.mjs. A new client is a new file there.
 *
 * `null` says that the client has no such thing: what needs it is then no test of that client. What is absent is only
 * unsaid: what needs it is reported as skipped.
 *
 * Its program:
 *   package, versions     npm package, and the versions to prove, the newest first; the others run with --all
 *   node                  the major version of Node that it needs, where that is a later one than the oldest of ours
 *   program(found)        its command. `found`: { manifest, native(path, name?), triple, node }
 * A headless session:
 *   dialect               how its model is spoken to (models/)
 *   env(url)              how it is told where its model is
 *   headlessEnv           variables that only a headless session has
 *   args(how)             of a prompt. `how`: { prompt, again, model, allow, url, trust, trustProject, world }
 *   review                has the user's hooks reviewed, for sessions with `trust: 'review'`
 *   drive(client, how)    instead of all these: holds the prompts by itself, and returns what `session` does
 *   atTerminal            events that it fires at a terminal only: sessions are then held there
 *   endsAtTerminal        set where only a session at a terminal tells hooks of its end: session_end is proved there
 *   variants              ways in which everything is run: { title, model?, trust?, ... }; absent: one
 * At a terminal:
 *   terminal              { prompt, args, settle?, quit?, clear?, compact?, compacted?, starts?, forgets? }, see tui.mjs and scenarios/interactive.mjs
 * Files, as path under home/ or project/ -> content:
 *   files.user(servers, variant)      servers and own hooks; the first file is the one that will hold ours
 *   files.servers(servers)            the user's servers alone
 *   files.project(servers)            servers of a project
 *   files.team(servers, variant)      servers of a project, and a hook of the team's
 *   files.addHook(world, event, text, variant)     one more hook of the user's, behind all others
 * What differs in sessions:
 *   textFirst             whether a hook's text at a prompt stands before the prompt
 *   untold                what its hooks aren't told: 'shell outcome', 'failures', 'resume', 'clear', 'compact'
 *   flaw                  what goes wrong in its sessions without any hook, now and then: what failed is tried once more
 *   hearsOne(version)     whether it drops what the user's own hook on a prompt says beside ours
 *   subAgents(variant)    whether a model of that variant can start sub-agents that the client tells hooks of
 *   offeredLater(body)    names of tools that its model has to look up first
 *   promptHook(world)     { command, payload, env } of our hook on a prompt, as the client runs it
 *   team                  { trust(world, folder), env?, untrusted?, subfolder?, anyFolder? }, see scenarios/teams.mjs
 *   plugin                { format, take, root, server?, together? }, see scenarios/export.mjs
 *   fleet                 { take, drop, atOnce?, env?, settings? }, see scenarios/fleet.mjs
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('of/', import.meta.url));
const names = readdirSync(folder).sort();
const load = (name) => import(new URL(`of/${name}`, import.meta.url));

/** By id. Files with a second dot in their name belong to the client, and don't describe one. */
export const OF = Object.fromEntries(
  await Promise.all(
    names
      .filter((name) => /^[^.]+\.mjs$/.test(name))
      .map(async (name) => [name.replace('.mjs', ''), (await load(name)).client]),
  ),
);

/** Scenarios that only one client can have: of/<id>.own.mjs. They import what a scenario needs, so that they come last. */
export async function ownScenarios() {
  const own = names.filter((name) => name.endsWith('.own.mjs'));
  return Promise.all(
    own.map(async (name) => {
      const id = name.replace('.own.mjs', '');
      const { scenarios } = await load(name);
      return scenarios.map((one) => ({
        ...one,
        when: (variant) => variant.client.id === id && (one.when?.(variant) ?? true),
      }));
    }),
  ).then((lists) => lists.flat());
}

/** Thrown by a scenario that needs what nobody has said of a client yet: it is reported as skipped. */
export class NothingSaid extends Error {}

/** Thrown by a scenario that needs what a client doesn't have (`null` in its file): it says nothing of that client. */
export class NoneThere extends Error {}

/** What is said of the variant's client at `path`, such as 'files.team'. */
export function said({ client: { id } }, path) {
  let value = OF[id];
  for (const key of path.split('.')) {
    value = value[key];
    if (value === null) throw new NoneThere(`${id} has no ${key}`);
    if (value === undefined) throw new NothingSaid(`test/clients/of/${id}.mjs says nothing of ${path}`);
  }
  return value;
}
