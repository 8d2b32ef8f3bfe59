/** Completion script of each shell; all call `bt complete`, so they need no update. */
export const COMPLETION_SCRIPTS = {
  bash: `# bash completion for bt: eval "$(bt completion bash)"
# Sets $plain to a word without its quotes and backslashes.
_bt_plain() {
  local char next quote="" word=$1
  plain=""
  while [[ $word ]]; do
    char=\${word:0:1} next=\${word:1:1} word=\${word:1}
    if [[ $char == "$quote" ]]; then
      quote=""
    elif [[ ! $quote && $char == [\\'\\"] ]]; then
      quote=$char
    elif [[ $char == \\\\ && ! $quote || $char == \\\\ && $quote == \\" && $next == [\\"\\\\\\$\\\`] ]]; then
      plain+=$next word=\${word:1}
    else
      plain+=$char
    fi
  done
}
_bt() {
  local line plain quote="" head="" piece="" rest=\${COMP_LINE:0:COMP_POINT}
  local -a words=()
  COMPREPLY=()
  for piece in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do # bash parts words at : and =, here they touch
    line=\${rest#"\${rest%%[![:space:]]*}"}
    ((\${#line} < \${#piece})) && piece=$line
    [[ $line != "$rest" || \${#words[@]} -eq 0 ]] && words+=("")
    head=\${words[-1]}
    words[-1]+=$piece
    rest=\${line#"$piece"}
  done
  [[ $piece == [:=]* ]] && head+=$piece piece=""
  head=\${head%@} # bash parts words at @, but replaces it
  [[ $piece == [\\'\\"]* ]] && quote=\${piece:0:1}
  _bt_plain "$head"
  head=$plain
  for line in "\${!words[@]}"; do
    _bt_plain "\${words[line]}"
    words[line]=$plain
  done
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      _bt_plain "$piece"
      mapfile -t COMPREPLY < <(compgen -f -- "$plain")
      compopt -o filenames
      return
    fi
    line="\${line%%$'\\t'*}"
    line="\${line:\${#head}}"
    [[ $quote ]] || printf -v line '%q' "$line"
    [[ $quote ]] || line=\${line//\\\\,/,}
    COMPREPLY+=("$line")
  done < <(bt complete -- "\${words[@]:1}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *: ]] && compopt -o nospace
}
complete -F _bt bt
`,
  zsh: `#compdef bt
# zsh completion for bt: bt completion zsh > "\${fpath[1]}/_bt"
_bt() {
  local line word about
  local -a found open
  local -a how=(-M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}')
  for line in "\${(@f)$(bt complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)\${:-$IPREFIX$PREFIX}}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      _files
      return
    fi
    word=\${line%%$'\\t'*} about=\${line#*$'\\t'}
    line=\${word//:/\\\\:}\${about:+:$about}
    if [[ $word == *: ]]; then # a value follows
      open+=("$line")
    elif [[ -n $word ]]; then
      found+=("$line")
    fi
  done
  _describe -V bt found $how -- open $how -S ''
}
if [[ $funcstack[1] == _bt ]]; then _bt "$@"; else compdef _bt bt; fi
`,
  fish: `# fish completion for bt: bt completion fish > ~/.config/fish/completions/bt.fish
function __bt_complete
    set -l token (commandline -ct)
    set -l last (string unescape -- $token; or string unescape -- $token"'"; or string unescape -- $token'"'; or echo $token)
    set -l words (commandline -opc) "$last[-1]"
    for line in (bt complete -- $words[2..] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path $token
        else
            echo $line
        end
    end
end
complete -c bt -k -f -a '(__bt_complete)'
`,
  powershell: `# PowerShell completion for bt: bt completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName bt -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @(foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
        if ($element.Extent.StartOffset -ge $cursorPosition) { break }
        $length = [Math]::Min($element.Extent.EndOffset, $cursorPosition) - $element.Extent.StartOffset
        $element.Extent.Text.Substring(0, $length) -replace '^([''"])(.*?)\\1?$', '$2' -replace "''", "'"
    })
    if (-not $wordToComplete) { $words += '' }
    $last = $words[-1]
    $typed = $wordToComplete -replace '^[''"]|[''"]$'
    $head = $last.Length - $typed.Length # PowerShell completes what follows a comma
    if ($head -lt 0) { $head = 0 }
    if ($last -eq '' -and $PSVersionTable.PSVersion -lt [version]'7.3') { $words[-1] = '""' }
    bt complete -- @words 2>$null | Where-Object { $_ -and $_ -ne ':files' } | ForEach-Object {
        $text, $about = $_ -split "\\t", 2
        $text = $text.Substring($head)
        $quoted = if ($text -match '^[\\w.:/+=-][\\w.:/@+=,-]*$') { $text } else { "'" + $text.Replace("'", "''") + "'" }
        if (-not $about) { $about = $text }
        [System.Management.Automation.CompletionResult]::new($quoted, $text, 'ParameterValue', $about)
    }
}
`,
} as const;
