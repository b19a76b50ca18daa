/** The completion scripts of the shells. Each runs `docsctl __complete WORDS…` and shows its output. */
export const scripts: Readonly<Record<'bash' | 'zsh' | 'fish' | 'powershell', string>> = {
  bash: `# bash completion for docsctl
_docsctl() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" word escape='' takes_file=''
  local -a words=()
  COMPREPLY=()
  # Bash gives words as they were typed: with quotes and backslashes.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    case "$word" in
      =) continue ;; # of --org=Acme
      '"'*) word="\${word#'"'}"; word="\${word%'"'}"; word="\${word//\\\\/}" ;;
      "'"*) word="\${word#"'"}"; word="\${word%"'"}" ;;
      *) word="\${word//\\\\/}" ;;
    esac
    words+=("$word")
  done
  [ "$cur" != = ] || words+=('')
  # Titles come from others: the shell must not run a part of one, not even within the quotes that were typed.
  case "$cur" in
    '"'*) escape='s/[\\\\"$\`]/\\\\&/g;s/!/"'"'"'!'"'"'"/g;s/^"/""/' ;;
    "'"*) escape="s/'/'\\\\\\\\''/g" ;;
  esac
  while IFS= read -r word; do
    [ -n "$word" ] || { takes_file=1; continue; }
    case "$cur" in
      ['"'"'"]*) COMPREPLY+=("$word") ;;
      *) # A ":" or "=" would end the word. A "," needs no backslash.
        word="$(printf '%q' "$word")"
        word="\${word//\\\\,/,}"
        word="\${word//:/\\\\:}"
        COMPREPLY+=("\${word//=/\\\\=}")
        ;;
    esac
  done < <(docsctl __complete "\${words[@]}" 2>/dev/null | cut -f1 | sed "$escape")
  if [ -n "$takes_file" ]; then
    compopt -o default 2>/dev/null
  fi
}
complete -F _docsctl docsctl
`,
  zsh: `#compdef docsctl
_docsctl() {
  local -a found
  local word note takes_file
  while IFS=$'\\t' read -r word note; do
    [[ -n $word ]] || { takes_file=1; continue; }
    found+=("\${word//:/\\\\:}:\${note}")
  done < <(docsctl __complete "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  if (( \${#found} )); then
    _describe 'docsctl' found
  elif [[ -n $takes_file ]]; then
    _files
  fi
}
if [ "\${funcstack[1]}" = "_docsctl" ]; then
  _docsctl "$@"
else
  compdef _docsctl docsctl
fi
`,
  fish: `# fish completion for docsctl
function __docsctl_complete
  set -l before (commandline -opc)
  # The word at the cursor comes as it was typed: with backslashes, or behind a quote.
  set -l current (commandline -ct | string replace -r '^["\\']' '' | string unescape)
  set -l found (docsctl __complete $before[2..-1] "$current" 2>/dev/null)
  if test "$found" != ''
    printf '%s\\n' $found
  else if set -q found[1]
    __fish_complete_path "$current"
  end
end
complete -c docsctl -f -a '(__docsctl_complete)'
complete -c docsctl -s f -l file -r -F
complete -c docsctl -l body -r -F
complete -c docsctl -l token-file -r -F
`,
  powershell: `# PowerShell completion for docsctl
Register-ArgumentCompleter -Native -CommandName docsctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object {
    if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() }
  })
  if ($wordToComplete -eq '') { $words += '' }
  docsctl __complete @words 2>$null | Where-Object { $_ } | ForEach-Object {
    $word, $note = $_ -split "\`t", 2
    if (-not $note) { $note = $word }
    $text = if ($word -match '[^\\w@%+=:./-]') {
      # PowerShell also ends a text at typographic quotes.
      "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($word) + "'"
    } else { $word }
    [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $note)
  }
}
`,
};
