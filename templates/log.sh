# Read by the hook script (templates/shim.sh) after it has printed a prepared document, $out, or when $why tells what
# keeps its hooks from a text: writes their lines into the log. $shim.log and $shim.quiet ($lines) hold the path of the
# log, then for each hook its line but for what only this fire knows. Cut off anywhere, this file does nothing.

# Whether the configuration file leaves the log on; $texts: whether texts stand in the log. src/fire/log.ts reads the
# file in the same way.
logging() {
  texts=
  t=${XDG_CONFIG_HOME:-$HOME/.config}/mcphooks/config.json
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

# Finds out when and where this is: $now, $s, and $d, the folder in which the client was started, as JSON. Ends with 1
# where there is no log to write, and with 2 when node must write it.
place() {
  # A link may lead to any file, and a pipe would block. A log that node is renaming is neither.
  if [ -h "$to" ] || [ -p "$to" ] || [ -c "$to" ] || [ -b "$to" ]; then return 1; fi
  logging && session || return 1
  now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  [ "$now" ] || return 1
  # Only node makes the log smaller. Nothing else limits how often hooks have no text, and a look takes a process.
  case $why$now in ' '*0Z) [ ! -x "$node" ] || [ ! "$(find "$to" -size +1000000c)" ] || return 2 ;; esac
  p=${start:-$PWD}
  case $p in *"$nl"*) p= ;; esac
  d=
  while :; do
    case $p in *[\\\"]*) ;; *) break ;; esac
    t=${p%%[\\\"]*}; p=${p#"$t"}; d=$d$t\\${p%"${p#?}"}; p=${p#?}
  done
  d=$d$p
}

# Finds out why the hook of the line $head has no text: $c. In $why is the mark that holds it, or none: its files.
cause() {
  t=${head#*\"n\":}; t=${t%%,*}
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
  [ ! "${MCPHOOKS_WHY-}" ] || try=',"try":true'
  umask 077
  to=
  while IFS= read -r head; do
    case $to in '') to=$head; place && continue; [ $? -ne 2 ]; return ;; esac
    t=
    c=
    [ ! "$why" ] || cause
    # Some shells take long for a large text.
    if [ "$c" ]; then t=,\"silence\":\"$c\"
    elif [ "$texts" ] && [ ${#out} -le 16384 ]; then
      t=${out#*'[mcphooks '}; t=${t#*']\n'}; out=${t#*'\n[/mcphooks '}; t=${t%%'\n[/mcphooks '*}
      [ ${#t} -le 2500 ] && t=,\"text\":\"$t\" || t=
    fi
    printf '%s\n' "{\"at\":\"$now\",$head,\"session\":\"$s\",\"project\":\"$d\"$try$t}" >>"$to"
  done <"${lines:-$shim.log}"
  return 0
}

# Without such lines only node can tell which hooks matched.
if [ "$why" ] && [ ! "$lines" ]; then ! logging; else note; fi
