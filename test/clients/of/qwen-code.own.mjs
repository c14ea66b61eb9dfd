/** Scenarios that only Qwen Code can have. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBench } from '../bench.mjs';
import { says } from '../files.mjs';
import { count, seen } from '../requests.mjs';
import { ownMarks, say, using } from '../scenarios/life.mjs';
import { put } from '../world.mjs';
import { settings } from './qwen-code.mjs';

const CORPUS = join(import.meta.dirname, '../../corpus');
const corpus = (folder) =>
  readdirSync(join(CORPUS, folder)).map((name) => ({
    name,
    bytes: readFileSync(join(CORPUS, folder, name)),
  }));
const FILE = 'home/.qwen/settings.json';
const TEXT = say('pre_request', 'MARK-HERE');
const ONE = [{ prompt: 'PROMPT-ONE', turns: [{ calls: [{ bash: 'true' }] }, { say: 'ANSWER-ONE' }] }];

/** A bench whose user's settings say nothing of sessions and servers: these come from the system and the command line. */
async function bareBench(variant) {
  const bench = await makeBench(variant, [TEXT, say('post_tool_use', 'MARK-TOOL')]);
  const { mem } = JSON.parse(
    readFileSync(join(bench.world.dir, FILE), 'utf8').replace(/^\/\/.*\n/, ''),
  ).mcpServers;
  const { mcpServers: _, ...system } = settings({});
  put(bench.world, { 'system.json': system });
  const env = { QWEN_CODE_SYSTEM_DEFAULTS_PATH: join(bench.world.dir, 'system.json') };
  const client = variant.client.id;
  return {
    ...bench,
    file: () => readFileSync(join(bench.world.dir, FILE)),
    installOf: () =>
      bench.mcphooks('install', 'mem', '--yes', '--client', client, '--', mem.command, ...mem.args),
    talk: () => bench.talk(ONE, { env }),
  };
}

const isTable = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
function parsed(bytes) {
  try {
    return JSON.parse(String(bytes));
  } catch {
    return undefined;
  }
}

const withoutComma = (line) => line.replace(/,\s*$/, '').trimEnd();
const valueIn = (text) => JSON.stringify(parsed(text.replace(/\s*\/\/.*/g, '')));
const same = (one, other) => valueIn(one) !== undefined && valueIn(one) === valueIn(other);

/** A hook that refuses the end of each turn once. */
const ONCE_MORE = {
  hooks: {
    Stop: [
      {
        hooks: [
          {
            type: 'command',
            name: 'again',
            command: `case $(cat) in *'"stop_hook_active":false'*) printf '{"decision":"block","reason":"GO ON"}';; esac`,
          },
        ],
      },
    ],
  },
  $version: 4,
};

/** A hook that blocks one prompt. */
const BLOCKS = {
  hooks: {
    UserPromptSubmit: [
      {
        hooks: [
          {
            type: 'command',
            name: 'no',
            command: `grep -q BLOCK && printf '{"decision":"block","reason":"no"}'`,
          },
        ],
      },
    ],
  },
  $version: 4,
};

