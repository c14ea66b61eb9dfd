import { LOCK } from '../../base/paths.ts';
import type { Invocation } from '../hook-config.ts';
import { nodeLine } from './node-line.ts';

/**
 * Returns a command that runs a project's script from any folder of the project, for clients that run hooks in the
 * folder where the session was started, which may be a subfolder, and set no variable with the project's folder. The
 * top level is the nearest folder with a `.git`, else the start folder. No repository can contain a `.git`; a `.git` in
 * a sticky folder is ignored, since everyone can create one there. Only the script at the top level is run, and only
 * beside a lock file.
 */
export const inTopLevel = (path: string): Invocation => ({
  command: `sh -c 'cd -P . && d=$PWD; until [ -e "$d/.git" ] || [ ! "$d" ]; do d=\${d%/*}; done; [ -e "$d/.git" ] && [ ! -k "$d" ] || d=$PWD; [ -f "$d/${LOCK}" ] && exec sh "$d/$0"' ${path} 2>/dev/null || exit 0`,
});

/**
 * JavaScript that does the same on Windows, with the project's runtime. A drive's root, where everyone can create folders,
 * is no top level.
 */
const FROM_TOP_LEVEL = [
  'try{const f=require(`fs`),{dirname:u,join:j}=require(`path`),s=process.cwd();let d=s;',
  'while(u(d)===d||!f.existsSync(j(d,`.git`))){if(u(d)===d){d=s;break}d=u(d)}',
  `const r=j(d,\`.mcphooks\`,\`runtime\`,\`fire.cjs\`);if(f.existsSync(j(d,\`${LOCK}\`))){`,
  'process.argv=[process.argv[0],r,j(d,process.argv[1])];require(r)}}catch{}',
].join('');

/** Returns the counterpart of `inTopLevel` for PowerShell. */
export const inTopLevelOnWindows = (path: string): string => nodeLine(FROM_TOP_LEVEL, path);
