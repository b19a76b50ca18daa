# PowerShell completion for docsctl
Register-ArgumentCompleter -Native -CommandName docsctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object {
    if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() }
  })
  if ($wordToComplete -eq '') { $words += '' }
  docsctl __complete @words 2>$null | Where-Object { $_ } | ForEach-Object {
    $word, $note = $_ -split "`t", 2
    if (-not $note) { $note = $word }
    $text = if ($word -match '[^\w@%+=:./-]') {
      # PowerShell also ends a text at typographic quotes.
      "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($word) + "'"
    } else { $word }
    [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $note)
  }
}
