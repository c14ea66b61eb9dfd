import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { entryIn, toDefinition } from '../../src/servers/definitions/definition.ts';
import { COMMAND_LINE_DIALECT } from '../../src/servers/definitions/resolve.ts';
import { launch } from '../../src/servers/launch/launch.ts';
import type { Definition, DefinitionSource } from '../../src/servers/types.ts';
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
    const started = launch({ definition, source: { scope }, dialect }, homeEnv(folder), folder);
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

  it('is used from the file of the user, and not from that of a project, where nobody approved the variables', () => {
    const config = { s: { command: 'x', [key]: '.env' }, plain: { command: 'x' } };
    const found = (scope: DefinitionSource['scope'], name = 's') =>
      entryIn(config, { scope, pointer: [name] }, dialect);
    expect(found('user')).toMatchObject({ command: 'x', envFile: '.env' });
    expect(found('project')).toBe('unusable');
    expect(found('project', 'plain')).toMatchObject({ command: 'x' });
  });

  it('reads none for a definition of the command line, as a lock file may hold one', () => {
    const given: Definition = { transport: 'stdio', command: 'x', args: [], env: {}, envFile: '.env' };
    const source = { scope: 'command-line' } as const;
    const started = launch(
      { definition: given, source, dialect: COMMAND_LINE_DIALECT },
      homeEnv(folder),
      folder,
    );
    expect(started).not.toHaveProperty('env.TOKEN');
  });

  it('reads none for a definition of a project, whose approval covers no such file', () => {
    expect(variables('project', '.env')).not.toHaveProperty('TOKEN');
  });
});
