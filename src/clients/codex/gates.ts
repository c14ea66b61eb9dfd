import type { Gates } from '../gates.ts';
import { TRUSTED_PROJECT } from './mcp.ts';
import { reviewHash, reviewKey } from './review.ts';
import { REQUIREMENTS, SETTINGS } from './settings.ts';

export const gates: Gates = {
  switches: [
    // `codex_hooks` is the older name of the feature.
    ...['hooks', 'codex_hooks'].map((name) => ({
      at: ['features', name],
      off: false,
      files: SETTINGS,
    })),
    { at: ['allow_managed_hooks_only'], off: true, files: [REQUIREMENTS] },
  ],
  review: {
    screen: '/hooks',
    path: 'config.toml',
    at: ['hooks', 'state'],
    fields: { hash: 'trusted_hash', enabled: 'enabled' },
    key: reviewKey,
    hash: reviewHash,
  },
  projectTrust: TRUSTED_PROJECT,
};
