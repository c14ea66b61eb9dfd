import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isExportPath } from '../../src/export/export-path.ts';
import { planExport } from '../../src/export/plan.ts';
import type { Definition } from '../../src/servers/types.ts';
import { portableScript, shimScript } from '../../src/shims/script.ts';
import { filesOf } from '../files.ts';
import { clients, inputFor, RENEW, type Scenario } from '../plan/golden.ts';
import { tree } from './folders.ts';

// Golden trees: snapshots/<client>/export-<scenario>/ holds an exported folder. `UPDATE_SNAPSHOTS=1 npm test` makes
// them anew; a changed tree needs a reason in its commit.
const root = fileURLToPath(new URL('../../', import.meta.url));
const OUT = '/out';

const SCENARIOS: Record<string, Scenario & { withServer?: Definition }> = {
  'commit-reminder': JSON.parse(
    readFileSync(join(root, 'test/fixtures/scenarios/commit-reminder.json'), 'utf8'),
  ),
  'with-server': {
    declarations: [
      {
        event: 'pre_request',
        context_tool: 'recent',
        context_tool_args: { project: '{project_name}' },
        priority: 'suggestion',
      },
      {
        event: 'post_tool_use',
        matcher: { tool_server: 'notebook-server' },
        context: 'Noted.',
        priority: 'suggestion',
      },
    ],
    withServer: { transport: 'stdio', command: 'npx', args: ['-y', 'notebook@1'], env: { KEY: 'x' } },
  },
};

for (const [name, { withServer, ...scenario }] of Object.entries(SCENARIOS)) {
  describe(`export-${name}`, () => {
    for (const client of clients) {
      if (!client.plugin) {
        it(`${client.id} has none`, () =>
          expect(existsSync(join(root, 'snapshots', client.id, `export-${name}`))).toBe(false));
        continue;
      }
      const formats = [client.plugin.name];
      it(client.id, () => {
        const plan = planExport({
          ...inputFor(scenario, client.id),
          formats,
          out: OUT,
          around: dirname(OUT),
          cwd: '/project',
          ...(withServer && { withServer: { definition: withServer, source: { scope: 'command-line' } } }),
          files: filesOf(),
        });
        const files = plan.changes.map((c) => {
          const text = Buffer.from(c.after ?? []).toString();
          const path = c.path.slice(OUT.length + 1);
          // The script is the same in all shims, and its hash is no part of what is compiled.
          if (c.mode === 0o777) return [path, 'templates/shim.sh\n'] as const;
          return [
            path,
            path === 'mcphooks.json' ? text.replace(/"[0-9a-f]{64}"/g, '"sha256"') : text,
          ] as const;
        });
        // What it does not know as its own, the next export would refuse.
        expect(files.filter(([path]) => !isExportPath(path))).toEqual([]);
        const folder = join(root, 'snapshots', client.id, `export-${name}`);
        if (process.env.UPDATE_SNAPSHOTS === '1') {
          rmSync(folder, { recursive: true, force: true });
          for (const [path, text] of files) {
            mkdirSync(dirname(join(folder, path)), { recursive: true });
            writeFileSync(join(folder, path), text);
          }
        }
        const golden = Object.entries(tree(folder)).map(([path, { text }]) => [path, text]);
        expect(Object.fromEntries(files), RENEW).toEqual(Object.fromEntries(golden));
      });
    }
  });
}

describe('the script', () => {
  const template = readFileSync(join(root, 'templates/shim.sh'), 'utf8');
  const data = { native: 'Stop', payload: { session: 'session_id' } };
  const scripts = {
    own: shimScript({
      template,
      shim: '/data/shim',
      node: '/usr/bin/node',
      runtime: '/data/runtime/fire.cjs',
      seconds: 9,
      data,
    }),
    shared: portableScript({ template, slug: 'notebook', up: 2, seconds: 9, data }),
  };

  it('leaves nothing to be filled in, and differs in places alone', () => {
    for (const script of Object.values(scripts)) expect(script).not.toMatch(/@[A-Z]+@/);
    const [own, shared] = Object.values(scripts).map((s) => s.split('\n'));
    const different = own?.filter((line, i) => line !== shared?.[i]);
    expect(different).toHaveLength(6);
    expect(scripts.shared).not.toMatch(/\/(usr|data)\//);
  });

  it('of a user looks for what switches it off two folders above its client', () => {
    expect(scripts.own).toContain('  own=${shim%/*/*/*}\n  [ ! -e "$own/disabled" ] || return\n');
  });
});
