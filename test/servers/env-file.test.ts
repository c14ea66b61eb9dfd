import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { entryIn, toDefinition } from '../../src/servers/definition.ts';
import { launch } from '../../src/servers/launch.ts';
import type { DefinitionSource } from '../../src/servers/types.ts';
import { homeEnv } from '../platform.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcphooks env '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, '.env'), '# mine\nexport TOKEN="a b"\nMODE=file\n');

const readers = CLIENTS.flatMap(({ title, mcp: { dialect } }) =>
  dialect.keys.envFile === undefined ? [] : [{ title, dialect, key: dialect.keys.envFile }],
);

describe.each(readers)('$title', ({ dialect, key }) => {
  /** The variables that a server gets. */
  const variables = (scope: DefinitionSource['scope'], file: string, env = {}): Record<string, string> => {
    const definition = toDefinition({ command: 'x', [key]: file, env }, dialect.keys);
    if (!definition) throw new Error('no definition');
    const started = launch(definition, dialect, { scope }, homeEnv(folder), folder);
    return 'env' in started ? started.env : {};
  };

  it('reads variables from a file, under those of the entry itself', () => {
    expect(variables('user', '${workspaceFolder}/.env', { MODE: 'entry' })).toMatchObject({
      TOKEN: 'a b',
      MODE: 'entry',
    });
    expect(variables('user', '.env')).toMatchObject({ TOKEN: 'a b', MODE: 'file' });
    expect(variables('user', 'missing')).not.toHaveProperty('TOKEN');
  });

  /** What an entry with the file gives, of the user's or of the project in `folder`. */
  const found = (scope: DefinitionSource['scope'], path: string, project: string | undefined = folder) => {
    const config = { s: { command: 'x', [key]: path, env: { MODE: 'entry' } } };
    const source = { scope, file: join(folder, '.client/mcp.json'), pointer: ['s'] };
    return entryIn(config, source, dialect, project);
  };

  it('is read with an entry of a project, so that the definition holds its variables', () => {
    const whole = { transport: 'stdio', command: 'x', args: [], env: { TOKEN: 'a b', MODE: 'entry' } };
    for (const path of ['.env', './sub/../.env', '${workspaceFolder}/.env', '${workspaceFolder}${/}.env'])
      expect(found('project', path), path).toEqual(whole);
    expect(found('user', '.env')).toEqual({ ...whole, env: { MODE: 'entry' }, envFile: '.env' });
  });

  it('makes an entry of a project unusable when it is missing, elsewhere or refers to variables', () => {
    mkdirSync(join(folder, 'project/sub'), { recursive: true });
    writeFileSync(join(folder, 'project/refers'), 'MODE=${HOME}\n');
    symlinkSync(join(folder, '.env'), join(folder, 'project/link'));
    const project = join(folder, 'project');
    const elsewhere = ['../.env', join(folder, '.env'), '${userHome}/.env', '${env:HOME}/.env', 'link'];
    for (const path of ['none', 'sub', 'refers', ...elsewhere])
      expect(found('project', path, project), path).toBe('unusable');
    writeFileSync(join(project, '.env'), 'MODE=here\n');
    expect(found('project', '.env', project)).toMatchObject({ command: 'x' });
    expect(
      entryIn(
        { s: { command: 'x', [key]: '.env' } },
        { scope: 'project', pointer: ['s'] },
        dialect,
        undefined,
      ),
    ).toBe('unusable');
  });
});
