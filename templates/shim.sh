#!/bin/sh
>&2 trap 'exit 0' EXIT; exec 2>/dev/null
shim=@SHIM@
# Written by mcphooks. Runs when a hook fires; prints one JSON document or nothing, and always exits with 0. The
# client's shell sources it, or the client executes it.
# The files beside this one contain everything that differs between hooks. A truncated script does nothing: only the
# last line calls the function with the work.

# Whether the payload contains a line of the file $1. A file without its empty last line is damaged: yes.
holds() {
  while IFS= read -r n; do
    case $n in '') return 1 ;; esac
    case $in in *"$n"*) return 0 ;; esac
  done <"$1"
  return 0
}

# Whether the payload contains something that rules out the prepared document.
excepted() { [ -r "$shim.unless" ] && holds "$shim.unless"; }

# Reads the payload. Fails when it contains no line of $shim.needles; the last lines there are escapes that may
# spell a needle differently. Only grep searches 1 MB quickly; on a match it prints all lines.
read_payload() {
  if [ -r "$shim.needles" ] && ! pending; then
    n=
    while IFS= read -r line; do n=$line; done <"$shim.needles"
    case $n in
      '\u007')
        # One record for everything is a fifth faster on 1 MB (-a: otherwise old greps take UTF-8 for binary data). A
        # grep without -z, or with another meaning of it, prints the lines around.
        for z in -az ''; do
          in=$(LC_ALL=C GREP_OPTIONS= grep -F $z -C 999999 -f "$shim.needles")
          case $? in 0) return 0 ;; 1) return 1 ;; esac
        done
        ;;
    esac
  fi
  in=$(cat)
}

# Whether a kept text may be waiting: a file in the folder that $shim.kept names.
pending() {
  [ -r "$shim.kept" ] && IFS= read -r k <"$shim.kept" || return 1
  for f in "$k"/*; do [ -e "$f" ] && return 0; done
  return 1
}

# Finds the session's id, if it can be a folder's name: $s. Changes $m, $v, and what member() does.
session() {
  [ ! "$s" ] || return 0
  for m in @SESSION@; do
    member "$m" || continue
    # Another member of the payload may be the id of another session.
    case $v in '' | *[!A-Za-z0-9_-]*) return 1 ;; esac
    [ ${#v} -le 100 ] || return 1
    s=$v
    return 0
  done
  return 1
}

# Makes the session's folder in $k. Fails where Node must: only Node shrinks the log, and forgets old sessions. (A
# session's budget has room for a few hundred texts.) Changes $t.
enter() {
  [ ! -d "$k/$s" ] || return 0
  if [ -x "$node" ]; then
    t=$(find "$k/." "${k%/*/*}/hooks.log" ! -name . -prune \( -type d -mtime +7 -o -size +1000000c \))
    [ ! "$t" ] || return 1
  fi
  # Where the state was removed, this makes several folders, and -m counts for the last one alone. Below a folder with a
  # default ACL, only -m counts: the state folder gets its mode so, and closes those in it.
  (umask 077; [ -d "${k%/*/*}" ] || mkdir -p -m 700 "${k%/*/*}"; mkdir -p "$k/$s")
  return 0
}

# Finds the string that is the payload's own member $1: $v, as the payload spells it. Changes $b, and what outermost()
# does.
member() {
  v=\"$1\":\"
  case $begin in *"$v"*) ;; *) return 1 ;; esac
  b=${begin%%"$v"*}
  outermost || return 1
  v=${begin#"$b$v"}
  case $v in *\"*) v=${v%%\"*} ;; *) return 1 ;; esac
}

