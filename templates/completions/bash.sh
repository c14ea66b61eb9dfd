# Completions of mcphooks for bash, in ~/.bashrc: source <(mcphooks completions bash)
_mcphooks() {
  local word glue='' prefix='' candidate
  local -a words
  words=()
  # bash breaks words at ':' and '=' too.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ( -n $glue || $word == [:=]* ) ]]; then
      words[${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    glue=''
    [[ $word == *[:=] ]] && glue=1
  done
  word=${words[${#words[@]}-1]}
  [[ $COMP_WORDBREAKS == *:* ]] && prefix=${word%"${word##*:}"}
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    candidate=${candidate#"$prefix"}
    [[ $candidate == *[!A-Za-z0-9_.,:/@+=-]* ]] && printf -v candidate %q "$candidate"
    COMPREPLY+=("$candidate")
  done < <("$1" __complete "${words[@]//\\/}" 2>/dev/null)
}
complete -o default -F _mcphooks mcphooks
