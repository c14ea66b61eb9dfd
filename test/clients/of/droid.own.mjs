/** Scenarios that only Droid can have. */
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeBench } from '../bench.mjs';
import { says } from '../files.mjs';
import { count, seen } from '../requests.mjs';
import { answers, ask, scenario } from '../scenarios/interactive.mjs';
import { ONE, say, using } from '../scenarios/life.mjs';
import { session } from '../session.mjs';
import { noTerminal, openTui } from '../tui.mjs';
import { makeWorld, put, run } from '../world.mjs';
import { ACCEPTED, REFUSED } from './droid.files.mjs';

const cli = join(import.meta.dirname, '../../../dist/mcphooks.cjs');

/** The files of all cases, each in a home of its own; Droid reads them all at once, as those of nested folders. */
function cases() {
  const all = [
    ...Object.entries(ACCEPTED).map(([name, files]) => ({ name, files, taken: true })),
    ...Object.entries(REFUSED).map(([name, files]) => ({ name, files, taken: false })),
  ];
  return all.map((one, i) => {
    const hook = JSON.stringify({ type: 'command', command: says('SessionStart', `OWN-${i}.`) });
    const files = Object.entries(one.files).map(([file, text]) => [file, text.replace('HOOK', () => hook)]);
    return { ...one, files: Object.fromEntries(files), own: `OWN-${i}.`, mark: `MARK-${i}.` };
  });
}

/** What a session in the innermost of folders with these `.factory` folders hears at its start. */
async function heardIn(variant, folders) {
  const world = makeWorld();
  let cwd = world.project;
  for (const folder of folders) {
    cwd = join(cwd, 'n');
    cpSync(folder, join(cwd, '.factory'), { recursive: true });
  }
  try {
    const prompts = [{ prompt: 'PROMPT-ONE', turns: [{ say: 'x' }] }];
    const { code, requests } = await session(variant.client, { world, prompts, cwd, terminal: false });
    return { code, hears: (text) => count(requests, 0, text) === 1 };
  } finally {
    world.remove();
  }
}

