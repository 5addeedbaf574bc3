# Completion of stiction for bash: commands, shipped scenes, and the options that the program itself lists.
_stiction() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    local commands="view run scenes check replay compare solve bench export convert sweep"
    local models="viscous no_slip coulomb_lcp max_dissipation friction_box coulomb_cone"
    case $before in
        --model | --models) mapfile -t COMPREPLY < <(compgen -W "$models" -- "$word"); return ;;
        --narrowphase) mapfile -t COMPREPLY < <(compgen -W "exact bullet" -- "$word"); return ;;
    esac
    if [[ $word == -* ]]; then
        local options
        options=$(stiction "$command" --help 2>/dev/null | grep -oE -- '--[a-z0-9-]+' | sort -u)
        mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$word")
        return
    fi
    local scenes
    scenes=$(stiction scenes 2>/dev/null | awk '{ print $1 }')
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$commands $scenes" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -W "$scenes" -- "$word"; compgen -f -- "$word")
    fi
}
complete -o filenames -F _stiction stiction
