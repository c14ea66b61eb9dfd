import { spawn } from 'node:child_process';

/**
 * Runs outside of the hook's process group and session, and ends a server, with all that it started, once its stdin
 * has ended: the process that started the server is over, however it ended. The first line of stdin is a mark that
 * stands in the environment of the server, the next one the process id of the server; an empty one says that it ended.
 * A server has half a second to end by itself, as its own stdin has ended, too, and half a second after SIGTERM.
 */
const SCRIPT = `
leader=
read -r mark || exit 0
while read -r line; do leader=$line; done
# What carries the mark, what is in the session of the server (it leads one), and what these started.
victims() {
  all=' '
  if [ -r /proc/self/stat ]; then
    for file in $(grep -lF "$mark" /proc/[0-9]*/environ); do
      file=\${file#/proc/}
      all="$all\${file%/environ} "
    done
    list() { for file in /proc/[0-9]*/stat; do read -r line <"$file" && echo "\${line%% *} \${line##*) }"; done; }
  else
    for pid in $(ps -A -E -ww -o pid=,command= | grep -F "$mark" | grep -v 'grep -F' | while read -r pid _; do echo "$pid"; done); do
      all="$all$pid "
    done
    list() { ps -A -o pid=,state=,ppid=,pgid= | while read -r pid state parent group; do echo "$pid $state $parent $group $group"; done; }
  fi
  now=$(list)
  before=
  while [ "$before" != "$all" ]; do
    before=$all
    while read -r pid state parent _ session _; do
      case $all in *" $pid "*) continue ;; esac
      case $state in [ZX]*) continue ;; esac
      case $all$leader in *" $parent "* | *" $session") all="$all$pid " ;; esac
    done <<END
$now
END
  done
  [ "$all" != ' ' ]
}
nap() { sleep "$1" || sleep 1; }
victims || exit 0
nap 0.5
victims || exit 0
kill $all
i=0
while [ $i -lt 5 ]; do
  nap 0.1
  victims || exit 0
  i=$((i + 1))
done
while [ $i -lt 50 ]; do
  kill -9 $all
  nap 0.1
  victims || exit 0
  i=$((i + 1))
done
`;

/** Variable that carries the mark. */
const VARIABLE = 'MCPHOOKS_SERVER';

interface Watcher {
  /** To be added to the environment of the server. */
  env: Record<string, string>;
  /** Says which process is the server: it leads a session of its own. undefined: it has ended. */
  leads: (pid: number | undefined) => void;
}

/**
 * A process that ends the server as soon as this process is over, killed or not. It has to be there before the server.
 * On Windows there is none.
 */
export function watchOverServer(): Watcher {
  const mark = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  const env = { [VARIABLE]: mark };
  if (process.platform === 'win32') return { env, leads: () => {} };
  const watcher = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.on('error', () => {});
  watcher.stdin.on('error', () => {});
  watcher.unref();
  watcher.stdin.write(`${VARIABLE}=${mark}\n`);
  return { env, leads: (pid) => void watcher.stdin.write(`${pid ?? ''}\n`) };
}
