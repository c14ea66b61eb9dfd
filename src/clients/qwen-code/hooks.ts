import type { FileRules, HookConfig } from '../hook-config.ts';
import { refusal } from './refusal.ts';

// A file that isn't whole JSON keeps Qwen Code from starting; comments and a byte order mark are accepted.
const ACCEPTS: FileRules = { bom: true, emptyFile: false, refuses: refusal };

export const hooks: HookConfig = {
  user: [{ path: 'settings.json', format: 'jsonc', accepts: ACCEPTS }],
  project: [{ path: '.qwen/settings.json', format: 'jsonc', accepts: ACCEPTS }],
  local: [],
  // 0.21.10 reads milliseconds; 0.23.4 and later read seconds, but from 1000 on milliseconds.
  timeout: { key: 'timeout', unit: 'ms' },
  // Of two hooks with equal name and command only one runs.
  fields: (name) => ({ name: `mcphooks:${name}` }),
  // The other forms have a `$` in the command.
  posix: 'run',
  // It runs hooks with Git Bash where it was started from there, else with %ComSpec% (read in 0.24.4).
  windows: { form: 'cmd', project: 'git-bash' },
  // Hooks run in the folder where Qwen Code was started, the only folder whose project settings it reads.
  inProject: (path) => ({ command: `sh ./${path} 2>/dev/null || exit 0` }),
  // Qwen Code replaces `$NAME` in every string of settings.json, even within quotes.
  forbiddenInCommand: ['$'],
};
