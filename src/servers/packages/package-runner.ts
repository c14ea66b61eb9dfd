import type { Ecosystem, PackageRun } from '../types.ts';
import { packageSpec } from './package-spec.ts';
import { programName, unwrap } from './unwrap.ts';

interface Runner {
  /** As in `PackageRun.runner`. */
  name: string;
  programs: readonly string[];
  /** Words required after the program; options may be between them. */
  verbs: readonly string[];
  ecosystem: Ecosystem;
  /** Options whose value is the package; without them the package is the first word that isn't an option. */
  spec?: readonly string[];
  /** Options with a value, and `flags`: options without. After any other option the package is uncertain. */
  valued: readonly string[];
  flags: readonly string[];
  /** Options in `valued` that name another registry or index, or a file that may do so. */
  elsewhere: readonly string[];
}

/** Returns the words of a text. */
export const wordsIn = (text: string): string[] => text.split(/\s+/).filter(Boolean);

const NPM = {
  ecosystem: 'npm',
  spec: wordsIn('-p --package'),
  valued:
    wordsIn(`-p --package -c --call -w --workspace -C --dir --cwd --prefix --cache --loglevel --registry --userconfig
    --globalconfig --config --node-options --node-arg -n --script-shell --shell --allow-build --reporter --tag --omit --include`),
  flags:
    wordsIn(`-y --yes -q --quiet -s --silent --no --no-install --prefer-offline --prefer-online --offline --ignore-existing
    --always-spawn --bun --verbose -d -f --force --no-audit --no-fund --no-progress --no-update-notifier --ignore-scripts
    --workspaces --shell-mode --no-package-lock`),
  elsewhere: wordsIn(
    '--registry --userconfig --globalconfig --config --prefix -C --dir --cwd -w --workspace',
  ),
} as const;

const UV = {
  ecosystem: 'pypi',
  spec: ['--from'],
  valued:
    wordsIn(`--from --with -w --with-editable --with-requirements --python -p --index -i --default-index --index-url
    --extra-index-url --find-links -f --index-strategy --keyring-provider --upgrade-package -P --resolution --prerelease
    --exclude-newer --exclude-newer-package --config-setting -C --no-build-isolation-package --refresh-package
    --reinstall-package --link-mode --build-constraints -b --constraints -c --overrides --override --env-file --cache-dir
    --color --directory --project --config-file --python-preference --allow-insecure-host --no-binary-package
    --no-build-package --fork-strategy --python-platform --torch-backend`),
  flags:
    wordsIn(`-q --quiet -v --verbose --isolated -n --no-cache --refresh --offline --no-config --native-tls --system-certs
    -U --upgrade --reinstall --no-progress --managed-python --no-managed-python --no-python-downloads --no-env-file --lfs
    --pre --compile-bytecode --no-build --no-binary --no-sources --no-build-isolation --no-index --show-resolution`),
  elsewhere:
    wordsIn(`--index -i --default-index --index-url --extra-index-url --find-links -f --no-index --config-file
    --directory --project --env-file --with-editable --with-requirements`),
} as const;

const PIPX = {
  ecosystem: 'pypi',
  spec: ['--spec'],
  valued: wordsIn('--spec --python --pip-args --index-url -i --backend --with --path'),
  flags: wordsIn(
    '-q --quiet -v --verbose --no-cache --pypackages --fetch-missing-python --system-site-packages --global',
  ),
  elsewhere: wordsIn('--index-url -i --pip-args --path --pypackages'),
} as const;

const OCI = {
  ecosystem: 'oci',
  valued:
    wordsIn(`--add-host --annotation -a --attach --blkio-weight --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile
    --config --connection --context --cpu-period --cpu-quota -c --cpu-shares --cpus --cpuset-cpus --cpuset-mems --device
    --dns --dns-option --dns-search --domainname --entrypoint -e --env --env-file --expose --gpus --group-add -H --host -h
    --hostname --ip --ip6 --ipc --isolation -l --label --label-file --link --log-driver --log-level --log-opt --mac-address
    -m --memory --memory-reservation --memory-swap --mount --name --net --network --network-alias --pid --pids-limit
    --platform -p --publish --pull --restart --runtime --secret --security-opt --shm-size --stop-signal --stop-timeout
    --storage-opt --sysctl --systemd --tmpfs --ulimit --umask --url -u --user --userns --uts -v --volume --volumes-from -w
    --workdir --arch --os`),
  flags:
    wordsIn(`-d --detach --disable-content-trust --init -i --interactive --no-healthcheck --oom-kill-disable --privileged
    -P --publish-all -q --quiet --read-only --rm --sig-proxy -t --tty --no-hosts --replace --rmi --env-host`),
  // Another daemon has images of its own.
  elsewhere: wordsIn('--config --connection --context -H --host --url'),
} as const;

/** Package runners of MCP servers. */
const RUNNERS: readonly Runner[] = [
  { ...NPM, name: 'npx', programs: ['npx'], verbs: [] },
  { ...NPM, name: 'npm exec', programs: ['npm'], verbs: ['exec'] },
  { ...NPM, name: 'npm exec', programs: ['npm'], verbs: ['x'] },
  { ...NPM, name: 'bunx', programs: ['bunx'], verbs: [] },
  { ...NPM, name: 'bunx', programs: ['bun'], verbs: ['x'] },
  { ...NPM, name: 'pnpm dlx', programs: ['pnpm'], verbs: ['dlx'] },
  { ...NPM, name: 'pnpm dlx', programs: ['pnpx', 'pnx'], verbs: [] },
  { ...NPM, name: 'yarn dlx', programs: ['yarn', 'yarnpkg'], verbs: ['dlx'] },
  { ...UV, name: 'uvx', programs: ['uvx'], verbs: [] },
  { ...UV, name: 'uv tool run', programs: ['uv'], verbs: ['tool', 'run'] },
  { ...PIPX, name: 'pipx run', programs: ['pipx'], verbs: ['run'] },
  { ...OCI, name: 'docker run', programs: ['docker'], verbs: ['run'] },
  { ...OCI, name: 'podman run', programs: ['podman'], verbs: ['run'] },
  { ...OCI, name: 'docker run', programs: ['docker'], verbs: ['container', 'run'] },
  { ...OCI, name: 'podman run', programs: ['podman'], verbs: ['container', 'run'] },
];

