# bash completion for docsctl
_docsctl() {
  local cur="${COMP_WORDS[COMP_CWORD]}" word
  local IFS=$'\n'
  COMPREPLY=()
  for word in $(docsctl __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1); do
    COMPREPLY+=("$(printf '%q' "$word")")
  done
  if [ "${#COMPREPLY[@]}" -eq 0 ] && [ "${cur#-}" = "$cur" ]; then
    compopt -o default 2>/dev/null
  fi
}
complete -F _docsctl docsctl
