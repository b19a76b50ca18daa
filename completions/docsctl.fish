# fish completion for docsctl
function __docsctl_complete
  set -l words (commandline -opc) (commandline -ct)
  docsctl __complete $words[2..-1] 2>/dev/null
end
complete -c docsctl -f -a '(__docsctl_complete)'
complete -c docsctl -s f -l file -r -F
complete -c docsctl -l body -r -F
complete -c docsctl -l token-file -r -F
