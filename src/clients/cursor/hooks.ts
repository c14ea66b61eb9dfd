import type { HookConfig, HookFile } from '../hook-config.ts';
import { refuses } from './rules.ts';

const FILE: Omit<HookFile, 'path'> = {
  format: 'jsonc',
  layout: 'flat',
  // A file without `hooks` is refused, so that it stays when the user added something else.
  frame: { version: 1, hooks: {} },
  accepts: { bom: false, emptyFile: true, refuses },
};

export const hooks: HookConfig = {
  user: [{ ...FILE, path: 'hooks.json' }],
  project: [{ ...FILE, path: '.cursor/hooks.json' }],
  local: [],
  timeout: { key: 'timeout', unit: 's' },
  // Without a pipe to the hook, Cursor appends the payload to the line as a here-document.
  posix: 'braces',
  // PowerShell gets the line behind its `&`, or puts one before a line that begins with a quote (read in 1.0.32).
  windows: { form: 'cmd', project: 'never' },
  // Hooks of a project run in its folder.
  inProject: (path) => ({ command: `{ sh ./${path} 2>/dev/null || exit 0; }` }),
  // Cursor takes comments out of the text before it parses the text, also within strings.
  forbiddenInCommand: ['//', '/*'],
};
