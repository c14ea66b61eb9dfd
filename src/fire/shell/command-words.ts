import type { SimpleCommand } from './shell-commands.ts';

const GRADLE =
  '-p --project-dir -b --build-file -c --settings-file -I --init-script -g --gradle-user-home -D -P';
const MAVEN = '-f --file -P -pl --projects -s --settings -t -T --threads';

/**
 * By program, or program and subcommand, the options whose value is the next word. A longer word that begins with such
 * an option (`-C/dir`) contains its value.
 */
const VALUES: Readonly<Record<string, string>> = {
  git: '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source',
  'git commit':
    '-m --message -F --file -C --reuse-message -c --reedit-message --author --date -t --template --fixup --squash --trailer --cleanup --pathspec-from-file',
  'git merge': '-m --message -F --file -s --strategy -X --strategy-option --into-name',
  'git push': '-o --push-option --repo --receive-pack --exec',
  'git stash': '-m --message --pathspec-from-file',
  'git tag': '-m --message -F --file -u --local-user --trailer --cleanup',
  gh: '-R --repo --hostname',
  npm: '-C --prefix -w --workspace --userconfig --globalconfig --registry --cache --loglevel --script-shell',
  pnpm: '-C --dir -F --filter --config-dir --store-dir --reporter --loglevel --workspace-concurrency',
  yarn: '--cwd --mutex --registry --cache-folder --modules-folder',
  bun: '--cwd -c --config --env-file -r --preload --filter',
  npx: '-p --package -c --call -w --workspace',
  docker:
    '--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey -f --file -p --project-name --profile --project-directory --env-file --ansi --parallel',
  podman:
    '--url -c --connection --identity --log-level --root --runroot --storage-driver -f --file -p --project-name',
  cargo: '-C --config -Z --color --manifest-path --target-dir -p --package -j --jobs --profile --target',
  kubectl:
    '-n --namespace -s --server --context --cluster --user --kubeconfig --token --as --as-group --request-timeout --cache-dir -v --v -l --selector -f --filename -o --output',
  helm: '-n --namespace --kube-context --kubeconfig --kube-token --registry-config --repository-config -f --values --set',
  terraform: '-chdir -var -var-file -target -state',
  make: '-C --directory -f --file --makefile -I --include-dir -o -W',
  go: '-C -asmflags -bench -benchtime -blockprofile -buildmode -compiler -count -covermode -coverpkg -coverprofile -cpu -cpuprofile -exec -f -fuzz -fuzztime -gccgoflags -gcflags -installsuffix -ldflags -list -memprofile -mod -modfile -mutexprofile -o -outputdir -overlay -p -parallel -pgo -pkgdir -run -shuffle -skip -tags -timeout -toolexec -trace -vet',
  uv: '--directory --project --config-file --cache-dir --python -p --color --with --extra --group',
  python: '-W -X',
  python3: '-W -X',
  poetry: '-C --directory -P --project',
  dotnet: '--roll-forward --additionalprobingpath',
  gradle: GRADLE,
  gradlew: GRADLE,
  mvn: MAVEN,
  mvnw: MAVEN,
  aws: '--profile --region --output --endpoint-url --query --ca-bundle --color',
  gcloud: '--account --project --configuration --format --verbosity --impersonate-service-account',
  systemctl: '-t --type -p --property -H --host -M --machine -n --lines -o --output',
  ssh: '-p -i -l -o -F -J -L -R -D -W -b -c -m -S -e -E -B -I -O -Q -w',
};

/**
 * Programs that run the command in their arguments. `values`: options whose value is the next word; `operands`: number
 * of operands before the command; `not`: options with which no command is run.
 */
const WRAPPERS: Readonly<Record<string, { values?: string; operands?: number; not?: string }>> = {
  env: { values: '-u --unset -C --chdir -S --split-string -P' },
  sudo: {
    values:
      '-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T --command-timeout -U --other-user -D --chdir -R --chroot',
    not: '-l --list -v --validate -k -K -e --edit',
  },
  doas: { values: '-u -C' },
  command: { not: '-v -V' },
  builtin: {},
  exec: { values: '-a' },
  nohup: {},
  setsid: {},
  time: { values: '-f --format -o --output' },
  timeout: { values: '-s --signal -k --kill-after', operands: 1 },
  nice: { values: '-n --adjustment' },
  ionice: { values: '-c --class -n --classdata -p --pid' },
  stdbuf: { values: '-i --input -o --output -e --error' },
  flock: { values: '-w --wait --timeout -E --conflict-exit-code', operands: 1, not: '-c --command' },
  caffeinate: { values: '-t -w' },
  xargs: {
    values:
      '-I -n --max-args -P --max-procs -L --max-lines -d --delimiter -a --arg-file -E -s --max-chars --process-slot-var',
  },
};

