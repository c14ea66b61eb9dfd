import { LOCK } from '../../base/paths.ts';
import type { HookConfig, HookFile } from '../hook-config.ts';
import { WITH_CONTEXT } from './review.ts';

// Hooks in both files draw a warning, so the one that holds hooks already is used.
const FILES: readonly HookFile[] = [
  { path: 'config.toml', format: 'toml', accepts: { bom: true, emptyFile: true } },
  {
    path: 'hooks.json',
    format: 'json',
    // Any other key, `$schema` too, makes Codex drop the whole file.
    accepts: { bom: false, emptyFile: false, topLevelKeys: ['description', 'hooks'] },
  },
];

export const hooks: HookConfig = {
  user: FILES,
  project: FILES.map((file) => ({ ...file, path: `.codex/${file.path}` })),
  local: [],
  timeout: { key: 'timeout', unit: 's' },
  // Without it text is cut at about 2,500 tokens, counted by bytes.
  fields: (_name, native) => (WITH_CONTEXT.includes(native) ? { additionalContextLimit: 0 } : {}),
  posix: 'run',
  windows: { form: 'cmd' },
  // Hooks run where the session was started, which may be a subfolder, and no variable names the project. Its top level
  // is, as for Codex, the nearest folder with a `.git`, which no repository can bring along, else the very folder; but
  // none in which everybody can make one (sticky). No script is run but the one there, beside the lock file.
  inProject: (path) => ({
    command: `sh -c 'cd -P . && d=$PWD; until [ -e "$d/.git" ] || [ ! "$d" ]; do d=\${d%/*}; done; [ -e "$d/.git" ] && [ ! -k "$d" ] || d=$PWD; [ -f "$d/${LOCK}" ] && exec sh "$d/$0"' ${path} 2>/dev/null || exit 0`,
  }),
  inProjectBefore: [
    // 0.1.0: the nearest script, and one above the project.
    (path) => ({
      command: `sh -c 'd=$PWD; until [ -e "$d/$0" ] || [ ! "$d" ]; do d=\${d%/*}; done; exec sh "$d/$0"' ${path} 2>/dev/null || exit 0`,
    }),
  ],
  forbiddenInCommand: [],
  // A hook is trusted by its position; taking one away would switch off the user's own that follow.
  tombstones: true,
};
