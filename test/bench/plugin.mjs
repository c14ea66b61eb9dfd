// What a plugin that runs inside a client costs there: in process, without a script of ours that starts.
//   npm run bench -- plugin; node test/bench/plugin.mjs <folder>, under another runtime (BUN_BE_BUN=1 opencode ...)
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const CALLS = 200;
const ESCAPES = ['002', '003', '004', '005', '006', '007'].map((code) => `\\u${code}`);
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Writes a plugin with a hook on `git commit`. `program`: the text of a client's program. */
export function writePlugin(folder, program) {
  const script = join(folder, 'hooks/PostToolUse');
  mkdirSync(join(folder, 'hooks'), { recursive: true });
  writeFileSync(`${script}.needles`, `${['git commit', ...ESCAPES].join('\n')}\n`);
  const handler = { type: 'command', command: '/bin/sh', args: [script], timeout: 10 };
  const hooks = { PostToolUse: [{ matcher: '^bash$', hooks: [handler] }] };
  const text = program.replace('/* hooks */ {} ', () => `/* hooks */ ${JSON.stringify({ hooks })} `);
  writeFileSync(join(folder, 'plugin.mjs'), text);
}

/** Medians in ms: of loading the plugin, and of calls of tools without a matching hook. */
export async function measure(folder) {
  const begin = performance.now();
  const { default: plugin } = await import(pathToFileURL(join(folder, 'plugin.mjs')).href);
  const handlers = await plugin.server({ client: {}, directory: folder });
  const load = performance.now() - begin;
  const call = async (tool, args) => {
    const times = [];
    for (let i = 0; i < CALLS; i++) {
      const about = { tool, sessionID: 'ses_1', callID: `call_${i}` };
      const output = { output: 'done', metadata: {} };
      const start = performance.now();
      await handlers['tool.execute.before'](about, { args });
      await handlers['tool.execute.after']({ ...about, args }, output);
      times.push(performance.now() - start);
      if (output.output !== 'done') throw new Error('it said something');
    }
    return median(times);
  };
  return [
    ['plugin: loaded with the client', load, 30],
    ['plugin: another tool', await call('read', { filePath: '/x' }), 1],
    ['plugin: another command', await call('bash', { command: 'git push' }), 1],
    ['plugin: another command, 100 kB', await call('bash', { command: 'x'.repeat(100_000) }), 1],
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, ms, most] of await measure(process.argv[2]))
    console.log(`${name.padEnd(44)} ${ms.toFixed(3)} ms (at most ${most})`);
