import { describe, expect, it } from 'vitest';
import { grouped } from '../../src/base/grouped.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { cleanWorlds, makeWorld } from './world.ts';

cleanWorlds();

const COMMIT = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'If you committed, note it.',
  priority: 'suggestion',
};
const EVERY = { event: 'pre_tool_use', context: 'A tool.', priority: 'suggestion' };
const document = (...declarations: object[]): string => JSON.stringify({ declarations }, null, 2);

describe('lint --format github', () => {
  it('annotates warnings at file and line, relative to the checkout', async () => {
    const world = makeWorld();
    world.write('project/sub/hooks.json', document(COMMIT, EVERY));
    world.env.GITHUB_WORKSPACE = world.project;
    const how = { folder: 'project/sub' };
    const { code, stdout, stderr } = await world.runAs(how, 'lint', './hooks.json', '--format', 'github');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^::warning file=sub\/hooks\.json,line=13,col=16,title=mcphooks lint\.every-tool::declarations\[1\]\.event: fires on every tool call[^\n]*%0A {2}Add a matcher[^\n]*\n$/,
    );
  });

  it('annotates every fault, with exit 1', async () => {
    const world = makeWorld();
    world.write(
      'project/hooks.json',
      document({ ...COMMIT, event: 'postToolUse' }, { ...COMMIT, contxt: 1 }),
    );
    const { code, stdout, stderr } = await world.run('lint', 'hooks.json', '--format', 'github');
    expect([code, stderr]).toEqual([1, '']);
    const lines = stdout.trim().split('\n');
    expect(
      lines.map(
        (line) => /^::error file=hooks\.json,line=\d+,col=\d+,title=mcphooks ([\w.-]+)::/.exec(line)?.[1],
      ),
    ).toEqual(['decl.choice', 'decl.unknown-key']);
  });

  it('tells of a file that is no JSON at its line, and of one that is not there', async () => {
    const world = makeWorld();
    world.write('project/bad.json', '{\n  "declarations": [,]\n}');
    const bad = await world.run('lint', 'bad.json', '--format', 'github');
    expect([bad.code, bad.stdout]).toEqual([
      1,
      expect.stringMatching(/^::error file=bad\.json,line=2,col=\d+,/),
    ]);
    const none = await world.run('lint', 'none.json', '--format', 'github');
    expect([none.code, none.stdout]).toEqual([1, expect.stringMatching(/^::error file=none\.json,title=/)]);
  });

  it('lets no text add a command, a property or a line', async () => {
    const world = makeWorld();
    const evil = 'x\n::add-mask::y\r\n##[group]z ##vso[task]w %0A::stop';
    world.write(
      'project/a,b:c.json',
      document({ ...COMMIT, matcher: { [evil]: 'x' } }, { ...COMMIT, event: evil }),
    );
    const { code, stdout } = await world.run('lint', './a,b:c.json', '--format', 'github');
    expect(code).toBe(1);
    const lines = stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      expect(line).toMatch(/^::error file=a%2Cb%3Ac\.json,line=\d+,col=\d+,title=mcphooks [\w.-]+::/);
      expect(line).not.toMatch(/##\[|##vso\[|%0A::|\r/);
    }
  });

  it('says nothing where there is nothing to say', async () => {
    const world = makeWorld();
    world.write('project/hooks.json', document(COMMIT));
    const ended = await world.run('lint', 'hooks.json', '--format', 'github');
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('lint --format markdown', () => {
  it('shows the matrix, and warnings below it', async () => {
    const world = makeWorld();
    world.write('project/hooks.json', document(COMMIT, EVERY));
    const { code, stdout } = await world.run('lint', 'hooks.json', '--format', 'markdown');
    expect(code).toBe(0);
    const cells = (event: 'post_tool_use' | 'pre_tool_use') =>
      grouped(CLIENTS.map((c) => [c.title, c.events[event].fidelity] as const))
        .map(({ text, whom }) => `${text} on ${whom}`)
        .join('<br>');
    expect(stdout).toContain('### mcphooks: `hooks.json`, 2 hooks, 1 warning\n');
    expect(stdout).toContain(`| hook | on ${CLIENTS.map(({ title }) => title).join(', ')} |\n| --- |`);
    expect(stdout).toContain(
      `| 1 \`after Bash with "git commit" in its input\` | ${cells('post_tool_use')} |`,
    );
    expect(stdout).toContain(`| 2 \`before every tool\` | ${cells('pre_tool_use')} |`);
    expect(stdout).toContain('```text\nhooks.json:13:16 declarations[1].event: fires on every tool call');
  });

  it('shows faults without a matrix, and keeps what they quote in code', async () => {
    const world = makeWorld();
    world.write('project/hooks.json', document({ ...COMMIT, event: '``` @everyone <b>' }));
    const { code, stdout } = await world.run('lint', 'hooks.json', '--format', 'markdown');
    expect(code).toBe(1);
    expect(stdout).toContain('### mcphooks: `hooks.json`, 1 fault\n\n````text\n');
    expect(stdout).not.toContain('|');
  });
});
