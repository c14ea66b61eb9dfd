# Completions of mcphooks for PowerShell, for $PROFILE: mcphooks completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName mcphooks -ScriptBlock {
    param($word, $line, $cursor)
    $typed = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
    # Windows PowerShell drops an empty argument.
    $last = if ($word) { $word } else { '""' }
    $before = @($typed | Select-Object -Skip 1)
    & $typed[0] __complete @before $last 2>$null | ForEach-Object {
        $value, $about = $_ -split "`t", 2
        # PowerShell takes typographic quotes for quotes, so that one would end the name, and start what follows.
        $quoted = "'" + ($value -replace "[\u0027\u2018-\u201b]", '$0$0') + "'"
        $text = if ($value -match '^[\w./:@,-]+$') { $value } else { $quoted }
        $tip = if ($about) { $about } else { $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $tip)
    }
}
