import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installClients } from '../cli/home.ts';
import { cleanWorlds } from '../cli/world.ts';
import { captured } from '../fire/world.ts';
import { CLIENT, entriesAt, fires, homeOf, usesTexts } from './world.ts';

cleanWorlds();
usesTexts({ AfterTool: { textsUsed: 'first' }, BeforeAgent: { textsUsed: 'last' } });

const after = (context: string, priority = 'suggestion') => ({ event: 'post_tool_use', context, priority });
const prompt = (context: string) => ({ event: 'pre_request', context, priority: 'important' });
const payload = captured('gemini-cli', 'AfterTool');
const install = (...names: string[]) => ['install', ...names, '--client', 'gemini-cli', '--yes'];

describe('two servers at an event of which a client uses one text', () => {
  it('share one entry, and both texts reach the model', async () => {
    const world = homeOf({ one: [after('First.'), prompt('Ask.')], two: [after('Second.', 'important')] });
    world.write('home/.gemini/trustedFolders.json', JSON.stringify({ [world.project]: 'TRUST_FOLDER' }));
    installClients(world, { gemini: CLIENT.proved.newest });
    const before = world.files();
    expect(await world.run(...install('one'))).toMatchObject({ code: 0 });
    const [alone] = entriesAt(world, 'AfterTool');
    expect(await world.run(...install('two'))).toMatchObject({ code: 0 });
    const entries = entriesAt(world, 'AfterTool');
    expect(entries).toEqual([alone]);
    const ran = fires(world, entries[0] as string, payload);
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    expect(ran.text).toMatch(/ important\]\nSecond\.\n.*\n\n\[mcphooks .* suggestion\]\nFirst\.\n/s);
    expect(await world.run('diff')).toMatchObject({ code: 0 });
    expect(await world.run('doctor')).toMatchObject({ code: 0 });
    expect((await world.run('list')).stdout.match(/current/g)).toHaveLength(2);

    expect(await world.run('uninstall', 'one')).toMatchObject({ code: 0 });
    expect(entriesAt(world, 'AfterTool')).toEqual([alone]);
    expect(fires(world, alone as string, payload).text).toMatch(/^\[mcphooks \w+ \| MCP server "two"/);
    expect(await world.run('diff')).toMatchObject({ code: 0 });
    expect(await world.run('uninstall', 'two')).toMatchObject({ code: 0 });
    expect(world.files()).toEqual(before);
  });

  it('stay together where a file is behind a link; a link to nothing keeps no entry', async () => {
    const world = homeOf({ one: [after('First.')], two: [after('Second.')] });
    const before = entriesAt(world, 'AfterTool');
    for (const name of ['one', 'two']) await world.run(...install(name));
    const script = join(world.home, '.local/share/mcphooks/joint/gemini-cli/AfterTool');
    const file = join(`${script}.d`, 'two');
    const elsewhere = join(world.home, 'elsewhere');
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    expect(await world.run('uninstall', 'one')).toMatchObject({ code: 0 });
    const [entry = ''] = entriesAt(world, 'AfterTool');
    expect(fires(world, entry, payload).text).toContain('Second.');
    rmSync(file);
    renameSync(elsewhere, file);
    symlinkSync('nowhere', join(`${script}.d`, 'gone'));
    expect(await world.run('uninstall', 'two')).toMatchObject({ code: 0 });
    expect(entriesAt(world, 'AfterTool')).toEqual(before);
    expect(existsSync(script)).toBe(false);
  });
});
