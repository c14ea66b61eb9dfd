/** `--scope project` and `--scope local`: hooks that come with a repository, in the sessions of those who have it. */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { delivered, HOOKS, silent } from '../delivered.mjs';
import { OF } from '../of.mjs';
import { count } from '../requests.mjs';
import { TABLES } from '../tables.mjs';
import { makeTeam } from '../team.mjs';
import { put } from '../world.mjs';
import { PROMPTS } from './cells.mjs';

export const scenario = (name, body, { when, ...options } = {}) => ({
  name: `team: ${name}`,
  anywhere: true,
  when,
  async run(variant, t) {
    const ada = makeTeam(variant, HOOKS, options);
    try {
      await body({ ada, t, variant });
    } finally {
      ada.removeAll();
    }
  },
});

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
/** What was reviewed stays reviewed, and nothing else is. */
const asReviewed = ({ trust }) => (trust === 'review' ? { trust: 'none' } : {});
const BOB = "bob's project";

const of = ({ client }) => OF[client.id].team ?? {};
/** Whether the client has a file of one's own in a project. */
const hasLocal = ({ client }) => TABLES[client.id].hooks.local.length > 0;

/** In a folder of this name. */
const inFolder = (title, project, when) =>
  scenario(
    `a folder with ${title}`,
    async ({ ada, t, variant }) => {
      const before = ada.files();
      await ada.install();
      ada.trust();
      const during = await ada.talk(PROMPTS);
      delivered(t, during, { project });
      t.ok("the team's own hook fires", count(during.requests, 0, 'TEAM-PROMPT') === 1);
      await ada.uninstall();
      t.ok('uninstall gives back every byte', same(ada.files(), before));
      const after = await ada.talk(PROMPTS, asReviewed(variant));
      silent(t, 'after uninstall', after);
      t.ok("the team's own hook still fires", count(after.requests, 0, 'TEAM-PROMPT') === 1);
    },
    { project, when },
  );

const own = ({ world }) => join(world.project, '.mcphooks');
const files = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath, e.name));
/** Changes the text of every shim. */
function spoil(person, change) {
  for (const file of files(own(person))) {
    const text = readFileSync(file, 'utf8');
    if (text.startsWith('#!/bin/sh')) writeFileSync(file, change(text));
  }
}

/** What happens to the shims between one person's commit and another's checkout. */
const checkedOut = (name, { commit = () => {}, git = [], damage = () => {}, fires }) =>
  scenario(`checked out ${name}`, async ({ ada, t }) => {
    await ada.install();
    commit(ada);
    ada.commit();
    const bob = ada.mate(git);
    bob.trust();
    damage(bob);
    const session = await bob.talk(PROMPTS);
    if (fires) delivered(t, session, { project: BOB });
    else silent(t, 'so', session);
  });