const among = (word: string, list = ''): boolean => list.split(' ').includes(word);

/** Returns a program's name without its folder and Windows extension. */
const programOf = (word: string): string => word.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd|bat)$/i, '');

/** Returns the command that wrapper programs (`WRAPPERS`) finally run. */
function unwrapped(command: SimpleCommand): SimpleCommand {
  const { words, piped } = command;
  let at = 0;
  let reads = piped;
  for (;;) {
    const program = programOf(words[at] ?? '');
    const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
    if (!wrapper) return at === 0 ? command : { words: words.slice(at), piped: reads };
    // xargs reads the pipe itself, so the command behind xargs doesn't.
    if (program === 'xargs') reads = false;
    let next = at + 1;
    for (; next < words.length; next++) {
      const word = words[next] ?? '';
      if (among(word, wrapper.not)) return { words: words.slice(at), piped: reads };
      // In a cluster (`sudo -nu bob`), the last letter is the option with a value.
      if (among(word.replace(/^-\w+(?=\w$)/, '-'), wrapper.values)) next++;
      else if (!/^-|^[A-Za-z_]\w*=/.test(word)) break;
    }
    at = next + (wrapper.operands ?? 0);
  }
}

const HELP = '--help -h';

const isOption = (word = ''): boolean => /^[-+]/.test(word);

/** True when an option's value is the next word. In a cluster (`-am`), the last letter is the option with a value. */
function takesNext(option: string, next: string | undefined, values: string, program: string): boolean {
  if (!isOption(option)) return false;
  const last = program === 'git' ? option.replace(/^-\w+(?=\w$)/, '-') : option;
  // Some options may have a number behind them (`make -j 4`).
  return among(last, values) || /^\d+$/.test(next ?? '');
}

/**
 * True when a command has the wanted words: its program, then the others in order, with options between them (the
 * condition `command`). A wanted option may be anywhere after the wanted word before it. A command that only prints its
 * help has none.
 */
function isCommand(words: readonly string[], wanted: readonly string[]): boolean {
  const [program = '', ...rest] = wanted;
  const first = words[0] ?? '';
  if (program !== (/[/\\]/.test(program) ? first : programOf(first))) return false;
  const name = programOf(first);
  const valuesOf = (key: string): string | undefined =>
    Object.hasOwn(VALUES, key) ? VALUES[key] : undefined;
  let values = valuesOf(name) ?? '';
  let at = 1;
  const skip = (): void => {
    const [option = '', next] = words.slice(at, at + 2);
    at += next !== undefined && takesNext(option, next, values, name) ? 2 : 1;
  };
  for (const want of rest) {
    const isFlag = isOption(want);
    while (at < words.length && words[at] !== want && (isFlag || isOption(words[at]))) {
      if (!isFlag && among(words[at] ?? '', HELP) && !among(words[at] ?? '', values)) return false;
      skip();
    }
    if (words[at] !== want) return false;
    at++;
    if (!isFlag) values = valuesOf(`${name} ${want}`) ?? values;
  }
  // Other programs may mean something else by it (`ls -h`).
  if (name === 'git' && words[at] === '-h' && at === words.length - 1) return false;
  while (isOption(words[at]) && !among(words[at] ?? '', '-- --help')) skip();
  return words[at] !== '--help';
}

/** True when one of a line's commands has the wanted words. */
export function runs(commands: readonly SimpleCommand[], wanted: readonly string[]): boolean {
  return commands.some((command) => isCommand(unwrapped(command).words, wanted));
}

/** Commands that search files. In a pipe, such a command filters another command's output instead. */
export const SEARCH_COMMANDS: readonly (readonly string[])[] = [
  ...['grep', 'egrep', 'fgrep', 'rg', 'ack'].map((program) => [program]),
  ['git', 'grep'],
];

/** True when one of a line's commands searches files. */
export function searches(commands: readonly SimpleCommand[]): boolean {
  return commands.some((command) => {
    const { words, piped } = unwrapped(command);
    const program = programOf(words[0] ?? '');
    return !piped && SEARCH_COMMANDS.some((wanted) => wanted[0] === program && isCommand(words, wanted));
  });
}
