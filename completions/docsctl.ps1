# PowerShell completion for docsctl
Register-ArgumentCompleter -Native -CommandName docsctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  docsctl __complete @words 2>$null | ForEach-Object {
    $word, $note = $_ -split "`t", 2
    if (-not $note) { $note = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $note)
  }
}
