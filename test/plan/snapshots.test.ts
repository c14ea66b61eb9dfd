import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../src/declarations/types.ts';
import { clients, compiledFiles, planFor, RENEW, type Scenario } from './golden.ts';

// Golden trees: snapshots/<client>/<scenario>/ holds what is written into a home. `UPDATE_SNAPSHOTS=1 npm test` makes
// them anew; a changed tree needs a reason in its commit.
const root = fileURLToPath(new URL('../../', import.meta.url));
const scenarios = join(root, 'test/fixtures/scenarios');
const update = process.env.UPDATE_SNAPSHOTS === '1';

function tree(folder: string): Map<string, string> {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
    return new Map(
      files
        .map((e) => join(e.parentPath, e.name))
        .map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
    );
  } catch {
    return new Map();
  }
}

it('every event has golden trees', () => {
  const { declarations } = JSON.parse(readFileSync(join(scenarios, 'all-events.json'), 'utf8')) as Scenario;
  const shown = declarations.map(({ event }) => event);
  expect(EVENTS.filter((event) => !shown.includes(event))).toEqual([]);
});

for (const file of readdirSync(scenarios)) {
  const name = file.replace(/\.json$/, '');
  const scenario = JSON.parse(readFileSync(join(scenarios, file), 'utf8')) as Scenario;
  describe(name, () => {
    for (const client of clients) {
      // Without a plugin format, `--target plugin` writes what an install without it does.
      if (scenario.options?.target === 'plugin' && !client.plugin) {
        it(`${client.id} has none`, () =>
          expect(existsSync(join(root, 'snapshots', client.id, name))).toBe(false));
        continue;
      }
      it(client.id, () => {
        const folder = join(root, 'snapshots', client.id, name);
        const files = compiledFiles(planFor(scenario, client.id));
        if (update) {
          rmSync(folder, { recursive: true, force: true });
          for (const [path, text] of files) {
            mkdirSync(dirname(join(folder, path)), { recursive: true });
            writeFileSync(join(folder, path), text);
          }
        }
        const golden = tree(folder);
        expect([...files.keys()].sort(), RENEW).toEqual([...golden.keys()].sort());
        for (const [path, text] of files) expect(text, `${path}; ${RENEW}`).toBe(golden.get(path));
      });
    }
  });
}
