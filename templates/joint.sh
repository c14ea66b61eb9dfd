#!/bin/sh
>&2 trap 'exit 0' EXIT; exec 2>/dev/null
joint=@SHIM@
# Written by mcphooks. The client doesn't use each hook's text for this event, so one entry serves all servers:
# it runs their scripts in parallel and prints one document with their texts, or nothing; it always exits with 0.
# $joint.d contains a file for each server, with the digest in its script's path. A truncated script does nothing: only
# the last line calls the function with the work.

# Prints $1. A long text is too long for an argument of an external printf.
show() {
  printf '%s\n' "$1" || cat <<E
$1
E
}

# Prints the documents of these scripts, one per line. All scripts run in parallel, as sides of pipes. Each finds its own
# path in $1: a project's files may set any variable.
documents() {
  case $# in
    0) ;;
    1) show "$in" | (. "$1") ;;
    *)
      show "$in" | (. "$1") | {
        shift
        rest=$(documents "$@")
        IFS= read -r one
        show "$one"
        show "$rest"
      }
      ;;
  esac
}

# Takes the text out of a document, JSON escapes included: $one. A document may contain its text twice.
text_of() {
  one=${1#"$head"}
  case $middle in '') one=${one%"$tail"} ;; *) one=${one%%"$middle"*} ;; esac
}

# Joins the texts of the documents in $said, highest priority first: $text; $top: the first one. The headings of texts
# contain the priority, and begin with a tag that no text can imitate.
join_texts() {
  must= should= may=
  top_must= top_should= top_may=
  IFS=$line
  set -f
  for one in $said; do
    case $one in "$head"*"$tail") text_of "$one" ;; *) continue ;; esac
    # A heading ends at the first ]\n: a name has its own escaped twice. Those of a document differ after the name only.
    heading=${one%%']\n'*}
    rank=1
    for event in @EVENTS@; do
      next=$between${heading%'\" | '*}'\" | '$event
      case $rank$between$one in
        *"$next"' | required]\n'* | *"$next"' | required | '*) rank=3; break ;;
        1*"$next"' | important]\n'* | 1*"$next"' | important | '*) rank=2 ;;
      esac
    done
    case $rank in
      3) must=$must$between$one; top_must=${top_must:-$one} ;;
      2) should=$should$between$one; top_should=${top_should:-$one} ;;
      1) may=$may$between$one; top_may=${top_may:-$one} ;;
    esac
  done
  set +f
  unset IFS
  text=$must$should$may
  text=${text#"$between"}
  top=${top_must:-${top_should:-$top_may}}
}

# Prints a document with as many whole texts as the client takes: Node measures them. Ends Node after 5 s.
fitting() {
  node=@NODE@
  { [ -f "$node" ] && [ -x "$node" ]; } || node=node
  unset NODE_OPTIONS NODE_PATH NODE_DEBUG NODE_V8_COVERAGE NODE_CHANNEL_FD NODE_COMPILE_CACHE
  show "$said" | "$node" @RUNTIME@ "$joint" "$cap" &
  child=$!
  (
    trap 'kill -9 $nap && wait $nap; exit' USR1
    for i in 1 2 3 4 5; do
      sleep 1 &
      nap=$!
      wait $nap && kill -0 $child || exit
    done
    kill -9 $child
  ) </dev/null >/dev/null &
  watch=$!
  wait $child
  kill -USR1 $watch && wait $watch
}

