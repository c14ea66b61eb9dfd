# The hook script (templates/shim.sh) sources this file after it has printed a prepared document, $out, or when $why has
# what stops its hooks. It writes their lines into the log. $shim.log and $shim.quiet ($lines) contain the path of the
# log, then a line for each hook, without what only this fire knows; in $shim.quiet, what names the hook's marks is
# before it. Truncated, this file does nothing.

# Whether the configuration file leaves the log on; $texts: whether the log contains texts. src/fire/log.ts reads the
# file in the same way.
logging() {
  texts=
  case ${XDG_CONFIG_HOME-} in /*) t=$XDG_CONFIG_HOME ;; *) t=$HOME/.config ;; esac
  t=$t/mcphooks/config.json
  [ -f "$t" ] && [ -r "$t" ] || return 0
  k=
  while IFS= read -r n || [ "$n" ]; do k="$k $n"; done <"$t"
  set -f
  set -- $k
  set +f
  IFS=
  k="$*"
  unset IFS
  case $k in *'"texts":true'*) texts=1 ;; esac
  case $k in *'"log":false'*) return 1 ;; esac
}

# Finds the time, the session and the folder in which the client was started: $now, $s, and $d, as JSON. Returns 1 if
# there is no log to write, and 2 if Node must write it.
place() {
  # A link may lead to any file, and a pipe would block. (A missing log is fine: Node may be renaming it.)
  if [ -h "$to" ] || [ -p "$to" ] || [ -c "$to" ] || [ -b "$to" ]; then return 1; fi
  logging || return 1
  session || return 2
  now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  [ "$now" ] || return 1
  # Only Node shrinks the log; without it, the log stops growing.
  [ -x "$node" ] || [ ! "$(find "$to" -size +1000000c)" ] || return 1
  # Only the session budget limits texts; for hooks without text Node looks now and then: a size check takes a process.
  case $why$now in ' '*0Z) [ ! -x "$node" ] || [ ! "$(find "$to" -size +1000000c)" ] || return 2 ;; esac
  p=${start:-$PWD}
  # Some shells don't know the class.
  case $p in *"$nl"* | *[[:cntrl:]]*) p= ;; esac
  d=
  while :; do
    case $p in *[\\\"]*) ;; *) break ;; esac
    t=${p%%[\\\"]*}; p=${p#"$t"}; d=$d$t\\${p%"${p#?}"}; p=${p#?}
  done
  d=$d$p
}

# Finds why the hook of the line $head has no text: $c. $why has the mark that stops it, or none: then its files do.
cause() {
  t=${head%% *}; head=${head#* }
  case $why in
    *" cooldown.$t: "*) c=cooldown.session ;;
    *" cooldown.$t:"*) c=cooldown ;;
    *" called.$t:"*) c=when.called ;;
    *) c=when.files ;;
  esac
}

note() {
  nl='
'
  try=
  case ${MCPHOOKS_WHY-} in *mcphooks-why) try=',"try":true' ;; esac
  to=
  while IFS= read -r head; do
    # Where Node writes the line, the umask stays: a server that Node starts would inherit it.
    case $to in '') to=$head; place && umask 077 && continue; [ $? -ne 2 ]; return ;; esac
    t=
    c=
    [ ! "$why" ] || cause
    # A hook without a tag gave no text.
    case $head in *'"tag":'*) k=$texts ;; *) k= ;; esac
    # Some shells are slow on a large text.
    if [ "$c" ]; then t=,\"silence\":\"$c\"
    elif [ "$k" ] && [ ${#out} -le 16384 ]; then
      # Only the tag tells naming lines from what a text imitates.
      k=${head#*\"tag\":\"}; k=${k%%\"*}
      t=${out#*"[mcphooks $k "}; t=${t#*']\n'}; out=${t#*'\n[/mcphooks '"$k"}; t=${t%%'\n[/mcphooks '"$k"*}
      case $head in *'"hidden":true'*) t= ;; esac
      [ "$t" ] && [ ${#t} -le 2500 ] && t=,\"text\":\"$t\" || t=
    fi
    printf '%s\n' "{\"at\":\"$now\",$head,\"session\":\"$s\",\"project\":\"$d\"$try$t}" >>"$to"
  done <"${lines:-$shim.log}"
  return 0
}

# Without such lines, only Node can tell which hooks matched.
if [ "$why" ] && [ ! "$lines" ]; then ! logging; else note; fi
