/** Whatever is broken, the session ends normally, with prompt and tool results intact, and nothing is blocked. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeBench } from '../bench.mjs';
import { count, ownHooksFire } from '../requests.mjs';
import { fidelityOn } from '../tables.mjs';
import { leftovers } from '../world.mjs';
import { EVENTS, PROMPTS } from './cells.mjs';

const DECLARATIONS = EVENTS.flatMap((event) => [
  { event, context: `STATIC-${event} {session_id}`, priority: 'suggestion' },
  { event, context_tool: 'echo', context_tool_args: { text: `DYNAMIC-${event}` }, priority: 'suggestion' },
]);

const own = (bench) => join(bench.world.home, '.local/share/mcphooks');
const filesOf = (bench, wanted) =>
  readdirSync(own(bench), { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath, e.name))
    .filter(wanted);
const isShim = (file) => readFileSync(file, 'latin1').startsWith('#!/bin/sh');
const each = (wanted, damage) => (bench) => {
  const found = filesOf(bench, wanted);
  if (found.length === 0) throw new Error(`nothing to damage in ${own(bench)}`);
  for (const file of found) damage(file);
};
const cut = (keep) => each(isShim, (file) => truncateSync(file, Math.floor(keep(statSync(file).size))));
const isData = (file) => file.endsWith('.json');
/** Preloaded into every node that the session starts; ends the shim's own, loudly. */
const PRELOAD = `if (/share.mcphooks/.test(process.argv[1] ?? '')) { process.stdout.write('{"decision":"block","reason":"PRELOADED"}'); process.stderr.write('PRELOADED'); process.exit(2); }`;

/** What is broken after the install, and what must still arrive in the first request. */
const CASES = [
  { name: 'dead server', damage: (b) => b.behave('dead'), still: 'STATIC-pre_request' },
  {
    name: 'hanging server',
    damage: (b) => b.behave('hang'),
    still: 'STATIC-pre_request',
    only: ['pre_request'],
  },
  {
    name: 'server that answers too late',
    damage: (b) => b.behave('slow'),
    still: 'STATIC-pre_request',
    only: ['pre_request'],
  },
  {
    name: 'server that answers garbage',
    damage: (b) => b.behave('garbage'),
    still: 'STATIC-pre_request',
    only: ['pre_request'],
  },
  { name: 'tool that fails', damage: (b) => b.behave('fail'), still: 'STATIC-pre_request' },
  { name: 'hostile tool answer', damage: (b) => b.behave('hostile'), still: 'DYNAMIC-pre_request' },
  { name: 'empty shim', damage: cut(() => 0) },
  { name: 'shim cut in its first line', damage: cut(() => 40) },
  { name: 'shim cut in the middle', damage: cut((size) => size / 2) },
  { name: 'shim cut before its end', damage: cut((size) => size - 3) },
  { name: 'missing shims', damage: each(isShim, (file) => rmSync(file)) },
  // As a file system can leave files after a power cut.
  { name: 'shims of zeros', damage: each(isShim, (file) => writeFileSync(file, Buffer.alloc(4096))) },
  {
    name: 'folders in place of shims',
    damage: each(isShim, (file) => {
      rmSync(file);
      mkdirSync(file);
    }),
  },
  {
    name: 'file in place of the state folder',
    damage: ({ world }) => {
      const state = join(world.home, '.local/state/mcphooks');
      rmSync(state, { recursive: true });
      writeFileSync(state, '');
    },
    still: 'DYNAMIC-pre_request',
    only: ['pre_request'],
  },
  { name: 'missing data files', damage: each(isData, (file) => rmSync(file)) },
  { name: 'half-written data files', damage: each(isData, (file) => truncateSync(file, 30)) },
  {
    name: 'missing runtime',
    damage: each(
      (file) => file.endsWith('.cjs'),
      (file) => rmSync(file),
    ),
  },
  {
    name: 'hostile NODE_OPTIONS',
    env: (b) => ({ NODE_OPTIONS: `--require=${JSON.stringify(join(b.world.dir, 'preload.cjs'))}` }),
    still: 'STATIC-pre_request',
  },
  // Some clients replace $NAME in the line that starts a hook script.
  { name: 'a variable named shim', env: () => ({ shim: 'x' }), still: 'STATIC-pre_request' },
];

export const scenarios = CASES.map(({ name, damage, env, still, only }) => ({
  name: `harmless: ${name}`,
  anywhere: true,
  async run(variant, t) {
    const declarations = only ? DECLARATIONS.filter((d) => only.includes(d.event)) : DECLARATIONS;
    const bench = await makeBench(variant, declarations, { more: { 'preload.cjs': PRELOAD } });
    try {
      await bench.install();
      damage?.(bench);
      const talked = await bench.talk(PROMPTS, { env: env?.(bench) ?? {} });
      const { code, requests: r, unused, stdout } = talked;
      const sent = JSON.stringify(r.map((x) => x.body));
      t.ok(
        'the session ends normally',
        code === 0 && unused === 0 && r.length === 3,
        `exit ${code}, ${r.length} requests`,
      );
      t.ok('prompts intact', count(r, 0, 'PROMPT-ONE') > 0 && count(r, 2, 'PROMPT-TWO') > 0);
      t.ok('tool results intact', sent.includes('TOOL-RAN-42'), JSON.stringify(r[1]?.body).slice(-600));
      t.ok('answers intact', stdout.includes('ANSWER-ONE') && stdout.includes('ANSWER-TWO'));
      t.ok("the user's own hooks fire", ownHooksFire(talked));
      const given = fidelityOn(variant.client, 'pre_request') === 'unsupported' ? 0 : 1;
      if (still) t.ok(`${still} still arrives`, count(r, 0, still) === given, `${count(r, 0, still)} times`);
      t.ok('nothing of the damage reaches the model', !/PRELOADED|share\/mcphooks|2Jnot|2J not/.test(sent));
      const left = await leftovers(bench.world);
      t.ok('no process is left behind', left.length === 0, left.join('; '));
      t.ok('no state in the project', !existsSync(join(bench.world.project, '.local')));
    } finally {
      bench.remove();
    }
  },
}));
