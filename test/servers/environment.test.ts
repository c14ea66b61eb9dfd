import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, parse } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { environmentIn } from '../../src/servers/launch/environment.ts';
import { WINDOWS } from '../platform.ts';

const base = mkdtempSync(join(realpathSync(tmpdir()), 'mcphooks-'));
afterAll(() => rmSync(base, { recursive: true }));
const home = join(base, 'home');
const { root } = parse(base);
const clone = join(home, 'src/clone');
const inside = join(clone, 'packages/one');
mkdirSync(join(clone, '.git'), { recursive: true });
mkdirSync(inside, { recursive: true });
if (!WINDOWS) {
  symlinkSync(clone, join(base, 'link'));
  symlinkSync(root, join(clone, 'out'));
}

const own = {
  // As Windows spells them.
  [WINDOWS ? 'USERPROFILE' : 'HOME']: home,
  [WINDOWS ? 'Path' : 'PATH']: [`${clone}/bin`, '/usr/bin'].join(delimiter),
  TOOLS: '/opt/tools',
  XDG_STATE_HOME: `${home}/state`,
};
const ofFolder = {
  PWD: inside,
  OLDPWD: '/somewhere',
  INIT_CWD: '/somewhere',
  npm_config_local_prefix: '/somewhere',
  GITHUB_WORKSPACE: clone,
  VIRTUAL_ENV: `${inside}/.venv`,
  PYTHONPATH: ['/opt/python', `${clone}/python`].join(delimiter),
  // Wine has no links for Windows programs.
  ...(!WINDOWS && { LINKED: join(base, 'link'), LEADS_OUT: join(clone, 'out') }),
};

it('names nothing of the folder in which the command runs, where the server starts elsewhere', () => {
  expect(environmentIn(home, { ...own, ...ofFolder }, inside)).toEqual({ ...own, PWD: home });
});

it('names the folder in which the server starts with the command, and not the one before', () => {
  const { OLDPWD: _, ...rest } = ofFolder;
  expect(environmentIn(inside, { ...own, ...ofFolder }, inside)).toEqual({ ...own, ...rest });
});

it.each([home, base, root])('leaves what the home folder holds to a command that runs in %s', (cwd) => {
  expect(environmentIn(root, own, cwd)).toEqual({ ...own, PWD: root });
});

it('takes a home folder in git for no project', () => {
  mkdirSync(join(home, '.git'));
  const other = join(home, 'notes');
  const env = { ...own, NOTES: `${other}/all` };
  expect(environmentIn(root, env, other)).toEqual({ ...own, PWD: root });
});
