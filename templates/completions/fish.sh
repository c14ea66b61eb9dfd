# Completions of mcphooks for fish: mcphooks completions fish > ~/.config/fish/completions/mcphooks.fish
function __mcphooks_complete
    set -l token (commandline -ct)
    set -l words (commandline -opc) "$token"
    set -l candidates ($words[1] __complete $words[2..-1] 2>/dev/null)
    if count $candidates >/dev/null
        printf '%s\n' $candidates
    else
        __fish_complete_path "$token"
    end
end
complete -c mcphooks -f -a '(__mcphooks_complete)'
