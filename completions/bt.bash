# bash completion for bt: eval "$(bt completion bash)"
_bt() {
  local line word quote="" head=""
  local -a words=()
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do # bash parts --flag=value at the =
    if [[ ${#words[@]} -gt 0 && ( ${words[-1]} == --*= || ( $word == = && ${words[-1]} == --* ) ) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  [[ ${words[-1]} == --*=* ]] && head="${words[-1]%%=*}="
  [[ $word == [\'\"]* ]] && quote="${word:0:1}" && words[-1]="${words[-1]/"$quote"/}"
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      compopt -o filenames
      return
    fi
    line="${line%%$'\t'*}"
    line="${line#"$head"}"
    [[ $quote ]] && COMPREPLY+=("$line") || COMPREPLY+=("$(printf '%q' "$line")")
  done < <(bt complete -- "${words[@]}" 2>/dev/null)
}
complete -F _bt bt