/** Droid's files as they are, without comments. */
const parsed = (world, file) => {
  const path = join(world.home, '.factory', file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8').replace(/^\s*\/\/.*$/gm, '')) : undefined;
};
const commandsOf = (groups = []) => groups.flatMap(({ hooks }) => hooks.map(({ command }) => command));
const isOurs = (command) => command.includes('mcphooks/');

/** Switches hooks off and on in /hooks. */
async function switchTwice(tui) {
  await tui.until('prompt', tui.atRest);
  tui.keys('-l', '/hooks');
  await tui.until('rest', tui.still);
  tui.keys('Enter');
  await tui.shows('> Add hook command');
  tui.keys('Down');
  await tui.shows('> Hooks enabled: On');
  tui.keys('Enter');
  await tui.shows('> Hooks enabled: Off');
  tui.keys('Enter');
  await tui.shows('> Hooks enabled: On');
}

export const scenarios = [
  {
    name: 'configurations that it takes and refuses',
    async run(variant, t) {
      const world = makeWorld();
      const home = (i) => `homes/${i}`;
      const folder = (i) => join(world.dir, home(i), '.factory');
      const all = cases();
      const mcphooks = (i, ...args) =>
        run([process.execPath, cli, ...args], {
          cwd: world.project,
          env: { ...world.env, HOME: join(world.dir, home(i)) },
        });
      const texts = (i) =>
        JSON.stringify(
          Object.keys(all[i].files).map((file) => readFileSync(join(folder(i), file), 'latin1')),
        );
      try {
        for (const [i, { files, mark }] of all.entries()) {
          for (const [file, text] of Object.entries(files))
            put(world, { [`${home(i)}/.factory/${file}`]: text });
          put(world, { [`hooks/${i}.json`]: { declarations: [say('session_start', mark)] } });
        }
        const before = await heardIn(
          variant,
          all.map((_, i) => folder(i)),
        );
        t.ok('the session before ends normally', before.code === 0, `exit ${before.code}`);
        for (const { name, own, taken } of all)
          t.ok(`${name}: its hook ${taken ? 'fires' : 'does not'}`, before.hears(own) === taken);

        const installed = [];
        for (const [i, { name, taken }] of all.entries()) {
          const was = texts(i);
          const args = ['mem', '--declarations', join(world.dir, `hooks/${i}.json`), '--no-check', '--yes'];
          const { code, stderr } = await mcphooks(
            i,
            'install',
            ...args,
            '--client',
            'droid',
            '--',
            'node',
            'x',
          );
          if (taken) t.ok(`${name}: installed`, code === 0, stderr.slice(-300));
          else t.ok(`${name}: left alone`, code === 1 && texts(i) === was, `exit ${code}`);
          installed.push({ i, was, taken });
        }
        const good = installed.filter(({ taken }) => taken);
        const after = await heardIn(
          variant,
          good.map(({ i }) => folder(i)),
        );
        t.ok('the session after ends normally', after.code === 0, `exit ${after.code}`);
        for (const { i } of good)
          t.ok(`${all[i].name}: both are heard`, after.hears(all[i].own) && after.hears(all[i].mark));
        for (const { i, was } of good) {
          await mcphooks(i, 'uninstall', 'mem');
          t.ok(`${all[i].name}: byte for byte as before`, texts(i) === was);
        }
      } finally {
        world.remove();
      }
    },
  },
  {
    name: 'exec gives nothing at a prompt',
    run: using(
      [say('pre_request', 'MARK-PROMPT'), say('session_start', 'MARK-START')],
      async ({ bench, t }) => {
        await bench.install();
        const { code, requests } = await bench.talk(ONE, { terminal: false });
        t.ok('the session ends normally', code === 0 && requests.length === 2);
        t.ok('no text of a prompt', seen(requests, 'MARK-PROMPT').length === 0);
        t.ok('one of the start', count(requests, 0, 'MARK-START') === 1);
      },
    ),
  },
  {
    name: 'a tool that failed',
    run: using(
      [say('post_tool_use', 'MARK-AFTER'), say('pre_tool_use', 'MARK-BEFORE')],
      async ({ bench, t }) => {
        await bench.install();
        const turns = [{ calls: [{ bash: 'exit 3' }] }, { calls: [{ bash: 'true' }] }, { say: 'x' }];
        const { requests: r } = await bench.talk([{ turns }], { terminal: false });
        for (const mark of ['MARK-AFTER', 'MARK-BEFORE'])
          t.ok(`${mark}: silent, then once`, count(r, 1, mark) === 0 && count(r, 2, mark) === 1);
      },
    ),
  },
  {
    name: 'a sub-agent that ended is no prompt',
    run: using(
      [say('pre_request', 'MARK-PROMPT'), say('post_request', 'MARK-AFTER')],
      async ({ bench, t }) => {
        await bench.install();
        const turns = [{ calls: [{ agent: 'SUBTASK' }] }, { say: 'x' }, { say: 'TOLD' }];
        // Within the turn that started it, no prompt would tell of its end.
        const sub = [{ when: () => sleep(4000), say: 'SUB-DONE' }];
        const { requests } = await bench.talk([
          { turns, sub },
          { prompt: 'PROMPT-TWO', turns: [{ say: 'y' }] },
        ]);
        const main = requests.filter(({ kind }) => kind === 'main');
        const told = main.findIndex((_, i) => count(main, i, 'Background task completed.') > 0);
        t.ok('the model is told that it ended', told > 0);
        const marks = (i) => ['MARK-PROMPT', 'MARK-AFTER'].map((mark) => count(main, i, mark)).join(' ');
        t.ok('and reads no text with that', told > 0 && marks(told) === '1 0', marks(told));
        t.ok('but with the next prompt', marks(main.length - 1) === '2 1', marks(main.length - 1));
      },
    ),
  },
  {
    name: "only the first hook's text at a prompt is heard",
    run: using(
      [say('pre_request', 'MARK-PROMPT')],
      async ({ bench, t }) => {
        await bench.install();
        const { requests } = await bench.talk(ONE);
        t.ok("the user's own", count(requests, 0, 'FIRST-PROMPT') === 1);
        t.ok('ours is not', count(requests, 0, 'MARK-PROMPT') === 0);
      },
      {
        more: {
          'home/.factory/settings.json': {
            hooks: {
              UserPromptSubmit: [
                { hooks: [{ type: 'command', command: says('UserPromptSubmit', 'FIRST-PROMPT') }] },
              ],
            },
          },
        },
      },
    ),
  },
  scenario(
    'a cooldown takes no text away when a session is resumed',
    [],
    async ({ hold, counts }) => {
      for (const [i, name] of ['ONE', 'TWO'].entries())
        await hold({ turns: answers(name), again: i > 0 }, async (tui) => {
          await ask(tui, name);
          await tui.quit();
        });
      counts({ 'PROMPT-': [1, 2], 'MARK-START': [1, 1] });
    },
    { overlay: [{ ...say('session_start', 'MARK-START'), when: { cooldown: 'session' } }] },
  ),
  {
    name: 'interactive: /hooks copies all entries, and nothing of a hook is shown',
    // 0.117.0 has another screen.
    when: ({ client }) => !client.older,
    async run(variant, t) {
      if (noTerminal) return t.skip(noTerminal);
      const bench = await makeBench(variant, [
        say('session_start', 'MARK-OLD'),
        say('pre_request', 'MARK-EACH'),
      ]);
      const { world } = bench;
      const spoken = async (...marks) => {
        const { code, requests } = await bench.talk(ONE);
        const found = marks.map((mark) => count(requests, 0, mark));
        return `${code} ${found.join(' ')}`;
      };
      const copies = (event) =>
        [parsed(world, 'hooks.json'), parsed(world, 'settings.json').hooks].map(
          (events) => commandsOf(events?.[event]).filter(isOurs).length,
        );
      try {
        await bench.install();
        const tui = await openTui(variant.client, { world, turns: answers('ONE') });
        try {
          await ask(tui, 'ONE');
          t.ok(
            'no hook is shown',
            !/hookSpecificOutput|suppressOutput|Hooks \w+ ·/.test(tui.screen()),
            tui.screen(),
          );
          await switchTwice(tui);
        } finally {
          await tui.close();
        }
        t.ok(
          'all entries are in both files',
          copies('SessionStart').join() === '1,1',
          copies('SessionStart').join(),
        );
        t.ok('nothing differs', (await bench.mcphooks('diff', 'mem')).code === 0);
        const once = await spoken('MARK-OLD', 'MARK-EACH');
        t.ok('each text once', once === '0 1 1', once);
        bench.declare([say('session_start', 'MARK-NEW'), say('pre_request', 'MARK-EACH')]);
        await bench.install('mem', '--accept-changed');
        t.ok('both files are updated', copies('SessionStart').join() === '1,1');
        const updated = await spoken('MARK-OLD', 'MARK-NEW', 'MARK-EACH');
        t.ok('the new text alone is heard', updated === '0 0 1 1', updated);
        await bench.uninstall();
        const left = JSON.stringify([parsed(world, 'hooks.json'), parsed(world, 'settings.json')]);
        t.ok('nothing is left in either', !left.includes('mcphooks/'), left);
        const after = await spoken('MARK-NEW', 'MARK-EACH', 'USER-PROMPT');
        t.ok("only the user's own hooks are heard", after === '0 0 0 1', after);
      } finally {
        bench.remove();
      }
    },
  },
];
