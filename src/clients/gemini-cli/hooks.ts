import type { FileRules, HookConfig } from '../hook-config.ts';

// A byte order mark or an empty file keeps Gemini CLI from starting.
const ACCEPTS: FileRules = { bom: false, emptyFile: false };

export const hooks: HookConfig = {
  user: [{ path: 'settings.json', format: 'jsonc', accepts: ACCEPTS }],
  project: [{ path: '.gemini/settings.json', format: 'jsonc', accepts: ACCEPTS }],
  local: [],
  timeout: { key: 'timeout', unit: 'ms' },
  // Of two hooks with equal name and command only one runs; `/hooks disable` takes this name too.
  fields: (name) => ({ name: `mcphooks:${name}` }),
  posix: 'read',
  windows: { form: 'powershell', project: 'never' },
  // Hooks run in the folder where Gemini CLI was started, the only folder whose project settings it reads.
  inProject: (path) => ({ command: `sh ./${path} 2>/dev/null || exit 0` }),
  // The first builds ran the script itself, which a checkout without its executable bit can't.
  inProjectBefore: [(path) => ({ command: `./${path} 2>/dev/null || exit 0` })],
  // Gemini CLI replaces `$NAME` in every string of settings.json, even within quotes.
  forbiddenInCommand: ['$'],
};
