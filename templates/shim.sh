#!/bin/sh
>&2 trap 'exit 0' EXIT; exec 2>/dev/null
shim=@SHIM@
# Written by mcphooks. Runs when a hook fires; says nothing or one JSON document, and always ends with 0. A client's
# shell reads it, or it is executed.
# All that differs between hooks stands in the files beside this one. Cut off anywhere, it does nothing:
# the work is in a function that only the last line calls.

# Whether a line of the file $1 stands in the payload. A file without its empty last line is damaged: yes.
holds() {
  while IFS= read -r n; do
    case $n in '') return 1 ;; esac
    case $in in *"$n"*) return 0 ;; esac
  done <"$1"
  return 0
}

# Whether something stands in the payload for which the prepared document is not meant.
excepted() { [ -r "$shim.unless" ] && holds "$shim.unless"; }

# Reads the payload. Fails when it holds no line of $shim.needles, of which the last ones are those escapes that may
# spell a needle in another way. Only grep looks at 1 MB in no time; what it finds it prints, with all other lines.
relevant() {
  if [ -r "$shim.needles" ] && ! pending; then
    n=
    while IFS= read -r line; do n=$line; done <"$shim.needles"
    case $n in
      '\u007')
        # All of it as one record is a fifth faster on 1 MB (-a: old greps take UTF-8 for binary data then); a grep
        # that can't, or means something else by it, prints the lines around.
        for z in -az ''; do
          in=$(LC_ALL=C GREP_OPTIONS= grep -F $z -C 999999 -f "$shim.needles")
          case $? in 0) return 0 ;; 1) return 1 ;; esac
        done
        ;;
    esac
  fi
  in=$(cat)
}

# Whether text may be waiting to be given: a file in the folder that $shim.kept names.
pending() {
  [ -r "$shim.kept" ] && IFS= read -r k <"$shim.kept" || return 1
  for f in "$k"/*; do [ -e "$f" ] && return 0; done
  return 1
}

# Finds the session's id, as far as it can name a folder.
session() {
  for s in @SESSION@; do
    s=${in#*\"$s\":\"}; s=${s%%\"*}
    case $s in '' | *[!A-Za-z0-9_-]*) s= ;; *) [ ${#s} -le 100 ] && return 0 ;; esac
  done
  return 1
}

# Whether nobody wrote the prompt, or it was answered before. $shim.once holds the keys of the prompt's text and of its
# id, either of which may be empty, and the folder of the sessions. What the shell can't tell is left to node.
answered() {
  [ -r "$shim.once" ] || return 1
  { IFS= read -r p && IFS= read -r o && IFS= read -r k; } <"$shim.once" || { ask=1; return 1; }
  case $p in
    ?*)
      case $in in *"\"$p\":\"\""*) return 0 ;; *"\"$p\":\""*) ;; *) ask=1; return 1 ;; esac
      ;;
  esac
  case $o in '') return 1 ;; esac
  t=${in#*\"$o\":\"}; t=${t%%\"*}
  case $t in '' | *[!A-Za-z0-9_#-]*) ask=1; return 1 ;; esac
  { [ "$k" ] && session; } || { ask=1; return 1; }
  u=
  [ ! -r "$k/$s/once" ] || IFS= read -r u <"$k/$s/once"
  [ "$t" != "$u" ] || return 0
  once=$k/$s/once
  id=$t
  return 1
}

# Notes a call of one of the server's own tools. $shim.called holds the folder of the sessions, then for each mark its
# name, how many seconds it stands (- is for good), and what the payload of such a call holds.
called() {
  [ -r "$shim.called" ] && session || return 1
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
    case $n in
      -) end= ;;
      *) now=$(date +%s); [ "$now" -gt 0 ] || return 1; end=$((now + n))000 ;;
    esac
    [ -d "$k/$s" ] || mkdir -p -m 700 "$k" "$k/$s"
    printf '%s\n' "$end" >"$k/$s/$m" && hit=1
  done <"$shim.called"
  [ "$hit" ]
}

# Whether marks of the session keep each hook silent. $shim.marks holds the folder of the sessions, then a line for each
# hook with the names of its marks, and an empty one. A mark holds the time in ms at which it is over, or nothing. $why
# has the mark that holds each hook, with its seconds.
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
      read -r t <"$k/$s/$m"
      case $t in
        '') held=$m: ;;
        *) now=${now:-$(date +%s)}; [ "${t%???}" -gt "$now" ] && held=$m:${t%???} ;;
      esac
    done
    [ "$held" ] || return 1
    why="$why $held"
  done <"$shim.marks"
  return 1
}

# Whether nothing of $shim.files is in the project. Its first line names a variable with the folder in which the client
# was started (- is none), each other line but the empty last one is a pattern. What only node can tell counts as there.
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
        # The project of a worktree or a submodule may be elsewhere.
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

# Logs why no hook has a text. Fails when the log is on and only node can tell which hooks matched.
logged() {
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

# Whether the session's budget still holds the prepared document, which is then booked.
affordable() {
  session || return 1
  { IFS= read -r k && read -r units most; } <"$shim.budget" || return 1
  # Some shells run what stands in the place of a number.
  case $units-$most in -* | *- | *[!0-9-]*) return 1 ;; esac
  # What follows a turn's end may be no prompt of the user's: only node can tell.
  [ ! -e "$k/$s/ended" ] || return 1
  total=0
  [ ! -e "$k/$s/spent" ] || while read -r u; do
    case $u in '' | *[!0-9]*) return 1 ;; esac
    total=$((total + u))
  done <"$k/$s/spent"
  [ $((total + units)) -le "$most" ] || return 1
  if [ ! -d "$k/$s" ]; then
    mkdir -p -m 700 "$k" "$k/$s"
    # Only node makes the log smaller; a session's budget holds few hundred texts.
    [ ! -x "$node" ] || [ ! "$(find "${k%/*/*}/hooks.log" -size +1000000c)" ] || return 1
  fi
  printf '%s\n' "$units" >>"$k/$s/spent"
  return 0
}

