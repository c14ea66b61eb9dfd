import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
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
