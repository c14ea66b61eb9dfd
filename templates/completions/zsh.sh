#compdef mcphooks
# Completions of mcphooks for zsh, in ~/.zshrc behind compinit: source <(mcphooks completions zsh)
_mcphooks() {
  local line value
  local -a candidates
  for line in ${(f)"$(${words[1]} __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)"}; do
    value=${line%%$'\t'*}
    candidates+=("${value//:/\\:}:${line#*$'\t'}")
  done
  if (( ${#candidates} )); then
    _describe mcphooks candidates
  else
    _files
  fi
}
if [[ ${funcstack[1]} == _mcphooks ]]; then
  _mcphooks "$@"
else
  compdef _mcphooks mcphooks
fi