# Whether another scope has such an entry: the user, the user in a project, or the project. A project's files are only
# looked at, never run. Its script counts where the client's file names it: the client runs no other.
elsewhere() {
  for f in "$data/joint/$me" "$data"/local/*/mcphooks/joint/$me; do
    [ "$f" = "$joint" ] || [ ! -f "$f" ] || return 0
  done
  [ @SCOPE@ != project ] || return 1
  f=${@START@:-$PWD}
  case $f in /*) ;; *) f=$PWD ;; esac
  while [ "$f" ]; do
    if [ -f "$f/.mcphooks/joint/$me" ] && [ -s "$f/.mcphooks/joint/$me" ]; then
      for p in @FILES@; do
        # A clone's file may be a link to one without an end. Those of the system say that they are empty, and no client
        # reads one of more than 16 MB (src/base/read-file.ts).
        [ -s "$f/$p" ] && [ "$(find -H "$f/$p" -prune -type f -size -32769)" ] || continue
        ! grep -q "[.]mcphooks/joint/$me[^A-Za-z_]" "$f/$p" || return 0
      done
    fi
    if [ -e "$f/.git" ] || [ "$f" = "$HOME" ]; then return 1; fi
    f=${f%/*}
  done
  return 1
}

# True when the client's version, three numbers in a variable of its own, is one that uses the texts of all hooks.
uses_all() {
  IFS=.-
  set -f
  set -- @LIMIT@ @VERSION@
  set +f
  unset IFS
  [ $# -ge 6 ] || return
  case $4$5$6 in *[!0-9]*) return 1 ;; esac
  for f in 1 2; do [ "$1" -ne "$4" ] || shift; done
  [ "$1" -le "$4" ]
}

# Names the files through which the entries of several scopes pass texts for this payload.
meet() {
  mask=$(umask)
  umask 077
  at=@STATE@
  case $at in /*) at=$at/handed ;; *) return 1 ;; esac
  # Below a folder with a default ACL, only -m counts. The state folder closes those in it.
  [ -d "${at%/*}" ] || mkdir -p -m 700 "${at%/*}" || return 1
  [ -d "$at" ] || mkdir -p "$at" || return 1
  # Texts that no entry took.
  find "$at" -type f -mmin +2 -exec rm -f {} + </dev/null >/dev/null &
  sum=$(show "$in" | cksum) || return 1
  at=$at/@CLIENT@.@NATIVE@.${sum%% *}.${sum##* }
}

# Leaves the text for the entry whose text the client may use instead of this one's. On a full disk, that entry must not
# wait.
leave() {
  if show "$text" >"$at.new.@SCOPE@"; then mv -f "$at.new.@SCOPE@" "$at.@SCOPE@"
  else rm -f "$at.new.@SCOPE@" "$at.begun.@SCOPE@"
  fi
}

# Adds texts that other entries left to $said. Where all entries start in parallel, waits for one at work, and 1 s for
# one that hasn't begun.
take() {
  i=0
  while [ @TAKES@ = wait ] && [ $i -lt 200 ]; do
    f=; begun=
    for f in "$at".begun.*; do [ ! -f "$f" ] || { begun=1; f=$at.${f##*.}; break; }; done
    if [ "$begun" ]; then [ ! -f "$f" ] || break; elif [ $i -ge 20 ]; then break; fi
    sleep 0.05 || { sleep 1; i=$((i + 19)); }
    i=$((i + 1))
  done
  for f in "$at".*; do
    case $f in "$at".begun.* | "$at".new.* | "$at.@SCOPE@") continue ;; esac
    one=
    [ ! -f "$f" ] || IFS= read -r one <"$f"
    [ ! "$one" ] || said=$said$line$head$one${middle:+$middle$one}$tail
  done
  rm -f "$at".*
}

joint() {
  set +efuC
  # Where the size of files has a limit (ulimit -f), a write fails instead of ending the shell, as in Node.
  trap '' XFSZ
  # Functions exported by a calling bash would replace these.
  unset -f cat cksum find grep kill mkdir mv printf read rm sleep umask wait
  # As a variable of the client's it stays exported: a payload would be too long to start any program.
  unset in
  # If stdin is closed, bash passes a command's own output to it as its input.
  true 3<&0 || exec </dev/null
  head=@HEAD@ middle=@MIDDLE@ tail=@TAIL@ cap=@CAP@
  between='\n\n'
  line='
'
  me=${joint##*/joint/}
  data=@DATA@
  set --
  for f in "$joint.d"/*; do
    d=
    [ ! -f "$f" ] || read -r d <"$f"
    f=${joint%/*/*/*}/hooks/${f##*/}/$d/$me
    [ ! "$d" ] || [ ! -f "$f" ] || set -- "$@" "$f"
  done
  other=
  uses_all || { elsewhere && other=1; }
  case $#$other in 1) . "$1"; return ;; esac
  in=$(cat)
  leaves= takes= mask=
  if [ "$other" ]; then
    # Where the client counts all hooks together, each entry gets half.
    [ ! @SHARES@ ] || cap=$((cap / 2))
    leaves=@LEAVES@ takes=@TAKES@
    if [ "$leaves$takes" ]; then meet || leaves= takes=; fi
    # Not with `:`, a special builtin: where the file can't be written, that would end the shell.
    [ "$leaves" != always ] || printf '' >"$at.begun.@SCOPE@"
  fi
  # Servers get the client's umask.
  said=$([ ! "$mask" ] || umask "$mask"; documents "$@")
  join_texts
  if [ "$takes" ] && [ "$text" ]; then take; join_texts; fi
  out=
  case $text in
    '') out=@SILENT@ ;;
    *)
      if [ "$cap" ] && [ ${#text} -gt "$cap" ]; then out=$(fitting); text=$top; fi
      case $out in
        "$head"*"$tail") text_of "$out"; text=$one ;;
        *) out=$head$text${middle:+$middle$text}$tail ;;
      esac
      ;;
  esac
  case $leaves$text in always* | text?*) leave ;; esac
  case $out in ?*) trap '' PIPE; show "$out" ;; esac
}

joint
