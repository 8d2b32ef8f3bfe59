/** The completion script of each shell; all of them ask `bt complete`, so they never grow old. */
export const COMPLETION_SCRIPTS = {
  bash: `# bash completion for bt: eval "$(bt completion bash)"
_bt() {
  local line word quote="" head=""
  local -a words=()
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do # bash parts --flag=value at the =
    if [[ \${#words[@]} -gt 0 && ( \${words[-1]} == --*= || ( $word == = && \${words[-1]} == --* ) ) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  [[ \${words[-1]} == --*=* ]] && head="\${words[-1]%%=*}="
  [[ $word == [\\'\\"]* ]] && quote="\${word:0:1}" && words[-1]="\${words[-1]/"$quote"/}"
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      compopt -o filenames
      return
    fi
    line="\${line%%$'\\t'*}"
    line="\${line#"$head"}"
    [[ $quote ]] && COMPREPLY+=("$line") || COMPREPLY+=("$(printf '%q' "$line")")
  done < <(bt complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _bt bt
`,
  zsh: `#compdef bt
# zsh completion for bt: bt completion zsh > "\${fpath[1]}/_bt"
_bt() {
  local line
  local -a found
  for line in "\${(@f)$(bt complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      _files
      return
    fi
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe bt found
}
if [[ $funcstack[1] == _bt ]]; then _bt "$@"; else compdef _bt bt; fi
`,
  fish: `# fish completion for bt: bt completion fish > ~/.config/fish/completions/bt.fish
function __bt_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (bt complete -- $words[2..] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c bt -f -a '(__bt_complete)'
`,
} as const;
