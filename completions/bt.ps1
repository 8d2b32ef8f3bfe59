# PowerShell completion for bt: bt completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName bt -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @(foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
        if ($element.Extent.StartOffset -ge $cursorPosition) { break }
        $length = [Math]::Min($element.Extent.EndOffset, $cursorPosition) - $element.Extent.StartOffset
        $element.Extent.Text.Substring(0, $length) -replace '^([''"])(.*?)\1?$', '$2' -replace "''", "'"
    })
    if (-not $wordToComplete) { $words += '' }
    $last = $words[-1]
    $typed = $wordToComplete -replace '^[''"]|[''"]$'
    $head = $last.Length - $typed.Length # PowerShell completes what follows a comma
    if ($head -lt 0) { $head = 0 }
    if ($last -eq '' -and $PSVersionTable.PSVersion -lt [version]'7.3') { $words[-1] = '""' }
    bt complete -- @words 2>$null | Where-Object { $_ -and $_ -ne ':files' } | ForEach-Object {
        $text, $about = $_ -split "\t", 2
        $text = $text.Substring($head)
        $quoted = if ($text -match '^[\w.:/+=-][\w.:/@+=,-]*$') { $text } else { "'" + $text.Replace("'", "''") + "'" }
        if (-not $about) { $about = $text }
        [System.Management.Automation.CompletionResult]::new($quoted, $text, 'ParameterValue', $about)
    }
}
