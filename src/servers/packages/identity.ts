import { realpathSync } from 'node:fs';
import { basename, isAbsolute, posix } from 'node:path';
import { isObject } from '../../base/json-value.ts';
import type { Env } from '../../base/paths.ts';
import { programOnPath } from '../../base/program.ts';
import { jsonIn } from '../../base/read-file.ts';
import { maskText } from '../masking/secrets.ts';
import type { Definition, Ecosystem } from '../types.ts';
import { hasReference } from '../url.ts';
import { runnerCommand, wordsIn } from './package-runner.ts';
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

/** Options with which a runner still runs the package itself. */
const PLAIN: Record<Ecosystem, readonly string[]> = {
  npm: wordsIn(`-p --package -y --yes -q --quiet -s --silent --no --no-install --prefer-offline --prefer-online --offline
    --ignore-existing --bun --verbose -f --force --no-audit --no-fund --no-progress --no-update-notifier
    --ignore-scripts --no-package-lock --loglevel --reporter --tag --allow-build --omit --include`),
  pypi: wordsIn(`--from --spec -q --quiet -v --verbose --isolated -n --no-cache --refresh --offline --no-config --native-tls
    --system-certs -U --upgrade --reinstall --no-progress --managed-python --no-managed-python --no-python-downloads
    --no-env-file --lfs --pre --prerelease --compile-bytecode --no-build --resolution --exclude-newer --link-mode
    --color --python-preference --fetch-missing-python`),
  oci: [],
};
/** Of these, options with a value and the runners that know them: another one would start the value. */
const KNOWN_BY: Readonly<Record<string, RegExp>> = {
  '--loglevel': /^p?np/,
  '--reporter': /^pnp/,
  '--allow-build': /^pnp/,
  '--tag': /^np/,
  '--omit': /^np/,
  '--include': /^np/,
  '--cache': /^np/,
};
/** Of all options of an image, the one that runs another program. */
const REPLACES_PROGRAM = '--entrypoint';

/** An absolute path. A relative one leads elsewhere in each folder in which a session starts. */
const ABSOLUTE = /^(?:[\\/]|[a-z]:[\\/])/i;
/** A version of Python, or an absolute path of a program. */
const PYTHON = /^(?:(?:[a-z]+[@-]?)?(?:[<>=~!]=?)?\d+(?:\.\d+)*t?$|[\\/]|[a-z]:[\\/])/i;
/** Options and variables with values that leave the code as it is. */
const PLAIN_VALUES: Readonly<Record<Ecosystem | 'variables', Readonly<Record<string, RegExp>>>> = {
  npm: { '--cache': ABSOLUTE },
  pypi: { '--cache-dir': ABSOLUTE, '--python': PYTHON, '-p': PYTHON },
  oci: {},
  variables: { npm_config_cache: ABSOLUTE, uv_cache_dir: ABSOLUTE, uv_python: PYTHON },
};
/** Variables with a folder, or with a certificate: with a proxy, a stranger's makes another registry. */
const WITH_PATH =
  /_ca_(?:certs|bundle)$|^ssl_cert_|^(?:node_compile_cache|bun_install|virtual_env|conda_prefix|(?:pyenv|nodenv)_root|asdf_(?:data_)?dir|volta_home|fnm_dir)$/;
/** Variables with which a version manager takes a version that is installed. */
const WITH_VERSION = /^(?:pyenv|nodenv|asdf_\w+)_version$/;

/** Variables that decide which code a program runs, whatever its command says: home folders hold settings of runners. */
const CODE_VARIABLES =
  /^(?:LD_.*|DYLD_.*|OPENSSL_CONF|NODE_(?:PATH|COMPILE_CACHE)|BUN_(?:OPTIONS|INSTALL.*)|VIRTUAL_ENV|PYTHON(?:PATH|HOME|STARTUP|USERBASE|EXECUTABLE|INSPECT|BREAKPOINT)|BASH_ENV|COMSPEC|PATHEXT|HOME|USERPROFILE|(?:LOCAL)?APPDATA|XDG_(?:CONFIG|DATA|CACHE)_(?:HOME|DIRS)|(?:(?:npm|pnpm|bun)_config|yarn|corepack|uv|pip|pipx|containers|conda|pyenv|nodenv|asdf|mise|volta|fnm)_.*)$/i;
