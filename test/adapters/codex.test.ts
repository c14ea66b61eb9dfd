import { expect, it } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import { distrust, folderDistrust } from '../../src/inspect/trust.ts';
import { filesOf } from '../files.ts';

const HOME = '/home/user';
const codex = clientById('codex');

it('runs a project’s hooks where that very project is trusted, and the user’s own anywhere', () => {
  const file = `${HOME}/.codex/config.toml`;
  const view = (toml: string) => ({ ...filesOf({ [file]: toml }), env: { HOME }, cwd: '/code/shop' });
  const trust = (folder: string) => view(`[projects."${folder}"]\ntrust_level = "trusted"\n`);
  expect(distrust(codex, '/code/shop', trust('/code/shop'))).toBeUndefined();
  const untrusted = { code: 'doctor.project-untrusted', args: { folder: '/code/shop' }, where: { file } };
  expect(distrust(codex, '/code/shop', trust('/code'))).toMatchObject(untrusted);
  expect(distrust(codex, '/code/shop', view(''))).toMatchObject(untrusted);
  expect(folderDistrust(codex, '/code/shop', view(''))).toBeUndefined();
});
