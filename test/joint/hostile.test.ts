import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG, sample } from '../effort.ts';
import { captured } from '../fire/world.ts';
import { nodeHere } from '../node-here/start.ts';
import { present } from '../shells.ts';
import { install, type Server, scripts, start } from './scripts.ts';

const w = scripts();
const node = nodeHere();
const SHELLS = present([
  ['dash'],
  ...sample([['posh'], ['bash'], ['busybox', 'sh'], ['mksh'], ['zsh', '--emulate', 'sh']], 4),
]);
const RUN_BY = LONG ? SHELLS : SHELLS.slice(0, 1);
const payload = JSON.stringify(captured('gemini-cli', 'AfterTool'));
const says = (name: string, text: string): Server => ({ name, hooks: [{ text }] });
const textOf = (stdout: string): string =>
  stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;

/** What may stand in a script that is damaged. */
const DAMAGE = [
  'echo x; head -c 3000000 /dev/zero; echo',
  "printf '\\0{\"hookSpecificOutput\\n\\0'",
  'echo "bad" >&2; exit 2',
  '(',
  'exec 1>&-',
  'cat',
  'sleep 1',
];

describe.concurrent.each(RUN_BY.map((words) => ({ words, how: words.join(' ') })))('in $how', ({ words }) => {
  it.runIf(LONG)('prints what is longer than an argument of a program', async () => {
    const { folder, project } = w.home();
    const long = 'é'.repeat(9_000);
    const servers = ['a', 'b', 'c', 'd'].map((name) => says(name, long));
    const ran = await start([...words, install(folder, servers)], payload, project, { HOME: folder });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(textOf(ran.stdout).split(long)).toHaveLength(5);
  });

  it.each(LONG ? sample(DAMAGE, SHELLS.length, SHELLS.indexOf(words)) : DAMAGE.slice(0, 1))(
    'gives what others say beside a script of %s',
    async (damage) => {
      for (const [i, slug] of ['a', 'b', 'c'].entries()) {
        const { folder, project } = w.home();
        const script = install(folder, [says('a', 'One.'), says('b', 'Two.'), says('c', 'Three.')]);
        const digest = `${i}`.padStart(16, '0');
        const broken = join(folder, '.local/share/mcphooks/hooks', slug, digest, 'gemini-cli/AfterTool');
        writeFileSync(broken, `${damage}\n`);
        const ran = await start([...words, script], payload, project, { HOME: folder });
        expect(ran, slug).toMatchObject({ code: 0, stderr: '' });
        expect(textOf(ran.stdout).match(/^(One|Two|Three)\.$/gm), slug).toHaveLength(2);
      }
    },
  );

  it.runIf(LONG)('needs neither HOME nor a folder for temporary files, whatever its path', async () => {
    const { folder, project } = w.home();
    const odd = join(folder, 'a \'b" $HOME `id` [x]*');
    mkdirSync(odd);
    const script = install(odd, [says('a', 'One.'), says('b', 'Two in {project_name}.')], { node });
    const ran = await start([...words, script], payload, project, { TMPDIR: '/nowhere' });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(textOf(ran.stdout)).toMatch(/One\.[\s\S]*Two in shop\./);
  });
});
