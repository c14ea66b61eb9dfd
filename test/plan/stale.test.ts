import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Context, NOBODY } from '../../src/app/context.ts';
import { disk, readBytes } from '../../src/app/disk.ts';
import { applyPlan } from '../../src/app/write/apply-plan.ts';
import { underLock } from '../../src/app/write/under-lock.ts';
import { ownPaths } from '../../src/base/paths.ts';
import { userScope } from '../../src/plan/scopes/user-scope.ts';
import { thisSystem } from '../../src/shims/command.ts';
import { homeEnv } from '../platform.ts';
import { inputFor } from './golden.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'mcphooks-stale-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function contextOf(): Context {
  const env = homeEnv(home);
  const plain = (_: unknown, text: string): string => text;
  return {
    env,
    cwd: home,
    paths: ownPaths(env),
    scope: userScope(env, ownPaths(env), thisSystem()),
    now: () => '2026-01-01T00:00:00.000Z',
    out: () => {},
    reported: new Set(),
    err: () => {},
    style: plain,
    errStyle: plain,
    ...NOBODY,
  };
}

it('a file that changes between plan and write is planned again, and keeps both', async () => {
  const context = contextOf();
  const settings = join(home, '.gemini-settings.json');
  writeFileSync(settings, 'old');
  let tries = 0;
  await underLock(context, () => {
    const before = readBytes(settings);
    if (tries++ === 0) writeFileSync(settings, 'edited');
    const after = Buffer.concat([before as Uint8Array, Buffer.from('+ours')]);
    return { result: undefined, changes: [{ path: settings, before, after, mode: 0o644 }] };
  });
  expect([tries, readFileSync(settings, 'utf8')]).toEqual([2, 'edited+ours']);
});

it('one that never rests is given up untouched', async () => {
  const context = contextOf();
  const settings = join(home, 'settings.json');
  let tries = 0;
  const make = () => {
    const before = readBytes(settings);
    writeFileSync(settings, `edit ${++tries}`);
    return {
      result: undefined,
      changes: [{ path: settings, before, after: Buffer.from('ours'), mode: 0o644 }],
    };
  };
  await expect(underLock(context, make)).rejects.toMatchObject({ code: 'apply.stale' });
  expect(readFileSync(settings, 'utf8')).toBe(`edit ${tries}`);
});

it('what was edited since the plan was shown is there after it is written', async () => {
  const context = contextOf();
  const input = {
    ...inputFor(
      { declarations: [{ event: 'pre_request', context: 'A word.', priority: 'suggestion' }] },
      'gemini-cli',
    ),
    env: context.env,
    scope: context.scope,
    files: disk,
  };
  await underLock(context, () => ({
    result: undefined,
    changes: [
      {
        path: join(home, '.gemini/settings.json'),
        before: null,
        after: Buffer.from('{"a": 1}'),
        mode: 0o644,
      },
    ],
  }));
  await applyPlan(input, context);
  const settings = JSON.parse(readFileSync(join(home, '.gemini/settings.json'), 'utf8'));
  expect([settings.a, Object.keys(settings.hooks)]).toEqual([1, expect.arrayContaining(['BeforeAgent'])]);
});
