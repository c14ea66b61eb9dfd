import { nodeLine } from '../dialects/node-line.ts';
import type { FileRules, HookConfig, HookFile } from '../hook-config.ts';

/** Copilot CLI drops a whole hook file for these, with a line in its log (1.0.83 to 1.0.102). */
const ACCEPTS: FileRules = {
  bom: false,
  emptyFile: false,
  refuses: (value) => {
    const { version = 1, hooks } = (value ?? {}) as { version?: unknown; hooks?: object | null };
    if (version !== 1)
      return {
        code: 'copilot.version',
        text: 'Copilot CLI reads hook files of version 1 only',
        at: ['version'],
      };
    const wrong = Object.entries(hooks ?? {}).find(([, list]) => !Array.isArray(list))?.[0];
    return wrong === undefined
      ? undefined
      : {
          code: 'copilot.event',
          text: 'Copilot CLI ignores a hook file in which an event is not a list',
          at: ['hooks', wrong],
        };
  },
};

/** How hooks stand in a file. */
const FORM = { format: 'json', layout: 'flat' } as const;

/** A file of our own, which the client reads beside all others in the folder and never writes. */
const OWN: Omit<HookFile, 'path'> = {
  ...FORM,
  accepts: ACCEPTS,
  oursAlone: true,
  frame: { version: 1 },
};

/**
 * JavaScript for Windows that starts the script of a project with the project's runtime, in the folder that `inProject`
 * looks in; a script that serves all servers has a runtime of its own.
 */
const fromProject = (path: string): string => {
  const runtime = path.includes('/joint/') ? 'joint' : 'fire';
  return [
    'try{const{join:j}=require(`path`),d=process.env.COPILOT_PROJECT_DIR||process.cwd(),',
    `r=j(d,\`.mcphooks\`,\`runtime\`,\`${runtime}.cjs\`);`,
    'process.argv=[process.argv[0],r,j(d,process.argv[1])];require(r)}catch{}',
  ].join('');
};

export const hooks: HookConfig = {
  user: [{ ...OWN, path: 'hooks/mcphooks.json' }],
  project: [{ ...OWN, path: '.github/hooks/mcphooks.json' }],
  local: [],
  timeout: { key: 'timeoutSec', unit: 's' },
  posix: 'read',
  windows: { form: 'powershell', project: 'fires' },
  // Up to 1.0.87 a hook runs in the folder of the session, later in the git top level. VS Code sets no variable and runs
  // it at the top. On Windows both take `powershell` before `command`.
  inProject: (path) => ({
    command: `sh "\${COPILOT_PROJECT_DIR:-.}"/${path} 2>/dev/null || exit 0`,
    powershell: nodeLine(fromProject(path), path),
  }),
  forbiddenInCommand: [],
  // Seen on 1.0.83 to 1.0.102.
  inTurn: true,
  order: [
    { ...FORM, scope: 'user', path: 'hooks/**/*.json' },
    { ...FORM, format: 'jsonc,', scope: 'user', path: 'settings.json' },
    { ...FORM, scope: 'project', path: '.github/hooks/*.json' },
    { format: 'json', scope: 'project', path: '.claude/settings.json' },
    { format: 'json', scope: 'project', path: '.claude/settings.local.json' },
    { ...FORM, scope: 'project', path: '.github/copilot/settings.json' },
    { ...FORM, scope: 'project', path: '.github/copilot/settings.local.json' },
  ],
};
