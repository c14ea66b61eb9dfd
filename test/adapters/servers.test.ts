import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { findServers } from '../../src/servers/definitions/resolve.ts';
import { homeEnv } from '../platform.ts';

type Files = (servers: object) => Readonly<Record<string, unknown>>;

/** By client, files with servers as its sessions have them, with which its versions were tested. */
const { OF } = (await import('../clients/of.mjs' as string)) as {
  OF: Readonly<Record<string, { files?: { servers?: Files; project?: Files } }>>;
};
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcphooks-')));
afterAll(() => rmSync(folder, { recursive: true }));

const SERVER = { notes: { command: 'node', args: ['notes.js'], env: {} } };

const ROWS = CLIENTS.flatMap(({ id }) =>
  (['servers', 'project'] as const).flatMap((whose) => {
    const files = OF[id]?.files?.[whose]?.(SERVER);
    return files ? [{ id, whose, files }] : [];
  }),
);

describe("a client's servers, as in its real sessions (test/clients/of)", () => {
  it('are known of every client', () => {
    const known = ROWS.map(({ id }) => id);
    expect(
      CLIENTS.map(({ id }) => id).filter((id) => !known.includes(id)),
      'their files in test/clients/of lack `files`',
    ).toEqual([]);
  });

  it.each(ROWS)('are found: $id, files.$whose', ({ id, whose, files }) => {
    const base = join(folder, id, whose);
    const [home, cwd] = [join(base, 'home'), join(base, 'project')];
    for (const at of [home, join(cwd, '.git')]) mkdirSync(at, { recursive: true });
    for (const [path, value] of Object.entries(files)) {
      mkdirSync(dirname(join(base, path)), { recursive: true });
      writeFileSync(join(base, path), typeof value === 'string' ? value : JSON.stringify(value));
    }
    const { on, untrusted, looked } = findServers({ env: homeEnv(home), cwd }).of(id);
    const found = on.map(({ alias, definition }) => ({ alias, ...definition }));
    const read = `mcp.ts: of ${Object.keys(files)}, it reads ${looked()}`;
    // Some clients read a project's file only in a trusted folder.
    const barred = untrusted('notes');
    if (whose === 'project' && barred.length > 0) expect(found).toEqual([]);
    else expect(found, read).toMatchObject([{ alias: 'notes', command: 'node', args: ['notes.js'] }]);
  });
});
