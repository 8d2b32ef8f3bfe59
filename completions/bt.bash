# bash completion for bt: eval "$(bt completion bash)"
_bt() {
  local line word="${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      compopt -o filenames
      return
    fi
    COMPREPLY+=("$(printf '%q' "${line%%$'\t'*}")")
  done < <(bt complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _bt bt
