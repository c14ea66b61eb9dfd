import type { FileRules, HookConfig } from '../hook-config.ts';

// A byte order mark or an empty file keeps Gemini CLI from starting.
const ACCEPTS: FileRules = { bom: false, emptyFile: false };

export const hooks: HookConfig = {
  user: [{ path: 'settings.json', format: 'jsonc', accepts: ACCEPTS }],
  project: [{ path: '.gemini/settings.json', format: 'jsonc', accepts: ACCEPTS }],
  local: [],
  timeout: { key: 'timeout', unit: 'ms' },
  // Two hooks of one name and command run once; the name is also what `/hooks disable` takes.
  fields: (name) => ({ name: `mcphooks:${name}` }),
  posix: 'read',
  windows: { form: 'powershell' },
  // Hooks run in the folder where Gemini CLI was started, and it reads a project's settings in no other.
  inProject: (path) => ({ command: `sh ./${path} 2>/dev/null || exit 0` }),
  // `$NAME` is replaced in every string of settings.json, within quotes too.
  forbiddenInCommand: ['$'],
};
