# fish completion for bt: bt completion fish > ~/.config/fish/completions/bt.fish
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
