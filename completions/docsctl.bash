# bash completion for docsctl
_docsctl() {
  local cur="${COMP_WORDS[COMP_CWORD]}" word escape='' takes_file=''
  local -a words=()
  COMPREPLY=()
  # Bash gives words as they were typed: with quotes and backslashes.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    case "$word" in
      =) continue ;; # of --org=Acme
      '"'*) word="${word#'"'}"; word="${word%'"'}"; word="${word//\\/}" ;;
      "'"*) word="${word#"'"}"; word="${word%"'"}" ;;
      *) word="${word//\\/}" ;;
    esac
    words+=("$word")
  done
  [ "$cur" != = ] || words+=('')
  # Titles come from others: the shell must not run a part of one, not even within the quotes that were typed.
  case "$cur" in
    '"'*) escape='s/[\\"$`]/\\&/g;s/!/"'"'"'!'"'"'"/g;s/^"/""/' ;;
    "'"*) escape="s/'/'\\\\''/g" ;;
  esac
  while IFS= read -r word; do
    [ -n "$word" ] || { takes_file=1; continue; }
    case "$cur" in
      ['"'"'"]*) COMPREPLY+=("$word") ;;
      *) # A ":" or "=" would end the word. A "," needs no backslash.
        word="$(printf '%q' "$word")"
        word="${word//\\,/,}"
        word="${word//:/\\:}"
        COMPREPLY+=("${word//=/\\=}")
        ;;
    esac
  done < <(docsctl __complete "${words[@]}" 2>/dev/null | cut -f1 | sed "$escape")
  if [ -n "$takes_file" ]; then
    compopt -o default 2>/dev/null
  fi
}
complete -F _docsctl docsctl
