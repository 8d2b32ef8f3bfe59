# bash completion for bt: eval "$(bt completion bash)"
# Sets $plain to a word without its quotes and backslashes.
_bt_plain() {
  local char next quote="" word=$1
  plain=""
  while [[ $word ]]; do
    char=${word:0:1} next=${word:1:1} word=${word:1}
    if [[ $char == "$quote" ]]; then
      quote=""
    elif [[ ! $quote && $char == [\'\"] ]]; then
      quote=$char
    elif [[ $char == \\ && ! $quote || $char == \\ && $quote == \" && $next == [\"\\\$\`] ]]; then
      plain+=$next word=${word:1}
    else
      plain+=$char
    fi
  done
}
_bt() {
  local line plain quote="" head="" piece="" rest=${COMP_LINE:0:COMP_POINT}
  local -a words=()
  COMPREPLY=()
  for piece in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do # bash parts words at : and =, here they touch
    line=${rest#"${rest%%[![:space:]]*}"}
    ((${#line} < ${#piece})) && piece=$line
    [[ $line != "$rest" || ${#words[@]} -eq 0 ]] && words+=("")
    head=${words[-1]}
    words[-1]+=$piece
    rest=${line#"$piece"}
  done
  [[ $piece == [:=]* ]] && head+=$piece piece=""
  head=${head%@} # bash parts words at @, but replaces it
  [[ $piece == [\'\"]* ]] && quote=${piece:0:1}
  _bt_plain "$head"
  head=$plain
  for line in "${!words[@]}"; do
    _bt_plain "${words[line]}"
    words[line]=$plain
  done
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      _bt_plain "$piece"
      mapfile -t COMPREPLY < <(compgen -f -- "$plain")
      compopt -o filenames
      return
    fi
    line="${line%%$'\t'*}"
    line="${line:${#head}}"
    [[ $quote ]] || printf -v line '%q' "$line"
    [[ $quote ]] || line=${line//\\,/,}
    COMPREPLY+=("$line")
  done < <(bt complete -- "${words[@]:1}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[:=] ]] && compopt -o nospace
}
complete -F _bt bt