# Whether the prompt is empty, or was answered before. $shim.once contains the keys of the prompt's text, of its id and of
# what only a new prompt has, each of which may be empty, and the folder of the sessions. Node decides what the shell
# can't.
answered() {
  [ -r "$shim.once" ] || return 1
  { IFS= read -r p && IFS= read -r o && IFS= read -r r && IFS= read -r k; } <"$shim.once" || { ask=1; return 1; }
  case $p in
    ?*)
      case $in in *"\"$p\":\"\""*) return 0 ;; *"\"$p\":\""*) ;; *) ask=1; return 1 ;; esac
      ;;
  esac
  case $o in '') return 1 ;; esac
  { [ "$k" ] && session && member "$o"; } || { ask=1; return 1; }
  case $v in '' | *[!A-Za-z0-9_#-]*) ask=1; return 1 ;; esac
  u=
  [ ! -r "$k/$s/once" ] || IFS= read -r u <"$k/$s/once"
  if [ "$v" = "$u" ]; then
    case $r in '') return 0 ;; esac
    case $in in *"\"$r\":\""[!\"]*) ;; *) return 0 ;; esac
  fi
  once=$k/$s/once
  id=$v
  return 1
}

# Whether what follows $b, the beginning of $begin, is a member of the payload itself. The shell tells only where no
# backslash is before. Changes $t, $p and $d.
outermost() {
  case $b in *\\*) return 1 ;; esac
  p=$b
  t=
  # Braces in strings don't count.
  while :; do
    t=$t${p%%\"*}
    case $p in *\"*\"*) p=${p#*\"}; p=${p#*\"} ;; *) break ;; esac
  done
  d=
  p=$t
  while :; do case $p in *"{"*) d=x$d; p=${p#*"{"} ;; *) break ;; esac; done
  while :; do case $t in *"}"*) d=${d#x}; t=${t#*"}"} ;; *) break ;; esac; done
  [ "$d" = x ]
}

# Records a call to one of the server's own tools. $shim.called contains the folder of the sessions, then for each mark
# its name, how many seconds it lasts (- is forever), and what the payload of such a call contains. Inside another
# object, which may be a tool's input, that says nothing: Node decides ($unsure).
note_call() {
  [ -r "$shim.called" ] || return 1
  session || { unsure=1; return 1; }
  # Without its empty last line it is damaged.
  while IFS= read -r t; do :; done <"$shim.called"
  [ ! "$t" ] || return 1
  k=
  hit=
  while IFS= read -r line; do
    case $k in '') k=$line; continue ;; esac
    case $line in '') break ;; esac
    m=${line%% *}; t=${line#* }; n=${t%% *}; t=${t#* }
    case $in in *"$t"*) ;; *) continue ;; esac
    case $begin in *"$t"*) ;; *) unsure=1; return 1 ;; esac
    # Without quotes around it: posh would take those inside as they are.
    b=${begin%%"$t"*}
    outermost || { unsure=1; return 1; }
    case $n in
      -) end= ;;
      *) now=$(date +%s); [ "$now" -gt 0 ] || return 1; end="$((now + n))000 $now" ;;
    esac
    enter || { unsure=1; return 1; }
    # On a full disk an empty mark would be left, which is forever.
    if (umask 077; printf '%s\n' "$end" >"$k/$s/$m"); then hit=1; else rm -f "$k/$s/$m"; fi
  done <"$shim.called"
  [ "$hit" ]
}

# Whether marks of the session stop each hook. $shim.marks contains the folder of the sessions, then a line for each
# hook with the names of its marks, and an empty line. A mark contains the time in ms at which it expires, and in seconds
# that at which it was set (if that is ahead, the clock was set back), or nothing. $why has the mark that stops each hook,
# with its seconds.
muted() {
  [ -r "$shim.marks" ] && session || return 1
  k=
  now=
  while IFS= read -r line; do
    case $k in '') k=$line; continue ;; esac
    case $line in '') return 0 ;; esac
    held=
    for m in $line; do
      [ -e "$k/$s/$m" ] || continue
      t=
      read -r t n <"$k/$s/$m"
      case $t in
        '') held=$m: ;;
        *)
          now=${now:-$(date +%s)}
          [ "${t%???}" -gt "$now" ] && [ "${n:-0}" -le "$now" ] && held=$m:${t%???}
          ;;
      esac
    done
    [ "$held" ] || return 1
    why="$why $held"
  done <"$shim.marks"
  return 1
}

