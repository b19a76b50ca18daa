# fish completion for docsctl
function __docsctl_complete
  set -l before (commandline -opc)
  # The word at the cursor comes as it was typed: with backslashes, or behind a quote.
  set -l current (commandline -ct | string replace -r '^["\']' '' | string unescape)
  set -l found (docsctl __complete $before[2..-1] "$current" 2>/dev/null)
  if test "$found" != ''
    printf '%s\n' $found
  else if set -q found[1]
    __fish_complete_path "$current"
  end
end
complete -c docsctl -f -a '(__docsctl_complete)'
complete -c docsctl -s f -l file -r -F
complete -c docsctl -l body -r -F
complete -c docsctl -l token-file -r -F
