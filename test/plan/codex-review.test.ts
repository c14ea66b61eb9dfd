import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hooks } from '../../src/clients/codex/hooks.ts';
import { reviewHash, reviewKey } from '../../src/clients/codex/review.ts';
import type { HookGroup } from '../../src/clients/hook-config.ts';

interface Observed {
  key: string;
  event: string;
  group: HookGroup;
  hash: string;
}

/** What `hooks/list` of the real Codex 0.169.0 said of these handlers, in hooks.json and config.toml alike. */
const observed = JSON.parse(
  readFileSync(new URL('../fixtures/codex/reviews.json', import.meta.url), 'utf8'),
) as Observed[];

it.each(observed)('gives $key the hash that Codex gives it', ({ key, event, group, hash }) => {
  expect(reviewHash(event, group, 0)).toBe(hash);
  expect(reviewKey('/file', event, Number(key.split(':')[1]), 0)).toBe(`/file:${key}`);
});

/** What `hooks/list` of codex.exe 0.169.0 said of entries that have a line for Windows, under Wine. */
it.each([
  ['SessionStart', 15, '332ce943cffa7f07df19e2a6079e699bf51a064c4ff0590af54a8b7aa6d08702'],
  ['UserPromptSubmit', 10, '297d65bb5860682aae1930c7d6723f5f5bd600a8c55115696eb1fe966612e7e3'],
] as const)('reviews the line for Windows there: %s', (event, timeout, hash) => {
  const { command, commandWindows } = hooks.inProject(`.mcphooks/hooks/demo/34f56a83790503c7/codex/${event}`);
  const handler = { type: 'command', command, commandWindows, timeout, additionalContextLimit: 0 };
  expect(reviewHash(event, { hooks: [handler] }, 0, true)).toBe(`sha256:${hash}`);
  expect(reviewHash(event, { hooks: [handler] }, 0)).not.toBe(`sha256:${hash}`);
});