# Whether the project has no file of $shim.files. Its first line names a variable with the folder in which the client
# was started (- is none); each other line is a pattern, the last one is empty. If only Node can tell, the file counts
# as present.
absent() {
  [ -r "$shim.files" ] || return 1
  d=
  while IFS= read -r p; do
    case $d in
      '')
        case $p in -) d=. ;; *[!A-Z_]* | '') return 1 ;; *) eval "d=\${$p:-.}" ;; esac
        d=$(CDPATH= cd -P -- "$d" && pwd -P) || return 1
        t=$d
        until [ -e "$t/.git" ] || [ ! "$t" ]; do t=${t%/*}; done
        # In a worktree or a submodule, the project may be elsewhere.
        [ ! -f "$t/.git" ] || return 1
        [ ! -e "$t/.git" ] || d=$t
        d=$d/
        ;;
      *)
        IFS=
        case $p in
          '') unset IFS; return 0 ;;
          *[*?]*) for f in "$d"$p; do [ ! -e "$f" ] || { unset IFS; return 1; }; done ;;
          *) [ ! -e "$d$p" ] || { unset IFS; return 1; } ;;
        esac
        unset IFS
        ;;
    esac
  done <"$shim.files"
  return 1
}

# Logs why no hook has a text. Fails when the log is on and only Node can tell which hooks matched.
log_silence() {
  log=@LOG@
  [ -f "$log" ] || return 0
  lines=
  if [ -r "$shim.quiet" ] && [ ! "$ask" ] && ! excepted; then
    lines=$shim.quiet
  elif [ ! -r "$shim.needles" ]; then
    return 0
  fi
  start=${@START@-}
  why=" $why "
  . "$log"
}

# Counts the prepared document in the session's budget. Fails when it does not fit.
spend() {
  session || return 1
  { IFS= read -r k && read -r units most; } <"$shim.budget" || return 1
  # Some shells run code in the place of a number.
  case $units-$most in -* | *- | *[!0-9-]*) return 1 ;; esac
  # After a turn's end, a prompt may not be the user's: only Node can tell.
  [ ! -e "$k/$s/ended" ] || return 1
  total=0
  # The text's tag follows the units. A negative line takes back a text that had no room.
  [ ! -e "$k/$s/spent" ] || while read -r u t; do
    case ${u#-} in '' | *[!0-9]*) return 1 ;; esac
    total=$((total + u))
  done <"$k/$s/spent"
  [ $((total + units)) -le "$most" ] || return 1
  enter || return 1
  # Only here: after a return of 1, Node starts, and a server that it starts would inherit the umask.
  umask 077
  printf '%s\n' "$units" >>"$k/$s/spent"
  return 0
}

# Prints the payload. A large one is too long for an argument of an external printf.
payload() {
  printf '%s' "$in" || cat <<E
$in
E
}

work() {
  set +efuC
  # Where the size of files has a limit (ulimit -f), a write fails instead of ending the shell, as in Node.
  trap '' XFSZ
  # Functions exported by a calling bash would replace these.
  unset -f cat cd date find grep kill mkdir printf pwd read rm sleep umask wait
  # Variables of the client's stay exported: the payload would go to a server in them, or be too long to start Node.
  unset in begin b id p s t v
  # If stdin is closed, bash passes a command's own output to it as its input.
  true 3<&0 || exec </dev/null
  own=@OWN@
  [ ! -e "$own/disabled" ] || return
  node=@NODE@
  log=
  lines=
  ask=
  unsure=
  case ${MCPHOOKS_DISABLE-} in 1) return ;; ?*) ask=1 ;; esac
  # Another program may run this client's hooks: Node checks.
  case @OTHERS@ in ?*) ask=1 ;; esac

  once=
  s=
  read_payload || return
  # Shells take quadratic time to find what is far behind in a text.
  [ ${#in} -le 2048 ] && begin=$in || begin=$(printf '%.2048s' "$in")
  # A sub-agent has a cooldown and a budget of its own, which node knows.
  case $in in @AGENT@) ask=1; unsure=1 ;; esac
  if answered; then return; fi
  if ! pending; then
    if [ -r "$shim.also" ] && [ ${#in} -lt 65536 ] && ! holds "$shim.also"; then return; fi
    if [ ! "$ask" ] && note_call; then return; fi
    why=
    if [ ! "$unsure" ] && { muted || absent; } && log_silence; then return; fi
    why=
  fi
  if [ -r "$shim.out" ] && [ ! "$ask$unsure" ] && ! excepted && ! pending && { [ ! -r "$shim.budget" ] || spend; }; then
    out=$(cat "$shim.out")
    log=@LOG@
    start=${@START@-}
    [ ! "$once" ] || { umask 077; printf '%s' "$id" >"$once"; }
  else
    { [ -f "$node" ] && [ -x "$node" ]; } || node=node
    # Without Node, a client that is itself a JavaScript runtime runs the program. By itself, Bun would first run and read
    # what the session's folder names in bunfig.toml and has in .env.
    if [ "${MCPHOOKS_NODE-}" ] && ! command -v "$node" >/dev/null; then
      node=$MCPHOOKS_NODE
      if [ "${BUN_OPTIONS+1}" ]; then export MCPHOOKS_BUN_OPTIONS="$BUN_OPTIONS"; fi
      export BUN_BE_BUN=1 BUN_OPTIONS='--config=/dev/null --env-file=/dev/null'
    fi
    # A server that Node starts gets it back.
    if [ "${NODE_OPTIONS+1}" ]; then export MCPHOOKS_NODE_OPTIONS="$NODE_OPTIONS"; fi
    unset NODE_OPTIONS NODE_PATH NODE_DEBUG NODE_V8_COVERAGE NODE_CHANNEL_FD NODE_COMPILE_CACHE
    # kill -0 can't check another user's process.
    parent=$PPID
    kill -0 $parent || parent=$$
    out=$(
      payload | "$node" @RUNTIME@ "$shim" $$ $parent &
      child=$!
      # Ends Node after the deadline, or when this shell or its parent is gone.
      # USR1 ends it: a client may have been started where TERM is ignored, which a shell cannot undo, and mksh may ignore an
      # ALRM. The script waits for both processes: in a container, process 1 may wait for none.
      (
        trap 'kill -9 $nap && wait $nap; exit' USR1
        i=0
        while [ $i -lt @SECONDS@ ] && kill -0 $$ && kill -0 $parent; do
          sleep 1 &
          nap=$!
          # Where USR1 is ignored, too, it ends soon after Node.
          wait $nap && kill -0 $child || exit
          i=$((i + 1))
        done
        kill $child
        sleep 0.5 || sleep 1
        kill -9 $child
      ) </dev/null >/dev/null &
      watch=$!
      wait $child
      kill -USR1 $watch && wait $watch
    )
  fi

  # One whole document, or nothing: its last characters occur only at its end. Node prints `-` for nothing.
  case $out in
    '{"'*@END@) silent=; trap '' PIPE; printf '%s\n' "$out" && [ -f "$log" ] && [ -r "$shim.log" ] && . "$log" ;;
    -) ;;
    *) umask 077; printf '%s\n' "$shim" >"$own/failed" ;;
  esac
}

fire() {
  # The output that the client expects from a hook without text: for most clients none.
  silent=@SILENT@
  work
  [ ! "$silent" ] || printf '%s\n' "$silent"
}

fire
