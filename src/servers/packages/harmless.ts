import type { Env } from '../../base/paths.ts';
import type { Ecosystem } from '../types.ts';
import { wordsIn } from './package-runner.ts';

/*
 * What is harmless in a server's definition: options and variables with which its command still runs the code that its
 * words name. For options this is an allowlist. Of variables, those are listed that decide which code runs
 * (`CODE_VARIABLES`), with the exceptions among them; all others are harmless.
 */

/** Options with which a runner still runs the package itself, with any value. */
const HARMLESS_OPTIONS: Record<Exclude<Ecosystem, 'oci'>, readonly string[]> = {
  npm: wordsIn(`-p --package -y --yes -q --quiet -s --silent --no --no-install --prefer-offline --prefer-online --offline
    --ignore-existing --bun --verbose -f --force --no-audit --no-fund --no-progress --no-update-notifier
    --ignore-scripts --no-package-lock --loglevel --reporter --tag --allow-build --omit --include`),
  pypi: wordsIn(`--from --spec -q --quiet -v --verbose --isolated -n --no-cache --refresh --offline --no-config --native-tls
    --system-certs -U --upgrade --reinstall --no-progress --managed-python --no-managed-python --no-python-downloads
    --no-env-file --lfs --pre --prerelease --compile-bytecode --no-build --resolution --exclude-newer --link-mode
    --color --python-preference --fetch-missing-python`),
};
/** Options with a value that only some runners know, by these runners' names: any other would run the value. */
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
/** Options that are harmless with such a value. */
const OPTION_VALUES: Record<Exclude<Ecosystem, 'oci'>, Readonly<Record<string, RegExp>>> = {
  npm: { '--cache': ABSOLUTE },
  pypi: { '--cache-dir': ABSOLUTE, '--python': PYTHON, '-p': PYTHON },
};

/** Options of node after which the next word is still the file that runs. */
const NODE_OPTION =
  /^--(?:no-warnings|no-deprecation|enable-source-maps|trace-warnings|use-system-ca|disable-warning=\w+|max-old-space-size=\d+)$/;

/** Variables that decide which code a program runs, whatever its command says: home folders hold settings of runners. */
const CODE_VARIABLES =
  /^(?:LD_.*|DYLD_.*|OPENSSL_CONF|NODE_(?:PATH|COMPILE_CACHE)|BUN_(?:OPTIONS|INSTALL.*)|VIRTUAL_ENV|PYTHON(?:PATH|HOME|STARTUP|USERBASE|EXECUTABLE|INSPECT|BREAKPOINT)|BASH_ENV|COMSPEC|PATHEXT|HOME|USERPROFILE|(?:LOCAL)?APPDATA|XDG_(?:CONFIG|DATA|CACHE)_(?:HOME|DIRS)|(?:(?:npm|pnpm|bun)_config|yarn|corepack|uv|pip|pipx|containers|conda|pyenv|nodenv|asdf|mise|volta|fnm)_.*)$/i;
/** Of `CODE_VARIABLES`, those that are harmless with any value. */
const HARMLESS_VARIABLES =
  /^(?:(?:npm|pnpm)_config_(?:yes|loglevel|progress|fund|audit|update_notifier|prefer_o(?:ff|n)line|offline|fetch_.*)|uv_(?:python_preference|no_progress|link_mode|offline|native_tls|http_timeout))$/i;
/** Variables, in small letters, that are harmless with such a value alone. */
const VARIABLE_VALUES: Readonly<Record<string, RegExp>> = {
  npm_config_cache: ABSOLUTE,
  uv_cache_dir: ABSOLUTE,
  uv_python: PYTHON,
};
/**
 * Variables, in small letters, that are harmless with a fixed path alone: of a folder, or of a certificate, with which a
 * proxy could pass for the registry.
 */
const WITH_PATH =
  /_ca_(?:certs|bundle)$|^ssl_cert_|^(?:node_compile_cache|bun_install|virtual_env|conda_prefix|(?:pyenv|nodenv)_root|asdf_(?:data_)?dir|volta_home|fnm_dir)$/;
/** Variables, in small letters, with which a version manager takes a version that is installed. */
const WITH_VERSION = /^(?:pyenv|nodenv|asdf_\w+)_version$/;
/**
 * A path that is the same in each folder in which a session starts: absolute, or below a variable with a path of the
 * user's. In a PATH that was split at colons, a drive is a letter alone.
 */
const FIXED_PATH = /^(?:[\\/]|[a-z](?:$|:[\\/])|(?:[$%]\{?|\$?\{env:)(?:PATH|HOME|USERPROFILE)\b)/i;

/** True when a runner with this option still runs the package itself. `runner`: as in `PackageRun.runner`. */
export function isHarmlessOption(
  option: string,
  value: string | undefined,
  ecosystem: Ecosystem,
  runner: string,
): boolean {
  if (ecosystem === 'oci') return option !== REPLACES_PROGRAM;
  if (KNOWN_BY[option]?.test(runner) === false) return false;
  return (
    HARMLESS_OPTIONS[ecosystem].includes(option) ||
    OPTION_VALUES[ecosystem][option]?.test(value ?? '') === true
  );
}

/** True for an option of node with which the file that the next word names still runs, and nothing else. */
export const isHarmlessNodeOption = (word: string): boolean => NODE_OPTION.test(word);

/**
 * True when a variable can't change which code runs, or keeps the value that it has anyway. `hostEnv`: the environment
 * from which a client starts the server.
 */
export function isHarmlessVariable(name: string, value: string, hostEnv: Env = {}): boolean {
  if (value === hostEnv[name] || value === `\${${name}}`) return true;
  const known = name.toLowerCase();
  if (Object.hasOwn(VARIABLE_VALUES, known)) return VARIABLE_VALUES[known]?.test(value) === true;
  if (WITH_PATH.test(known)) return value.length > 1 && FIXED_PATH.test(value);
  if (WITH_VERSION.test(known)) return /^[\d.]+$/.test(value);
  if (known === 'path') return value.split(/(?<!\{env)[:;]/).every((part) => FIXED_PATH.test(part));
  if (known === 'node_options') return wordsIn(value).every(isHarmlessNodeOption);
  return !CODE_VARIABLES.test(name) || HARMLESS_VARIABLES.test(name);
}
