import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ownPaths } from '../../src/base/paths.ts';
import { realPath } from '../../src/base/real-path.ts';
import { ownership, ownsFolder } from '../../src/plan/scopes/owned.ts';
import { userScope } from '../../src/plan/scopes/user-scope.ts';
import { thisSystem } from '../../src/shims/command.ts';
import { homeEnv } from '../platform.ts';
import { scratch } from '../store/support.ts';

const DIGEST = '0123456789abcdef';

function home() {
  const folder = scratch();
  const env = homeEnv(folder);
  const scope = userScope(env, ownPaths(env), thisSystem());
  const at = (path: string): string => (path.startsWith('/') ? path : join(folder, path));
  return {
    at,
    link: (path: string, to: string) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      symlinkSync(at(to), at(path));
    },
    write: (path: string) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), '');
    },
    file: (path: string) => ownership(path.includes('..') ? `${folder}/${path}` : at(path), scope, realPath),
    folder: (path: string) =>
      ownsFolder(path.includes('..') ? `${folder}/${path}` : at(path), scope, realPath),
  };
}

const DATA = '.local/share/mcphooks';
const STATE = '.local/state/mcphooks';
const SCRIPT = `hooks/memo/${DIGEST}/codex/Stop`;

it.each([
  `${DATA}/${SCRIPT}`,
  `${DATA}/${SCRIPT}.json`,
  `${DATA}/hooks/memo/disabled`,
  `${DATA}/hooks/memo/failed`,
  `${DATA}/runtime/${DIGEST}/fire.cjs`,
  `${DATA}/joint/copilot/userPromptSubmitted`,
  `${DATA}/joint/copilot/userPromptSubmitted.d/memo`,
  `${DATA}/hooks/memo/${DIGEST}/coder-2/after_tool.json`,
  `${DATA}/joint/coder-2/after_tool.d/memo`,
  `${DATA}/local/${DIGEST}/mcphooks/${SCRIPT}`,
  `/elsewhere/at/install/time/mcphooks/${SCRIPT}`,
  `.claude/skills/mcphooks-memo/mcphooks/${SCRIPT}`,
  `${STATE}/record.json`,
  `${STATE}/record.damaged-2026-03-04T05-06-07.089Z.json`,
])('a file of ours: %s', (path) => {
  expect(home().file(path)).toBe('own');
});

it.each([
  '.ssh/id_rsa',
  '.ssh/authorized_keys',
  '.bashrc',
  'work/src/index.ts',
  `${DATA}/hooks/memo/notes.txt`,
  `${DATA}/hooks/memo/${DIGEST}/Stop`,
  `${DATA}/hooks/memo/${DIGEST}/codex/deeper/Stop`,
  `${DATA}/hooks/../../../../.bashrc`,
  `${DATA}/hooks/memo/${DIGEST}/codex/../../../../../../.bashrc`,
  `mcphooks/../.bashrc`,
  `work/mcphooks/src/index.ts`,
  `work/mcphooks/hooks/use-thing.ts`,
  `work/mcphooks/runtime/index.ts`,
  `${DATA}/hooks/Memo/${DIGEST}/codex/Stop`,
  `${STATE}/other.json`,
  `${STATE}/sessions`,
  `elsewhere/mcphooks/record.json`,
  `${DATA}/`,
  '.claude/settings.json/x',
  'settings.jsonx',
])('no file of ours, nor of a client: %s', (path) => {
  expect(home().file(path)).toBeUndefined();
});

it.each([
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/config.toml',
  '.codex/hooks.json',
  '/moved/claude/settings.json',
])("a client's file: %s", (path) => expect(home().file(path)).toBe('client'));

it('is not what a link leads to, but for a data folder that is one', () => {
  const w = home();
  w.write(`.ssh/${DIGEST}/codex/Stop`);
  w.link(`${DATA}/hooks/memo`, '.ssh');
  w.link(`${DATA}/runtime`, '.ssh');
  w.link(`${DATA}/hooks/two/${DIGEST}/codex/Stop`, '.ssh');
  for (const path of [SCRIPT, `hooks/two/${DIGEST}/codex/Stop`, `runtime/${DIGEST}/fire.cjs`])
    expect(w.file(`${DATA}/${path}`), path).toBeUndefined();
  for (const path of ['hooks/memo', 'runtime', `hooks/memo/${DIGEST}`])
    expect(w.folder(`${DATA}/${path}`), path).toBe(false);
  w.link('moved/mcphooks', 'disk/hooks of mine');
  expect(w.file(`moved/mcphooks/${SCRIPT}`)).toBe('own');
});

it.each([
  '.local',
  '.local/share',
  DATA,
  `${DATA}/hooks`,
  `${DATA}/hooks/memo/${DIGEST}/codex`,
  `${DATA}/local/${DIGEST}`,
  `${DATA}/local/${DIGEST}/mcphooks/hooks`,
  STATE,
  `${STATE}/sessions/0123abcd`,
  `${STATE}/log.1`,
  '.claude',
  '.claude/skills/mcphooks-memo',
  '.claude/skills/mcphooks-memo/.claude-plugin',
  '.claude/skills/mcphooks-memo/hooks',
])('a folder of ours, or around ours: %s', (path) => {
  expect(home().folder(path)).toBe(true);
});

it.each([
  '.ssh',
  'work',
  'work/empty',
  `${DATA}/hooks/memo/notes`,
  `${DATA}/other`,
  `${STATE}/other`,
  '.claude/projects',
  `${DATA}/hooks/../../../empty`,
  'work/mcphooks/src',
])('no folder of ours: %s', (path) => {
  expect(home().folder(path)).toBe(false);
});