# Prints the payload. A large one is too long for an argument of a printf that isn't the shell's own.
payload() {
  printf '%s' "$in" || cat <<E
$in
E
}

work() {
  set +efuC
  # Functions that a bash around this one exports would take the place of these.
  unset -f cat cd date find grep kill mkdir printf pwd read sleep umask wait
  # Without any stdin, bash gives a command's own output to it as its input.
  true 3<&0 || exec </dev/null
  [ ! -e "@OWN@/disabled" ] || return
  node=@NODE@
  log=
  ask=
  case ${MCPHOOKS_DISABLE-} in 1) return ;; ?*) ask=1 ;; esac
  # Another program that runs this client's hooks: node looks closer.
  case @OTHERS@ in ?*) ask=1 ;; esac

  once=
  relevant || return
  if answered; then return; fi
  if ! pending; then
    if [ -r "$shim.also" ] && [ ${#in} -lt 65536 ] && ! holds "$shim.also"; then return; fi
    if [ ! "$ask" ] && called; then return; fi
    why=
    if { muted || absent; } && logged; then return; fi
    why=
  fi
  if [ -r "$shim.out" ] && [ ! "$ask" ] && ! excepted && ! pending && { [ ! -r "$shim.budget" ] || affordable; }; then
    out=$(cat "$shim.out")
    log=@LOG@
    start=${@START@-}
    [ ! "$once" ] || printf '%s' "$id" >"$once"
  else
    { [ -f "$node" ] && [ -x "$node" ]; } || node=node
    # A client that is a JavaScript runtime itself stands in where there is no node.
    [ ! "${MCPHOOKS_NODE-}" ] || command -v "$node" >/dev/null || { node=$MCPHOOKS_NODE; export BUN_BE_BUN=1; }
    # The server that node may start gets it back.
    if [ "${NODE_OPTIONS+1}" ]; then export MCPHOOKS_NODE_OPTIONS="$NODE_OPTIONS"; fi
    unset NODE_OPTIONS NODE_PATH NODE_DEBUG NODE_V8_COVERAGE NODE_CHANNEL_FD NODE_COMPILE_CACHE
    # Another user's process can't be watched.
    parent=$PPID
    kill -0 $parent || parent=$$
    out=$(
      payload | "$node" @RUNTIME@ "$shim" $$ $parent &
      child=$!
      # Ends node after the deadline, or when this shell or the one that the client started is gone.
      (
        trap 'kill $nap; exit' TERM
        i=0
        while [ $i -lt @SECONDS@ ] && kill -0 $$ && kill -0 $parent; do
          sleep 1 &
          nap=$!
          wait $nap || exit
          i=$((i + 1))
        done
        kill $child
        sleep 1
        kill -9 $child
      ) </dev/null >/dev/null &
      watch=$!
      wait $child
      kill $watch
    )
  fi

  # One whole document, or nothing: what it ends in stands in it only there. `-` is node's word for nothing.
  case $out in
    '{"'*@END@) silent=; trap '' PIPE; printf '%s\n' "$out" && [ -f "$log" ] && [ -r "$shim.log" ] && . "$log" ;;
    -) ;;
    *) printf '%s\n' "$shim" >"@OWN@/failed" ;;
  esac
}

fire() {
  # What the client wants of a hook that has nothing to say: most want nothing.
  silent=@SILENT@
  work
  [ ! "$silent" ] || printf '%s\n' "$silent"
}

fire
