import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { once } from '../../base/once.ts';
import { absolutePath } from '../../base/paths.ts';
import { HERE } from '../../base/platform.ts';

/**
 * Script of the watcher, which runs outside of the hook's process group and session. When the watcher's stdin ends, the
 * process that started the server is gone, and the watcher ends the server with all its descendants. First line of
 * stdin: a mark in the server's environment; next line: the server's process id; an empty line: the server has ended.
 * The server has half a second to end by itself, since its own stdin has ended too, and 0.4 s after SIGTERM. In between,
 * the script looks at single processes only: to look through all of them takes some hundredths of a second.
 */
const SCRIPT = `
leader=
read -r mark || exit 0
ended=
while read -r line; do case $line in '') ended=1 ;; *) leader=$line ;; esac; done
newline='
'
# What carries the mark, what is in the session of the server (it leads one), and what these started. Of all processes
# there are thousands of bytes, and the shell's own read asks the system for each: grep and ps read them instead.
victims() {
  all=' '
  if [ -r /proc/self/stat ]; then
    for file in $(grep -lF "$mark" /proc/[0-9]*/environ); do
      file=\${file#/proc/}
      all="$all\${file%/environ} "
    done
    # <file>:<pid> (<name>) <state> <parent> <group> <session> ...; a name may contain brackets and line ends.
    found=$(grep ') [A-Za-z] [0-9]' /proc/[0-9]*/stat)
  else
    for pid in $(ps -A -E -ww -o pid=,command= | grep -F "$mark" | grep -v 'grep -F' | while read -r pid _; do echo "$pid"; done); do
      all="$all$pid "
    done
    found=$(ps -A -o pid=,state=,ppid=,pgid=)
  fi
  set -f
  now=
  IFS=$newline
  for line in $found; do
    IFS=' '
    case $line in /*)
      pid=\${line#/proc/}
      line="\${pid%%/*} \${line##*) }"
    esac
    set -- $line
    now="$now$1 $2 $3 \${5:-$4}$newline"
  done
  # Another process with the number of the leader: the session is over.
  session=$leader
  [ ! "$ended" ] || case $newline$now in
  *"$newline$leader "[ZX]*) ;;
  *"$newline$leader "*) session= ;;
  esac
  before=
  while [ "$before" != "$all" ]; do
    before=$all
    IFS=$newline
    for line in $now; do
      IFS=' '
      set -- $line
      case $all in *" $1 "*) continue ;; esac
      case $2 in [ZX]*) continue ;; esac
      case $all$session in *" $3 "* | *" $4") all="$all$1 " ;; esac
    done
  done
  unset IFS
  set +f
  [ "$all" != ' ' ]
}
nap() { sleep "$1" || sleep 1; }
alive() { for pid in $all; do kill -0 "$pid" && return 0; done; return 1; }
victims || exit 0
nap 0.5
victims || exit 0
kill $all
i=0
while [ $i -lt 4 ] && alive; do
  nap 0.1
  i=$((i + 1))
done
victims || exit 0
i=0
while [ $i -lt 45 ]; do
  kill -9 $all
  nap 0.1
  victims || exit 0
  i=$((i + 1))
done
`;

/** Environment variable with the mark. */
const VARIABLE = 'MCPHOOKS_SERVER';

interface Watcher {
  /** Variables to add to the server's environment. */
  env: Record<string, string>;
  /** Starts the watcher with the server's pid, which leads a session of its own; undefined when the server has ended. */
  leads: (pid: number | undefined) => void;
}

/**
 * Returns what marks a server and starts its watcher: a process that ends the server as soon as this process is gone,
 * even when killed. The watcher starts after the server, which would otherwise wait for it; a server whose parent is
 * killed in between loses its stdin. There is none on Windows.
 */
export function watchOverServer(): Watcher {
  const mark = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  const env = { [VARIABLE]: mark };
  if (HERE.windows) return { env, leads: () => {} };
  const watcher = once(() => startWatcher(mark));
  return { env, leads: (pid) => void watcher().write(`${pid ?? ''}\n`) };
}

function startWatcher(mark: string): Writable {
  const watcher = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    env: { PATH: absolutePath(process.env).PATH ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.on('error', () => {});
  watcher.stdin.on('error', () => {});
  watcher.unref();
  watcher.stdin.write(`${VARIABLE}=${mark}\n`);
  return watcher.stdin;
}