/** Variables that point the runners of an ecosystem to another registry. */
const ELSEWHERE: Record<Ecosystem, RegExp> = {
  npm: /^(?:npm_config_(?:.*registry|userconfig|globalconfig)|bun_config_registry|yarn_.*registry.*|yarn_rc_filename)$/is,
  pypi: /^(?:uv_(?:.*index.*|find_links|config_file)|pip_(?:.*index_url|find_links|config_file))$/is,
  oci: /^(?:docker|container)_(?:host|context|config|connection)$/i,
};

/** A package run with the words around its package. */
interface RunnerCommand {
  run: PackageRun;
  /** The options of the runner with their values, as written: `-y`, `--package`. */
  options: readonly (readonly [name: string, value: string | undefined])[];
  /** Values of the option by which the package is named; with them, the first of `rest` is the program to run. */
  specs: readonly string[];
  /** What the program is given: the words after the package. */
  rest: readonly string[];
  /** True when `--` stands before the package. */
  ended: boolean;
}

/**
 * Returns the package run of a server's command, also behind `cmd /c` and `env`; undefined when no package runner is
 * started. `env`: variables set by the definition.
 */
export function packageRun(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): PackageRun | undefined {
  const started = unwrap([command, ...args]);
  return runnerCommand(started.words, { ...env, ...started.env })?.run;
}

/**
 * Returns the program of a package that a command starts, and what it is given; undefined for a command that names
 * several packages, or one with `--package` and no program. `program` is absent for the package's own.
 */
export function packageProgram({
  specs,
  rest,
}: RunnerCommand): { program?: string; args: string[] } | undefined {
  if (specs.length === 0) return { args: [...rest] };
  const [program, ...args] = rest;
  return specs.length > 1 || program === undefined ? undefined : { program, args };
}

/** Reads words that start a package runner; undefined for other words. `env`: variables set for them. */
export function runnerCommand(
  [program = '', ...words]: readonly string[],
  env: Readonly<Record<string, string>>,
): RunnerCommand | undefined {
  const name = programName(program);
  for (const runner of RUNNERS) {
    if (!runner.programs.includes(name)) continue;
    const found = read(runner, words);
    if (!found) continue;
    const { ecosystem } = runner;
    const elsewhere = found.elsewhere || Object.keys(env).some((one) => ELSEWHERE[ecosystem].test(one));
    const { name: packageName, ...spec } = packageSpec(found.spec, ecosystem);
    const run = {
      runner: runner.name,
      ecosystem,
      ...spec,
      ...(packageName !== undefined && !elsewhere && { name: packageName }),
    };
    const { options, specs, rest, ended } = found;
    return { run, options, specs, rest, ended };
  }
  return undefined;
}

interface Read extends Pick<RunnerCommand, 'options' | 'specs' | 'rest' | 'ended'> {
  spec?: string;
  elsewhere: boolean;
}

/** Reads the package from a runner's words; undefined when the words don't run a package. */
function read(runner: Runner, words: readonly string[]): Read | undefined {
  const verbs = [...runner.verbs];
  const options: [string, string | undefined][] = [];
  const specs: string[] = [];
  let elsewhere = false;
  let ended = false;
  let i = 0;
  for (; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--' && verbs.length === 0) {
      ended = true;
      i++;
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      const verb = verbs.shift();
      if (verb === undefined) break;
      if (verb !== word) return undefined;
      continue;
    }
    const [option = '', inline] = split(word);
    const kind = optionKind(runner, option);
    if (kind === 'unknown' || runner.elsewhere.includes(option)) elsewhere = true;
    const value = inline ?? (kind === 'valued' ? words[++i] : undefined);
    options.push([option, value]);
    if (runner.spec?.includes(option) && value !== undefined) specs.push(value);
  }
  if (verbs.length > 0) return undefined;
  const rest = words.slice(specs.length > 0 ? i : i + 1);
  const spec = specs[0] ?? words[i];
  return { ...(spec !== undefined && { spec }), elsewhere, options, specs, rest, ended };
}

/** Splits `--option=value`. */
function split(word: string): [string, string?] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function optionKind({ valued, flags }: Runner, option: string): 'valued' | 'flag' | 'unknown' {
  if (valued.includes(option)) return 'valued';
  if (flags.includes(option)) return 'flag';
  // Short options in one word: -it, -ie KEY, -eKEY, -p8080:80. After an option with a value, the rest is that value.
  if (/^-[^-]./.test(option)) {
    const letters = [...option.slice(1)].map((letter) => `-${letter}`);
    const first = letters.findIndex((letter) => !flags.includes(letter));
    if (first < 0) return 'flag';
    if (valued.includes(letters[first] ?? '')) return first === letters.length - 1 ? 'valued' : 'flag';
  }
  return 'unknown';
}

/**
 * Returns the environment for a runner. npm asks its registry only for missing packages, unless the user's settings say
 * otherwise.
 */
export function runnerEnv(
  { ecosystem }: PackageRun,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const decided = Object.keys(env).some((name) => /^npm_config_prefer_o(?:ff|n)line$/i.test(name));
  return ecosystem === 'npm' && !decided ? { ...env, npm_config_prefer_offline: 'true' } : { ...env };
}
