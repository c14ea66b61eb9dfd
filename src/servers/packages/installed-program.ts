import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Env, homeFolder } from '../../base/paths.ts';
import { HERE } from '../../base/platform.ts';
import { jsonIn, readNames, readText } from '../../base/read-file.ts';
import type { PackageRun } from '../types.ts';
import { packageProgram, runnerCommand } from './package-runner.ts';
import { unwrap } from './unwrap.ts';

/** A program that a package runner would start, as it is started without the runner. */
interface InstalledProgram {
  command: string;
  args: string[];
  /** True for a file in the runner's cache, which may be cleared. */
  cached: boolean;
}

/**
 * Looks for the package of a package runner's command: among the packages installed for this user, then in npm's cache.
 * Returns undefined when the package isn't there in the requested version, or the runner's words leave it open.
 * @param env the server's environment
 */
export function installedProgram(
  command: string,
  args: readonly string[],
  env: Env,
): InstalledProgram | undefined {
  const { words, env: variables, plain } = unwrap([command, ...args]);
  const found = runnerCommand(words, variables);
  if (!found || !plain || Object.keys(variables).length > 0) return undefined;
  const { run } = found;
  const started = packageProgram(found);
  if (run.name === undefined || !started) return undefined;
  try {
    if (run.ecosystem === 'npm') return npmProgram(run, started.program, started.args, env);
    if (run.ecosystem === 'pypi') return uvProgram(run, started.program, started.args, env);
  } catch {}
  return undefined;
}

function npmProgram(
  { name = '', version }: PackageRun,
  program: string | undefined,
  args: string[],
  env: Env,
): InstalledProgram | undefined {
  const cache = join(npmCache(env), '_npx');
  const cached = readNames(cache)
    .map((folder) => join(cache, folder, 'node_modules'))
    .sort((a, b) => changed(b) - changed(a));
  for (const [folder, isCached] of [
    ...globalModules(env).map((one) => [one, false] as const),
    ...cached.map((one) => [one, true] as const),
  ]) {
    const own = join(folder, name);
    const file = binOf(own, name, version, program);
    if (file === undefined) continue;
    const byNode = /\.[cm]?js$/.test(file) || /^#!.*\bnode\b/.test(readText(file).slice(0, 80));
    return byNode
      ? { command: 'node', args: [file, ...args], cached: isCached }
      : { command: file, args, cached: isCached };
  }
  return undefined;
}

/** Returns the file of a package's program; undefined where the package isn't there in this version. */
function binOf(
  folder: string,
  name: string,
  version: string | undefined,
  program: string | undefined,
): string | undefined {
  const manifest = jsonIn(join(folder, 'package.json')) as { version?: unknown; bin?: unknown } | undefined;
  if (!manifest || (version !== undefined && manifest.version !== version)) return undefined;
  const plainName = name.split('/').at(-1) ?? '';
  const bins = typeof manifest.bin === 'string' ? { [plainName]: manifest.bin } : (manifest.bin ?? {});
  const files = Object.entries(bins as Record<string, string>);
  const chosen = program ?? plainName;
  // As npx chooses: the only program, else the one that is called as the package.
  const [, file] =
    files.find(([one]) => one === chosen) ?? (files.length === 1 && !program ? files[0] : undefined) ?? [];
  return file === undefined ? undefined : join(folder, file);
}

/** Folder in which npm keeps what it downloads. */
export const npmCache = (env: Env): string =>
  env.npm_config_cache ??
  (HERE.windows && env.LOCALAPPDATA ? join(env.LOCALAPPDATA, 'npm-cache') : join(homeFolder(env), '.npm'));

/** Folders of packages that `npm install -g` installs, where no configuration file of npm's says otherwise. */
function globalModules(env: Env): string[] {
  const { windows } = HERE;
  const prefixes = [
    env.npm_config_prefix,
    windows ? env.APPDATA && join(env.APPDATA, 'npm') : dirname(dirname(process.execPath)),
  ];
  return prefixes.flatMap((prefix) =>
    prefix ? join(prefix, ...(windows ? [] : ['lib']), 'node_modules') : [],
  );
}

/** A tool that `uv tool install` installed. */
function uvProgram(
  { name = '', version }: PackageRun,
  program = name,
  args: string[],
  env: Env,
): InstalledProgram | undefined {
  const { windows } = HERE;
  const path = windows ? join('Scripts', `${program}.exe`) : join('bin', program);
  const folder = uvTools(env)
    .map((tools) => join(tools, name))
    .find((one) => statSync(join(one, path), { throwIfNoEntry: false })?.isFile());
  if (folder === undefined) return undefined;
  if (version !== undefined) {
    const wanted = `${name.replaceAll('-', '_')}-${version}.dist-info`.toLowerCase();
    const lib = join(folder, windows ? 'Lib' : 'lib');
    const libraries = windows ? [lib] : readNames(lib).map((one) => join(lib, one));
    const entries = libraries.flatMap((one) => readNames(join(one, 'site-packages')));
    if (!entries.some((entry) => entry.toLowerCase() === wanted)) return undefined;
  }
  return { command: join(folder, path), args, cached: false };
}

/** Folders in which uv installs tools (astral-sh/uv, crates/uv-dirs). On Windows, earlier versions made the first. */
function uvTools({ UV_TOOL_DIR, APPDATA, XDG_DATA_HOME, ...env }: Env): string[] {
  if (UV_TOOL_DIR) return [UV_TOOL_DIR];
  if (HERE.windows) return APPDATA ? [join(APPDATA, 'uv/data/tools'), join(APPDATA, 'uv/tools')] : [];
  return [join(XDG_DATA_HOME ?? join(homeFolder(env), '.local/share'), 'uv/tools')];
}

const changed = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
