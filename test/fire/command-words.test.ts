import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, searches } from '../../src/fire/shell/command-words.ts';
import { simpleCommands } from '../../src/fire/shell/shell-commands.ts';
import { anyCharacter } from '../any-character.ts';
import { ALL, cpuTime, LONG, often } from '../effort.ts';

const COMMIT = ['git', 'commit'];
const does = (line: string, wanted: string[] = COMMIT): boolean => runs(simpleCommands(line), wanted);

describe('git commit', () => {
  it.each([
    'git commit',
    'git   commit -m x',
    'git commit --dry-run',
    'git commit -m "git push"',
    'git -C x commit',
    'git -C "my dir" -c user.name=x --no-pager commit',
    'git --git-dir=.git --work-tree /x commit -a',
    '/usr/bin/git commit',
    '"/opt/my tools/git" commit',
    'C:\\\\Git\\\\git.exe commit',
    '"git" \'commit\'',
    'git \\commit',
    'git \\\n  commit',
    'git \\\r\n  commit',
    'cd x && git commit',
    'cd x||git commit',
    'make;git commit',
    'make & git commit',
    'make\ngit commit\n',
    'git status | cat; git commit',
    'true |& git commit',
    '(git commit)',
    '( cd x; git commit )',
    '{ git commit; }',
    '! git commit',
    'if git diff --quiet; then :; else git commit; fi',
    'for f in a b; do git commit $f; done',
    'for f in a b\ndo\n  git commit\ndone',
    'for ((i = 0; i < 3; i++)); do git commit; done',
    'while read x; do git commit; done < list',
    'until git commit; do sleep 1; done',
    'case $x in git) git commit ;; esac',
    'case $x in (a|b) :;; *) git commit;; esac; echo',
    'x=$(case $1 in a) echo;; esac); git commit',
    'save() { git commit; }; save',
    'save () { git commit; }; save',
    'function save { git commit; }; save',
    '[[ $a == b && -n $c ]] && git commit',
    '((x = 1 && 2)); git commit',
    '[ -f x ] && git commit',
    'A=b git commit',
    'A="b c" B= git commit',
    'A=$(date) git commit',
    'A=(a b "git x") git commit',
    'A=(a b); git commit',
    'env A=b git commit',
    'env -u A -i B=c git commit',
    'sudo git commit',
    'sudo -u me -E git commit',
    'doas -u me git commit',
    'command git commit',
    'command -p git commit',
    'exec git commit',
    'time git commit',
    'time -p git commit',
    'nohup nice -n 5 git commit &',
    'timeout -k 1 30s git commit',
    'stdbuf -o L git commit',
    'sudo env A=b timeout 5 git commit',
    'echo x | xargs -n 1 git commit -m',
    'echo $(git commit)',
    'echo "$(git commit)"',
    'echo `git commit`',
    'echo "`git commit`"',
    'echo "${x:-$(git commit)}"',
    'diff <(git commit) x',
    'git commit > log 2>&1',
    '2>/dev/null git commit',
    '> log git commit',
    'git commit <<< "message"',
    'git commit -F - <<EOF\nmessage\nEOF',
    'git commit -m "$(cat <<\'EOF\'\nFix it: don\'t (ever) "do\n\nEOF\n)"',
    'cat <<A <<-B; git commit\na\nA\n\tb\n\tB\n',
    "cat > x <<EOF\nEOFX\n it's\nEOF\ngit commit",
    'cat <<EOF\r\nx\r\nEOF\r\ngit commit\r\n',
    "echo $'it\\'s' && git commit",
    'echo a#b; git commit # now',
    'echo \\# ; git commit',
    'echo $# && git commit',
    ') git commit',
    'git add -A && git commit -qm "x" && git push',
    'cat <<EOF | git commit -F -\nmsg\nEOF',
    "# don't\ngit commit",
    'a=$((1<<2)); git commit',
    '[[ $x =~ ^(a|b)$ ]] && git commit',
    "echo ${x//\\'/} ; git commit",
    'function save() { git commit; }; save',
    'exec 3<>f; git commit &>/dev/null &',
    'cat <<"A" <<B && git commit\n1\nA\n2\nB\n',
    'echo "a $(echo "b") c" && git commit',
    'select x in a b; do git commit; break; done',
    'while :; do git commit; done <<EOF\ncommit\nEOF',
    'sudo -u bob -- git commit',
    'xargs -0 -I{} git commit -m {} < f',
    'flock l git commit',
    'flock -w 5 -n /tmp/l git commit -m x',
    '$((cd x; ls) | git commit)',
    'echo "$((cd x; ls) | git commit)"',
    '((cd x); git commit)',
    'a=$(( (1 + 2) * (3) )); git commit',
    '(((1 + 2) > 0)) && git commit',
    'cat <<EOF\nhead $(git commit)\nEOF',
    'cat <<-EOF\n\t`git commit`\n\tEOF\n',
    'cat <<EOF\n"$(cat <<INNER\n${x:-$(git commit)}\nINNER\n)"\nEOF',
    'cat <<EOF\n$(unclosed\nEOF\ngit commit',
    'sudo -nu bob git commit',
    'env -iu X git commit',
    'git commit -m "--help"',
    'git commit -qm --help',
    'git commit -- --help',
    'git commit -m -h',
    'git commit -m "see git --help"',
  ])('%j', (line) => expect(does(line)).toBe(true));
});