export const scenarios = [
  // On 0.21.10 a tool's payload doesn't name the sub-agent; only the hook's environment does (QWEN_CODE_AGENT_ID).
  { ...ownMarks, when: ({ client }) => client.version !== '0.21.10' },
  {
    name: 'files that it reads',
    async run(variant, t) {
      const bench = await bareBench(variant);
      try {
        for (const { name, bytes } of corpus('qwen')) {
          put(bench.world, { [FILE]: bytes });
          const { code, stderr } = await bench.installOf();
          t.ok(`${name}: takes ours`, code === 0, stderr.slice(-300));
          const { requests, code: ended } = await bench.talk();
          t.ok(`${name}: ours speak`, ended === 0 && count(requests, 0, 'MARK-HERE') === 1);
          await bench.uninstall();
          const left = bench.file();
          // Where there is no version, it writes one at its first start.
          const versioned = bytes.includes('"$version"');
          const kept = versioned ? left.equals(bytes) : String(left).includes('"$version"');
          t.ok(`${name}: goes out byte for byte`, kept && !left.includes('mcphooks'), String(left));
        }
      } finally {
        bench.remove();
      }
    },
  },
  {
    name: 'files that it refuses',
    async run(variant, t) {
      const bench = await bareBench(variant);
      const own = (event) => ({
        hooks: [{ type: 'command', name: 'own', command: says(event, `USER-${event}`) }],
      });
      try {
        for (const { name, bytes } of corpus('refused/qwen')) {
          put(bench.world, { [FILE]: bytes });
          const { code } = await bench.installOf();
          t.ok(`${name}: is left alone`, code === 1 && bench.file().equals(bytes), `exit ${code}`);
          const value = parsed(bytes);
          // What it starts with, it drops hooks of: all of them, or those of one event.
          if (isTable(value?.hooks)) {
            const { PostToolUse: groups } = value.hooks;
            const tool = Array.isArray(groups) ? [...groups, own('PostToolUse')] : groups;
            const hooks = { UserPromptSubmit: [own('UserPromptSubmit')], PostToolUse: tool };
            put(bench.world, { [FILE]: { ...value, hooks } });
          }
          const { requests, code: ended } = await bench.talk();
          if (!isTable(value)) t.ok(`${name}: it does not start with it`, ended !== 0, `exit ${ended}`);
          else {
            const heard = ['UserPromptSubmit', 'PostToolUse'].filter(
              (e) => seen(requests, `USER-${e}`).length > 0,
            );
            const expected = isTable(value.hooks) ? 'UserPromptSubmit' : '';
            t.ok(`${name}: hooks are dropped`, ended === 0 && heard.join() === expected, heard.join());
          }
        }
      } finally {
        bench.remove();
      }
    },
  },
  {
    name: 'what it adds to its settings stays, and nothing else',
    async run(variant, t) {
      const bench = await bareBench(variant);
      try {
        const styles = {
          'two spaces': `{\n  "ui": { "theme": "GitHub" }\n}\n`,
          'tabs, no final newline': `{\n\t"ui": { "theme": "GitHub" }\n}`,
          'CRLF and comments': `// mine\r\n{\r\n  "ui": { "theme": "GitHub" } // last\r\n}\r\n`,
          'one line': `{ "hooks": {} }`,
        };
        for (const [name, text] of Object.entries(styles)) {
          put(bench.world, { [FILE]: text });
          await bench.talk();
          const alone = bench.file();
          put(bench.world, { [FILE]: text });
          await bench.installOf();
          const { requests } = await bench.talk();
          t.ok(`${name}: ours speak`, count(requests, 0, 'MARK-HERE') === 1);
          t.ok(`${name}: nothing differs`, (await bench.mcphooks('diff', 'mem')).code === 0);
          bench.declare([{ ...TEXT, context: 'MARK-THERE' }]);
          const updated = await bench.mcphooks('install', 'mem', '--yes', '--accept-changed');
          const again = await bench.talk();
          const there =
            count(again.requests, 0, 'MARK-THERE') === 1 && seen(again.requests, 'MARK-HERE').length === 0;
          t.ok(`${name}: an update speaks once`, updated.code === 0 && there, updated.stderr.slice(-300));
          const rewritten = String(bench.file()).split('\n').map(withoutComma);
          await bench.uninstall();
          bench.declare([TEXT]);
          const left = String(bench.file());
          // How it lays out what it writes depends on what stands there.
          t.ok(`${name}: says what it says without ours`, same(left, String(alone)), `${left}\n--\n${alone}`);
          // An object that held ours alone is closed again.
          const strange = left
            .replace('"hooks": {}', '"hooks": {')
            .split('\n')
            .filter((line) => !rewritten.includes(withoutComma(line)));
          t.ok(`${name}: every line is as it wrote it`, strange.length === 0, strange.join('\n'));
        }
      } finally {
        bench.remove();
      }
    },
  },
  {
    name: "a forced turn is not the user's prompt",
    // 0.21.10 gives no prompt_id: the text comes again there. It calls each end of a turn forced, too.
    when: ({ client }) => client.version !== '0.21.10',
    run: using(
      [say('pre_request', 'MARK-PROMPT')],
      async ({ bench, t }) => {
        await bench.install();
        const turns = [{ say: 'A' }, { say: 'B' }];
        const { requests } = await bench.talk([{ turns }, { turns }]);
        const found = requests.map((_, i) => count(requests, i, 'MARK-PROMPT'));
        t.ok('the other hook forced two more turns', requests.length === 4, `${requests.length} requests`);
        t.ok('one text a prompt', found.join() === '1,1,2,2', found.join());
      },
      { more: { 'project/.qwen/settings.json': ONCE_MORE } },
    ),
  },
  {
    name: 'a session that goes on after a blocked prompt',
    run: using(
      [say('pre_request', 'MARK-PROMPT')],
      async ({ bench, t }) => {
        await bench.install();
        const { requests } = await bench.talk([
          { turns: [{ say: 'A' }] },
          { prompt: 'BLOCK', turns: [] },
          { turns: [{ calls: [{ bash: 'true' }] }, { say: 'B' }] },
        ]);
        const found = requests.map((_, i) => count(requests, i, 'MARK-PROMPT'));
        t.ok('one text a prompt', found.join() === '1,2,2', found.join());
      },
      { more: { 'project/.qwen/settings.json': BLOCKS } },
    ),
  },
];