/** What leads to no folder of a session's: an absolute path, a drive, or a variable with a path of the user's. */
const SAFE_FOLDER = /^(?:[\\/]|[a-z](?:$|:[\\/])|(?:[$%]\{?|\$?\{env:)(?:PATH|HOME|USERPROFILE)\b)/i;
/** Of these, settings that leave the code as it is. */
const HARMLESS_VARIABLES =
  /^(?:(?:npm|pnpm)_config_(?:yes|loglevel|progress|fund|audit|update_notifier|prefer_o(?:ff|n)line|offline|fetch_.*)|uv_(?:python_preference|no_progress|link_mode|offline|native_tls|http_timeout))$/i;
/** Options of node after which the next word is still the file that runs. */
const HARMLESS_NODE_OPTION =
  /^--(?:no-warnings|no-deprecation|enable-source-maps|trace-warnings|use-system-ca|disable-warning=\w+|max-old-space-size=\d+)$/;

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
  const harmless = Object.entries(variables).every(([name, value]) => isHarmless(name, value, hostEnv));
  if (!plain || !isBareOrAbsolute(program) || !harmless) return NOTHING;
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

/** True when a variable can't change which code runs: it is a known one, or keeps the value that it has anyway. */
function isHarmless(name: string, value: string, hostEnv: Env = {}): boolean {
  if (value === hostEnv[name] || value === `\${${name}}`) return true;
  const known = name.toLowerCase();
  if (Object.hasOwn(PLAIN_VALUES.variables, known))
    return PLAIN_VALUES.variables[known]?.test(value) === true;
  if (WITH_PATH.test(known)) return value.length > 1 && SAFE_FOLDER.test(value);
  if (WITH_VERSION.test(known)) return /^[\d.]+$/.test(value);
  if (known === 'path') return value.split(/(?<!\{env)[:;]/).every((part) => SAFE_FOLDER.test(part));
  if (/^NODE_OPTIONS$/i.test(name)) return wordsIn(value).every((word) => HARMLESS_NODE_OPTION.test(word));
  return !CODE_VARIABLES.test(name) || HARMLESS_VARIABLES.test(name);
}

function ofRunner(words: readonly string[], env: Readonly<Record<string, string>>): Identity {
  const command = runnerCommand(words, env);
  if (command?.run.name === undefined || command.specs.length > 1) return NOTHING;
  const { run, options, specs, rest, ended } = command;
  const { ecosystem } = run;
  const plain =
    ecosystem === 'oci'
      ? !options.some(([option]) => option === REPLACES_PROGRAM)
      : options.every(
          ([option, value = '']) =>
            KNOWN_BY[option]?.test(run.runner) !== false &&
            (PLAIN[ecosystem].includes(option) || PLAIN_VALUES[ecosystem][option]?.test(value)),
        );
  // npm takes its own options behind the package, too, up to `--`.
  const behind = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : rest.length);
  const more = run.runner === 'npm exec' && !ended && behind.some((word) => word.startsWith('-'));
  const name = packageName(run.name ?? '', ecosystem);
  if (!plain || more || name === undefined) return NOTHING;
  if (ecosystem === 'npm' && RUN_OTHERS.test(name)) return NOTHING;
  const [program, ...given] = specs.length > 0 ? rest : [undefined, ...rest];
  if (specs.length > 0 && program === undefined) return NOTHING;
  if (name === 'mcp-remote' && ecosystem === 'npm' && (program ?? name) === name)
    return ofUrl(given[0] ?? '');
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
  if (file === undefined || !args.slice(0, at).every((word) => HARMLESS_NODE_OPTION.test(word)))
    return NOTHING;
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

/** Returns the package.json of a folder; undefined when there is none that can be read. */
export function manifestOf(folder: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonIn(`${folder}/package.json`);
  return isObject(value) ? value : undefined;
}