describe('no git commit', () => {
  it.each([
    // Nobody writes it so, and the shell script, which looks for the words, would not find them.
    'g"i"t commit',
    'git com\\mit',
    'git com\\\nmit',
    "git $'commit'x",
    '',
    'git',
    'commit',
    'git status',
    'echo git commit',
    'echo "git commit"',
    "echo 'a; git commit'",
    'echo a \\; git commit',
    'echo a \\\n git commit',
    "bash -c 'git commit'",
    'sh -c "git commit"',
    'eval git commit',
    'ssh host git commit',
    'git log --grep commit',
    'git log commit',
    'git -C commit log',
    'git -c commit status',
    'git help commit',
    'git commit-tree x',
    'git commits',
    'git-commit x',
    'mygit commit',
    '/x/git/run commit',
    'gitx commit',
    'Git commit',
    'git "commit -m x"',
    'git com mit',
    'grep "git commit" log',
    'git status # git commit',
    '# git commit',
    'echo x # && git commit',
    'command -v git commit',
    'sudo -l git commit',
    'sudo -u git commit',
    'env -u git commit',
    'which git; commit',
    'git; commit',
    'git | commit',
    'git\ncommit',
    'A=git commit',
    '$GIT commit',
    'git $X',
    'git "$(echo commit)"',
    'cat <<EOF\ngit commit\nEOF',
    "cat <<'EOF'\n$(x\ngit commit\nEOF",
    'cat <<"END OF"\ngit commit\nEND OF',
    'cat <<-EOF\n\tgit commit\n\tEOF',
    'cat <<\\EOF\ngit commit\nEOF',
    'cat <<EOF\ngit commit',
    'x=$(cat <<EOF\ngit commit\nEOF\n)',
    '(cat <<EOF)\ngit commit\nEOF',
    'cat <<< "git commit"',
    'cat > git <<EOF\ncommit\nEOF',
    'for git in commit; do :; done',
    'for x in git commit; do echo $x; done',
    'case git in commit) :;; esac',
    'case x in git commit) :;; esac',
    '[[ git commit ]]',
    'A=(git commit)',
    'echo > git commit',
    'git > commit',
    'echo $((git commit))',
    'echo $((1 + 2)) git commit',
    '((git commit))',
    "git $'commit\\n'",
    'alias x="git commit"',
    'x="git commit"; echo $x ${x:-git commit}',
    "echo '$(git commit)'",
    "cat <<'EOF'\n$(git commit)\nEOF",
    '<<EOF cat\ngit commit\nEOF',
    'git --work-tree commit status',
    'gh pr create --title "git commit"',
    'awk \'{print "git commit"}\'',
    'git stash -m commit',
    '[ git commit ]',
    'trap "git commit" EXIT',
    'find . -name git commit',
    'git --help commit',
    'git -h commit',
    'git commit --help',
    'git commit -h',
    'git -C y commit -h && ls',
    'git commit -m x --help',
    'cat <<EOF\n\\$(git commit)\nEOF',
    'cat <<"EOF"\n$(git commit)\nEOF',
    'cat <<\\EOF\n`git commit`\nEOF',
    'cat <<EOF\n$((git commit))\nEOF',
    'echo $(( (git) - (commit) ))',
    'flock l',
  ])('%j', (line) => expect(does(line)).toBe(false));
});

