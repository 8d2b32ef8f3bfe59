# fish completion for bt: bt completion fish > ~/.config/fish/completions/bt.fish
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
