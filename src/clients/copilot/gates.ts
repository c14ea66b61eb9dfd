import type { Gates, OffSwitch, SettingsFile } from '../gates.ts';

/**
 * In a project's settings this switch stops the user's hooks, too. In the user's settings it stops only hooks in that
 * file, in a hook file only that file's (1.0.83 to 1.0.102).
 */
const off = (file: SettingsFile): OffSwitch => ({ at: ['disableAllHooks'], off: true, files: [file] });

export const gates: Gates = {
  switches: [
    ...[
      '.github/copilot/settings.local.json',
      '.github/copilot/settings.json',
      '.claude/settings.local.json',
      '.claude/settings.json',
    ].map((path) => off({ in: 'session', path })),
    off({ in: 'client', path: 'hooks/mcphooks.json' }),
  ],
  folderTrust: {
    only: 'project',
    file: { in: 'client', path: 'config.json' },
    at: ['trustedFolders'],
    // Observed on 1.0.102; for its servers (mcp.ts) on 1.0.83, too.
    inWorktrees: true,
    // The second one counts in prompt mode alone (`copilot -p`), as in CI, where no person can trust a folder.
    env: ['COPILOT_ALLOW_ALL', 'GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS'],
  },
};