it.each<[string[], string, boolean]>([
  [['npm', 'test'], 'npm --prefix web test', true],
  [['npm', 'test'], 'npm run test', false],
  [['npm', 'run', 'build'], 'npm run --workspace=a build -- --watch', true],
  [['npm', 'run', 'build'], 'npm -w a run build', true],
  [['npm', 'publish'], 'npm publish', true],
  [['gh', 'pr', 'create'], 'gh -R a/b pr create --fill', true],
  [['gh', 'pr', 'create'], 'gh pr view create', false],
  [['docker', 'compose', 'up'], 'docker compose -f x.yml --profile dev up -d', true],
  [['docker', 'run'], 'docker --context x run -it alpine', true],
  [['docker', 'run'], 'docker compose run x', false],
  [['cargo', 'test'], 'cargo +nightly test', true],
  [['cargo', '+nightly', 'test'], 'cargo +nightly test', true],
  [['make', 'test'], 'make -j test', true],
  [['make', 'test'], 'make -j 4 test', true],
  [['make', 'test'], 'make --jobs test', true],
  [['make', '4'], 'make -j 4', false],
  [['go', 'test', './...'], 'go test -run X ./...', true],
  [['go', 'test', './...'], 'go test -v -race -count 1 -timeout 30s ./...', true],
  [['go', 'test', './...'], 'go test ./a ./...', false],
  [['git', 'commit', '--amend'], 'git commit -m "--amend"', false],
  [['git', 'commit', '--amend'], 'git commit -am --amend', false],
  [['git', 'commit', '--amend'], 'git commit -m x --amend', true],
  [['git', 'commit', '--help'], 'git commit --help', true],
  [['npm', 'test', '--watch'], 'npm test -- --watch', true],
  [['node'], 'node script.js --help', true],
  [['docker', 'run'], 'docker run alpine ls --help', true],
  [['mysql', '-e'], 'mysql -h host -e x', true],
  [['ls'], 'ls -h', true],
  [['git', 'commit', '-h'], 'git commit -h', true],
  [['du'], '/usr/bin/du -h', true],
  [['cargo', 'test'], 'cargo --color always test', true],
  [['kubectl', 'apply'], 'kubectl -n prod --context x apply -f y', true],
  [['kubectl', 'apply'], 'kubectl get -n apply', false],
  [['terraform', 'apply'], 'terraform -chdir=x apply -auto-approve', true],
  [['make', 'test'], 'make -C web -j4 test', true],
  [['python', '-m', 'pytest'], 'python -X dev -m pytest -q', true],
  [['python', '-m', 'pytest'], 'python -m unittest pytest', false],
  [['git', 'commit', '--amend'], 'git -C x commit -m y --amend', true],
  [['git', 'commit', '--amend'], 'git commit -m y', false],
  [['git', 'push', '--force'], 'git push origin main --force', true],
  [['git', 'stash', 'pop'], 'git stash pop --index', true],
  [['git', 'stash', 'pop'], 'git stash push pop', false],
  [['git'], 'git status', true],
  [['git'], 'ls; /usr/bin/git', true],
  [['git'], 'digit', false],
  [['./gradlew', 'build'], './gradlew build', true],
  [['./gradlew', 'build'], 'gradlew build', false],
  [['gradlew', 'build'], './gradlew -p web build', true],
  [['task', 'build'], './task -p web build', false],
  [['toString'], 'constructor; __proto__; toString', true],
  [['constructor', 'x'], 'constructor -a x', true],
])('%j in %j: %s', (wanted, line, is) => expect(does(line, wanted)).toBe(is));

