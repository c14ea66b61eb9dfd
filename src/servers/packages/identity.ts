import { realpathSync } from 'node:fs';
import { basename, isAbsolute, posix } from 'node:path';
import { isObject } from '../../base/json-value.ts';
import type { Env } from '../../base/paths.ts';
import { programOnPath } from '../../base/program.ts';
import { jsonIn, untilChanged } from '../../base/read-file.ts';
import { maskText } from '../masking/secrets.ts';
import type { Definition, Ecosystem } from '../types.ts';
import { hasReference } from '../url.ts';
import { isHarmlessNodeOption, isHarmlessOption, isHarmlessVariable } from './harmless.ts';
import { packageProgram, runnerCommand } from './package-runner.ts';
import { isBareOrAbsolute, programName, unwrap } from './unwrap.ts';

/** What a definition starts or reaches, whatever name the user gave it. */
export interface Identity {
  /** `npm:@scope/name`, `pypi:name`, `oci:image`, `mcp:<mcpName>`, `url:https://...`; empty when it can't be told. */
  names: string[];
  /** Program of the package, where the command names one beside the package. */
  program?: string;
  /** Absolute folder of the installed package. */
  folder?: string;
}

const NOTHING: Identity = { names: [] };

/** Packages that only run other code: what they run is the server. */
const RUN_OTHERS = /^(?:npm|npx|pnpm|yarn|corepack|node|bun|deno|tsx|ts-node|nodemon|cross-env)$/i;

/**
 * Returns the identity of what a definition starts or reaches. Reads the package.json of a package in `node_modules`,
 * and starts nothing. Where any word, option or variable might lead elsewhere, there is none. `hostEnv`: on its PATH
 * a program of an installed package is looked up; absent: none is.
 */
export function identityOf(definition: Definition, hostEnv?: Env): Identity {
  if (definition.transport !== 'stdio') return ofUrl(definition.url);
  // The file may set any variable.
  if (definition.envFile !== undefined) return NOTHING;
  const { words, env, plain } = unwrap([definition.command, ...definition.args]);
  const [program = '', ...args] = words;
  const variables = { ...definition.env, ...env };
  const areHarmless = Object.entries(variables).every(([name, value]) =>
    isHarmlessVariable(name, value, hostEnv),
  );
  if (!plain || !isBareOrAbsolute(program) || !areHarmless) return NOTHING;
  if (programName(program) === 'node') return ofFile(args);
  const isElsewhere = Object.keys(variables).some((name) => /^PATH$/i.test(name));
  if (hostEnv && !isElsewhere && !runnerCommand(words, variables)) return ofProgram(program, hostEnv);
  return ofRunner(words, variables);
}

/** Returns an identity's names for people: a URL, which may hold a key, with its secrets masked. */
export const shownIdentity = ({ names }: Identity): string[] =>
  names.map((name) => (name.startsWith('url:') ? maskText(name) : name));

/** Returns the identity of the installed package to which a program is a link: a bare name on PATH or an absolute path. */
function ofProgram(program: string, env: Env): Identity {
  const named = /^[\w.-]+$/.test(program) ? programOnPath(program, env) : undefined;
  const file = isAbsolute(program) ? program : named;
  try {
    const found = file === undefined ? NOTHING : ofFile([realpathSync(file)]);
    return found.folder === undefined ? NOTHING : { ...found, program: basename(program) };
  } catch {
    return NOTHING;
  }
}

/** Returns the identity for a URL, without anything that only looks like one. */
function ofUrl(url: string): Identity {
  if (/[\\\s]/.test(url) || hasReference(url) || !URL.canParse(url)) return NOTHING;
  const { protocol, username, password, href } = new URL(url);
  const isPlain = /^https?:$/.test(protocol) && username === '' && password === '';
  return isPlain ? { names: [`url:${href}`] } : NOTHING;
}

/** Returns the identity of the package that a package runner runs. */
function ofRunner(words: readonly string[], env: Readonly<Record<string, string>>): Identity {
  const command = runnerCommand(words, env);
  const started = command && packageProgram(command);
  if (command?.run.name === undefined || !started) return NOTHING;
  const { run, options, rest, ended } = command;
  const { ecosystem, runner } = run;
  const areHarmless = options.every(([option, value]) => isHarmlessOption(option, value, ecosystem, runner));
  // npm takes its own options behind the package, too, up to `--`.
  const behind = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : rest.length);
  const hasMore = runner === 'npm exec' && !ended && behind.some((word) => word.startsWith('-'));
  const name = packageName(run.name ?? '', ecosystem);
  if (!areHarmless || hasMore || name === undefined) return NOTHING;
  if (ecosystem === 'npm' && RUN_OTHERS.test(name)) return NOTHING;
  const { program, args } = started;
  if (name === 'mcp-remote' && ecosystem === 'npm' && (program ?? name) === name) return ofUrl(args[0] ?? '');
  return { names: [`${ecosystem}:${name}`], ...(program !== undefined && { program }) };
}

/** Returns a package's name as its registry spells it; undefined for what runners take for a file. */
export function packageName(name: string, ecosystem: Ecosystem): string | undefined {
  if (ecosystem === 'npm') return name;
  if (ecosystem === 'oci')
    return name.replace(/^(?:index\.|registry-1\.)?docker\.io\//, '').replace(/^library\/(?=[^/]+$)/, '');
  return /\.pyz?$/i.test(name) ? undefined : name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** Captures the package's name, and the path of a file in it. */
const PACKAGE_FILE = /^((?:@[\w.~-]+\/)?[a-z0-9_~-][\w.~-]*)\/(.+)$/is;

/** Returns the identity of the package that holds the file which node runs. */
function ofFile(args: readonly string[]): Identity {
  const at = args.findIndex((word) => !word.startsWith('-'));
  const file = args[at];
  if (file === undefined || !args.slice(0, at).every(isHarmlessNodeOption)) return NOTHING;
  const path = posix.normalize(file.replaceAll('\\', '/'));
  const inside = `/${path}`.lastIndexOf('/node_modules/') + '/node_modules'.length;
  const [, name = '', below = ''] = PACKAGE_FILE.exec(path.slice(inside)) ?? [];
  const folder = path.slice(0, inside + name.length);
  if (!`/${path}`.includes('/node_modules/') || name === '' || below.includes('$')) return NOTHING;
  if (RUN_OTHERS.test(name)) return NOTHING;
  if (folder.includes('$') || !isAbsolute(folder)) return { names: [`npm:${name}`] };
  const manifest = manifestOf(folder);
  if (manifest && manifest.name !== name) return NOTHING;
  const mcpName = manifest?.mcpName;
  return {
    names: [`npm:${name}`, ...(typeof mcpName === 'string' ? [`mcp:${mcpName}`] : [])],
    ...(manifest && { folder }),
  };
}

/** What is read of a package.json. */
type Manifest = Partial<Record<'name' | 'version' | 'mcpName' | 'mcphooks', unknown>>;

// A clone's file may define many servers of one large package.
const readManifest = untilChanged((file: string): Manifest | undefined => {
  const value = jsonIn(file);
  if (!isObject(value)) return undefined;
  const { name, version, mcpName, mcphooks } = value;
  return { name, version, mcpName, mcphooks };
});

/** Returns the package.json of a folder; undefined when there is none that can be read. */
export const manifestOf = (folder: string): Manifest | undefined => readManifest(`${folder}/package.json`);
