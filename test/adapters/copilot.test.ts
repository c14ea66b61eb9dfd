import { expect, it } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import { distrust } from '../../src/inspect/trust.ts';
import { filesOf } from '../files.ts';

const HOME = '/home/user';

it('runs a project’s hooks in trusted folders, and in all where a variable says so', () => {
  const asked = (env: Record<string, string>, trustedFolders: string[] = []) => {
    const files = filesOf({ [`${HOME}/.copilot/config.json`]: JSON.stringify({ trustedFolders }) });
    const view = { ...files, env: { HOME, ...env }, cwd: '/code/shop' };
    return distrust(clientById('copilot'), '/code/shop', view);
  };
  expect(asked({})).toMatchObject({ code: 'doctor.folder-untrusted', args: { only: 1 } });
  expect(asked({ COPILOT_ALLOW_ALL: 'false' })).toMatchObject({ code: 'doctor.folder-untrusted' });
  expect(asked({ COPILOT_ALLOW_ALL: 'true' })).toBeUndefined();
  expect(asked({ GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: 'true' })).toBeUndefined();
  expect(asked({}, ['/code'])).toBeUndefined();
  expect(asked({}, ['/code/sho'])).toMatchObject({ code: 'doctor.folder-untrusted' });
});
