import { findField } from "../../api/catalog.ts";
import { legalNames } from "../../api/legal-values.ts";
import { nearestNames } from "../../api/nearest.ts";
import { openJobs } from "../../config/jobs.ts";
import { readSettings, SETTINGS } from "../../config/settings.ts";
import { usage } from "../../errors.ts";
import type { CommandTree, Context, Input, VerbFunction } from "../verb.ts";
import { completeWord } from "./complete.ts";

/** `bt completion`: prints the script of a shell. */
export async function printCompletionScript(input: Input, context: Context): Promise<void> {
  const [shell = ""] = input.args;
  if (Object.hasOwn(COMPLETION_SCRIPTS, shell)) {
    return context.io.out(COMPLETION_SCRIPTS[shell as keyof typeof COMPLETION_SCRIPTS]);
  }
  const shells = Object.keys(COMPLETION_SCRIPTS);
  const [near] = nearestNames(shell, shells);
  throw usage(
    `no completion script for ${JSON.stringify(shell)}`,
    near ? `bt completion ${near}` : `valid values: ${shells.join(", ")}`,
  );
}

/** `bt complete`: prints one candidate per line, with a tab before its description; `:files` if a file is expected. */
export function wordCompletion(tree: CommandTree): VerbFunction {
  return async ({ args }, context) => {
    const found = await completeWord(args, tree, (name) => valuesOf(name, context));
    if (found.files) return context.io.out(":files\n");
    const typable = found.candidates.filter(({ text }) => !/\p{C}/u.test(text)); // a shell would print control characters unescaped
    const lines = typable.map(({ text, about }) => `${text}\t${about.replace(/\s+/g, " ")}\n`);
    await context.io.out(lines.join(""));
  };
}

/** Legal values of a field, or one of LISTS. */
async function valuesOf(name: string, context: Context): Promise<readonly string[]> {
  try {
    return (await LISTS[name]?.(context)) ?? (await cachedValues(name, context));
  } catch {
    return [];
  }
}

/** Completion sources other than field values. */
const LISTS: Readonly<Record<string, (context: Context) => Promise<readonly string[]>>> = {
  settings: async () => Object.keys(SETTINGS),
  shells: async () => Object.keys(COMPLETION_SCRIPTS),
  trackers: async () => Object.keys((await import("../auth/address.ts")).KNOWN_TRACKERS),
  profiles: async ({ io }) => Object.keys(readSettings(io.env).profiles ?? {}),
  jobs: async ({ io }) => openJobs(io).map(({ job }) => job),
  "field names": async ({ session }) => (await session.cachedCatalog())?.fields.map(({ api }) => api) ?? [],
};

/** Cached legal values of a field: completion never waits for a network tracker. */
async function cachedValues(name: string, context: Context): Promise<readonly string[]> {
  const catalog = await context.session.cachedCatalog();
  const field = catalog ? findField(catalog, name) : undefined;
  return field ? (legalNames(field) ?? []) : [];
}

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
}
complete -F _bt bt
`,
  zsh: `#compdef bt
# zsh completion for bt: bt completion zsh > "\${fpath[1]}/_bt"
_bt() {
  local line
  local -a found
  for line in "\${(@f)$(bt complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)\${:-$IPREFIX$PREFIX}}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      _files
      return
    fi
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe bt found -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}'
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
complete -c bt -f -a '(__bt_complete)'
`,
} as const;
