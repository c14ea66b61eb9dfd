#!/bin/sh
>&2 trap 'exit 0' EXIT; exec 2>/dev/null
shim=@SHIM@
# Written by mcphooks. Runs when a hook fires; says nothing or one JSON document, and always ends with 0. A client's
# shell reads it, or it is executed.
# All that differs between hooks stands in the files beside this one. Cut off anywhere, it does nothing:
# the work is in a function that only the last line calls.

# Whether a line of $shim.unless stands in the payload. A file without its empty last line is damaged: yes.
excepted() {
  [ -r "$shim.unless" ] || return 1
  while IFS= read -r n; do
    case $n in '') return 1 ;; esac
    case $in in *"$n"*) return 0 ;; esac
  done <"$shim.unless"
  return 0
}

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

# Whether the session's budget still holds the prepared document, which is then booked.
affordable() {
  s=${in#*\"session_id\":\"}; s=${s%%\"*}
  case $s in '' | *[!A-Za-z0-9_-]*) return 1 ;; esac
  { IFS= read -r k && read -r units most; } <"$shim.budget" || return 1
  # What follows a turn's end may be no prompt of the user's: only node can tell.
  [ ! -e "$k/$s/ended" ] || return 1
  total=0
  [ ! -e "$k/$s/spent" ] || while read -r u; do total=$((total + u)); done <"$k/$s/spent"
  [ $((total + units)) -le "$most" ] || return 1
  [ -d "$k/$s" ] || mkdir -p -m 700 "$k" "$k/$s"
  printf '%s\n' "$units" >>"$k/$s/spent"
  return 0
}

fire() {
  set +efuC
  # Functions that a bash around this one exports would take the place of these.
  unset -f cat grep kill mkdir printf read sleep wait
  # Without any stdin, bash gives a command's own output to it as its input.
  true 3<&0 || exec </dev/null
  [ ! -e "@OWN@/disabled" ] || return
  ask=
  case ${MCPHOOKS_DISABLE-} in 1) return ;; ?*) ask=1 ;; esac
  # Another client that runs Claude-format hooks: node looks closer.
  case ${CURSOR_PROJECT_DIR-}${COPILOT_PROJECT_DIR-}${DEVIN_PROJECT_DIR-} in ?*) ask=1 ;; esac

  relevant || return
  if [ -r "$shim.out" ] && [ ! "$ask" ] && ! excepted && ! pending && { [ ! -r "$shim.budget" ] || affordable; }; then
    out=$(cat "$shim.out")
  else
    node=@NODE@
    { [ -f "$node" ] && [ -x "$node" ]; } || node=node
    # The server that node may start gets it back.
    if [ "${NODE_OPTIONS+1}" ]; then export MCPHOOKS_NODE_OPTIONS="$NODE_OPTIONS"; fi
    unset NODE_OPTIONS NODE_PATH NODE_DEBUG NODE_V8_COVERAGE NODE_CHANNEL_FD NODE_COMPILE_CACHE
    # Another user's process can't be watched.
    parent=$PPID
    kill -0 $parent || parent=$$
    out=$(
      printf '%s' "$in" | "$node" @RUNTIME@ "$shim" $$ $parent &
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

  # One whole document, or nothing: `"}}` stands in it only at its end. `-` is node's word for nothing.
  case $out in
    '{"'*'"}}') trap '' PIPE; printf '%s\n' "$out" ;;
    -) ;;
    *) printf '%s\n' "$shim" >"@OWN@/failed" ;;
  esac
}

fire
