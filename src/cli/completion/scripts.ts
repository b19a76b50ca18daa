/** The completion script of each shell: each asks `docsctl __complete WORDS…` and shows what it prints. */
export const scripts: Readonly<Record<'bash' | 'zsh' | 'fish' | 'powershell', string>> = {
  bash: `# bash completion for docsctl
_docsctl() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" word
  local IFS=$'\\n'
  COMPREPLY=()
  for word in $(docsctl __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1); do
    COMPREPLY+=("$(printf '%q' "$word")")
  done
  if [ "\${#COMPREPLY[@]}" -eq 0 ] && [ "\${cur#-}" = "$cur" ]; then
    compopt -o default 2>/dev/null
  fi
}
complete -F _docsctl docsctl
`,
  zsh: `#compdef docsctl
_docsctl() {
  local -a found
  local word note
  while IFS=$'\\t' read -r word note; do
    found+=("\${word//:/\\\\:}:\${note}")
  done < <(docsctl __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    _describe 'docsctl' found
  else
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
  set -l words (commandline -opc) (commandline -ct)
  docsctl __complete $words[2..-1] 2>/dev/null
end
complete -c docsctl -f -a '(__docsctl_complete)'
complete -c docsctl -s f -l file -r -F
complete -c docsctl -l body -r -F
complete -c docsctl -l token-file -r -F
`,
  powershell: `# PowerShell completion for docsctl
Register-ArgumentCompleter -Native -CommandName docsctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  docsctl __complete @words 2>$null | ForEach-Object {
    $word, $note = $_ -split "\`t", 2
    if (-not $note) { $note = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $note)
  }
}
`,
};