describe('a search of files', () => {
  it.each<[string, boolean]>([
    ['grep -rn x src', true],
    ['rg x', true],
    ['grep -h x a b', true],
    ['git grep -h x', true],
    ['cd src && ack x', true],
    ['git grep x', true],
    ['git -C a grep x', true],
    ['sudo grep x /etc/passwd', true],
    ["find . -name '*.ts' | xargs grep -l x", true],
    ['echo $(grep -c x y)', true],
    ['npm test | grep FAIL', false],
    ['npm test |& grep FAIL', false],
    ['cd src || grep x y', true],
    ['ps aux | sudo grep node', false],
    ['git log | head; grep x y', true],
    ['git log --grep x', false],
    ['echo grep', false],
    ['pgrep node', false],
    ['ls', false],
  ])('%j: %s', (line, is) => expect(searches(simpleCommands(line))).toBe(is));
});

const pieces = fc.constantFrom(
  ...[
    '$(',
    '`',
    '"',
    "'",
    '(',
    ')',
    '{',
    '}',
    '${',
    '((',
    '))',
    '<<EOF',
    '<<-E',
    '\n',
    'EOF',
    '\\',
    '#',
    ';;',
  ],
  ...[
    'case x in ',
    'esac',
    'for ',
    '[[ ',
    ']]',
    '| ',
    '&&',
    '&',
    '>',
    '<(',
    'git ',
    'commit ',
    'A=',
    'A=(',
    "$'",
  ],
);

it.each(['for git in commit; do ls; done', 'select git in commit; do ls; done'])(
  'the head of a loop is no command: %s',
  (line) => {
    expect(simpleCommands(line).map(({ words }) => words)).toEqual([['ls']]);
  },
);

it('takes any text, and every word stands in it but for what quotes and substitutions leave', () => {
  const line = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((p) => p.join('')),
    fc.string({ unit: anyCharacter, maxLength: 200 }),
  );
  fc.assert(
    fc.property(line, (text) => {
      const commands = simpleCommands(text);
      for (const { words } of commands) expect(words.length).toBeGreaterThan(0);
      expect(commands.flatMap((c) => c.words).join('').length).toBeLessThanOrEqual(2 * text.length + 3);
      runs(commands, COMMIT);
      searches(commands);
    }),
    often(),
  );
});

it('finds only words that stand in the line as they are', () => {
  const piece = fc.constantFrom(
    ...['git', 'commit', 'com', 'mit', ' ', '"', "'", '\\', ';', '$(', ')', '\n', '-C x ', '`', '<<E', 'E'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (some) => {
      const line = some.join('');
      if (does(line)) expect(COMMIT.filter((word) => line.includes(word))).toEqual(COMMIT);
    }),
    { numRuns: 3000 },
  );
});

/** Milliseconds for a text, the best of three; `enough`: when no further try is needed. */
function cost(text: string, enough = 0): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && best >= enough; i++)
    best = Math.min(
      best,
      cpuTime(() => {
        const commands = simpleCommands(text);
        runs(commands, COMMIT);
        searches(commands);
      }),
    );
  return best;
}

/** Far from quadratic: ten times the text would take a hundred times as long. The machine may be busy. */
function inProportion(short: string, long: string): void {
  const most = 40 * cost(short) + 200;
  expect(cost(long, most)).toBeLessThan(most);
}

it.runIf(LONG)('takes time in proportion to the length of a line whose brackets look like arithmetic', () => {
  const long = (times: number): string => "(('((') ); ".repeat(times) + ') '.repeat(2 * times);
  inProportion(long(2000), long(20_000));
});

it.runIf(LONG)('takes time in proportion to the length of a line of process substitutions', () => {
  const long = (times: number): string => '))<({'.repeat(times);
  inProportion(long(4000), long(40_000));
});

it.runIf(LONG)('reads a here-document with more substitutions than a call takes arguments', () => {
  expect(does(`cat <<EOF\n${'$(a)'.repeat(ALL ? 300_000 : 150_000)}$(git commit)\nEOF`)).toBe(true);
});

it('takes time in proportion to the length of hostile lines', () => {
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 1, maxLength: 6 }), (some) => {
      const unit = some.join('');
      const long = (characters: number): string => unit.repeat(Math.ceil(characters / unit.length));
      inProportion(long(20_000), long(200_000));
    }),
    { numRuns: ALL ? 20 : 4 },
  );
}, 120_000);