export const scenarios = [
  inFolder('blanks, quotes, $ and more', "it's a $HOME `x` ; pröject"),
  // The own tools of some clients refuse such a path.
  inFolder('a double quote and a line break', 'a "b\nc"', (variant) => of(variant).anyFolder ?? false),

  scenario("a mate's clone", async ({ ada, t, variant }) => {
    await ada.install();
    ada.commit();
    const bob = ada.mate();
    bob.trust();
    delivered(t, await bob.talk(PROMPTS), { project: BOB });
    await ada.uninstall();
    ada.commit();
    bob.git('pull', '-q', '--rebase', ada.world.project, 'main');
    silent(t, 'after uninstall', await bob.talk(PROMPTS, asReviewed(variant)));
  }),

  scenario('a worktree', async ({ ada, t }) => {
    await ada.install();
    ada.commit();
    const tree = join(ada.world.dir, "work's tree");
    ada.git('worktree', 'add', '-q', '-b', 'tree', tree);
    ada.trust();
    ada.trust(tree);
    delivered(t, await ada.talk(PROMPTS, { cwd: tree }));
  }),

  scenario('a subfolder', async ({ ada, t, variant }) => {
    await ada.install();
    ada.trust();
    const cwd = join(ada.world.project, 'src/inner');
    if (of(variant).subfolder === 'trusted') ada.trust(cwd);
    const session = await ada.talk(PROMPTS, { cwd });
    // The server's own path is relative: a hook starts the server in the project's top level.
    if (of(variant).subfolder === 'fires') delivered(t, session);
    else silent(t, 'in a subfolder', session);
  }),

  scenario(
    'a folder that nobody trusts',
    async ({ ada, t, variant }) => {
      await ada.install();
      silent(t, 'untrusted', await ada.talk(PROMPTS, of(variant).untrusted));
    },
    { when: (variant) => Boolean(of(variant).untrusted) },
  ),

  scenario(
    'for oneself, --scope local',
    async ({ ada, t }) => {
      put(ada.world, { 'project/.git/info/exclude': 'settings.local.json\n' });
      const before = ada.files();
      await ada.install('--scope', 'local');
      delivered(t, await ada.talk(PROMPTS));
      t.ok('git has nothing to commit', ada.git('status', '--short') === '');
      await ada.uninstall('local');
      t.ok('uninstall gives back every byte', same(ada.files(), before));
      silent(t, 'after uninstall', await ada.talk(PROMPTS));
    },
    { when: hasLocal },
  ),

  scenario(
    'for the user too',
    async ({ ada, t }) => {
      await ada.install();
      ada.trust();
      await ada.installOwn();
      delivered(t, await ada.talk(PROMPTS), { what: 'both' });
      await ada.uninstallOwn();
      delivered(t, await ada.talk(PROMPTS), { what: "the project's alone" });
    },
    { knows: true },
  ),

  scenario(
    'for the team and for oneself',
    async ({ ada, t }) => {
      await ada.install('--scope', 'local');
      await ada.install();
      delivered(t, await ada.talk(PROMPTS), { what: 'both' });
    },
    { when: hasLocal },
  ),

  scenario('silenced on one machine', async ({ ada, t }) => {
    await ada.install();
    ada.trust();
    const before = ada.files();
    await ada.silence();
    silent(t, 'disabled', await ada.talk(PROMPTS));
    t.ok('the project stays as it is', same(ada.files(), before));
  }),

  scenario('a server that the project defines anew', async ({ ada, t }) => {
    await ada.install();
    ada.trust();
    for (const [path, text] of Object.entries(ada.files()).filter(
      ([path, text]) => !/^(?:\.mcphooks|tools)\//.test(path) && text.includes('hooks.json"'),
    ))
      put(ada.world, {
        [`project/${path}`]: Buffer.from(text.replace('hooks.json"', 'hooks.json", "more"'), 'latin1'),
      });
    const { code, requests: r } = await ada.talk(PROMPTS);
    t.ok('is not asked', code === 0 && count(r, 0, 'ECHO MARK-TOOL') === 0);
    t.ok('but its texts are given', count(r, 1, 'MARK-AFTER in project.') === 1);
  }),

  checkedOut('where no file can be executed', {
    commit: (ada) => ada.git('config', 'core.fileMode', 'false'),
    damage: (bob) => {
      for (const file of files(own(bob))) chmodSync(file, 0o644);
    },
    fires: true,
  }),
  checkedOut('with the line ends of Windows', { git: ['-c', 'core.autocrlf=true'], fires: true }),
  checkedOut('without .mcphooks', {
    damage: (bob) => rmSync(own(bob), { recursive: true }),
  }),
  checkedOut('without the runtime', {
    damage: (bob) => rmSync(join(own(bob), 'runtime'), { recursive: true }),
  }),
  checkedOut('with merge conflicts in the shims', {
    damage: (bob) => spoil(bob, (text) => `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> theirs\n`),
  }),
  checkedOut('with half of each shim', { damage: (bob) => spoil(bob, (text) => text.slice(0, 1_500)) }),
];
