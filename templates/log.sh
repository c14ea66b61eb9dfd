# Read by the hook script (templates/shim.sh) after it has printed a prepared document, $out: writes its lines into the log.
# $shim.log holds the path of the log, then for each text its line but for what only this fire knows. Cut off anywhere,
# this file does nothing.

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

# Finds out when and where this is: $now, $s, and $d, the folder in which the client was started, as JSON.
place() {
  # A link may lead to any file, and a pipe would block. A log that node is renaming is neither.
  if [ -h "$to" ] || [ -p "$to" ] || [ -c "$to" ] || [ -b "$to" ]; then return 1; fi
  logging && session || return 1
  now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  [ "$now" ] || return 1
  p=${start:-$PWD}
  case $p in *"$nl"*) p= ;; esac
  d=
  while :; do
    case $p in *[\\\"]*) ;; *) break ;; esac
    t=${p%%[\\\"]*}; p=${p#"$t"}; d=$d$t\\${p%"${p#?}"}; p=${p#?}
  done
  d=$d$p
}

note() {
  nl='
'
  try=
  [ ! "${MCPHOOKS_WHY-}" ] || try=',"try":true'
  umask 077
  to=
  while IFS= read -r head; do
    case $to in '') to=$head; place || return; continue ;; esac
    t=
    # Some shells take long for a large text.
    if [ "$texts" ] && [ ${#out} -le 16384 ]; then
      t=${out#*'[mcphooks '}; t=${t#*']\n'}; out=${t#*'\n[/mcphooks '}; t=${t%%'\n[/mcphooks '*}
      [ ${#t} -le 2500 ] && t=,\"text\":\"$t\" || t=
    fi
    printf '%s\n' "{\"at\":\"$now\",$head,\"session\":\"$s\",\"project\":\"$d\"$try$t}" >>"$to"
  done <"$shim.log"
}

note
