# used.sh - what both tests ask of an installed tree. Sourced.
# shellcheck shell=bash
fail() {
    echo "FAILED: $1" >&2
    exit 1
}

expect() {  # expect TEXT COMMAND...: the command's output has the text
    local text=$1 output
    shift
    output=$("$@" 2>&1) || fail "$*: $output"
    [[ $output == *"$text"* ]] || fail "$*: expected '$text' in: $output"
}

# commands_of PAGE HEADING: what stands behind a dollar sign under a heading of a page.
commands_of() { sed -n "/^## $2\$/,/^## /s/^    \\$ //p" "$1"; }

# run_of_page COMMAND FOLDER: a command of a page, of the build $build, where ~ is FOLDER.
run_of_page() {
    HOME=$2 bash -euc "${1//build\/release/$build}" >"$2/log" 2>&1 || fail "$1: $(tail -n 30 "$2/log")"
}

# use_program PREFIX: the program finds the scenes that were installed with it.
use_program() {
    local program=$1/bin/stiction scenes=$1/share/stiction/scenes
    cp "$scenes/stack.yaml" "$scenes/only_here.yaml"
    (cd / && expect "state hash" env -u STICTION_SCENES "$program" run only_here --steps 10)
    (cd / && expect "solved" env -u STICTION_SCENES "$program" solve stick_slip)
    rm "$scenes/only_here.yaml"
    local command
    for command in $("$program" --help | sed -n '/^Subcommands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        grep -q "^.B $command$" "$1/share/man/man1/stiction.1" || fail "the man page lacks $command"
        for file in bash-completion/completions/stiction zsh/vendor-completions/_stiction; do
            grep -q "\b$command\b" "$1/share/$file" || fail "$file lacks $command"
        done
    done
    # Of the completion, as a shell calls it.
    expect "granular" env PATH="$1/bin:$PATH" bash -c "source '$1/share/bash-completion/completions/stiction'
        COMP_WORDS=(stiction gran) COMP_CWORD=1; _stiction; echo \"\${COMPREPLY[@]}\""
    expect "--trajectory" env PATH="$1/bin:$PATH" bash -c "source '$1/share/bash-completion/completions/stiction'
        COMP_WORDS=(stiction run --traj) COMP_CWORD=2; _stiction; echo \"\${COMPREPLY[@]}\""
}

# use_module PREFIX PYTHON: imported from there, with the scenes of there.
use_module() {
    [[ -d $1/lib/python3/dist-packages/stiction ]] || return 0
    (cd / && expect "$1/share/stiction/scenes" env -u STICTION_SCENES PYTHONPATH="$1/lib/python3/dist-packages" "$2" -c \
        "import stiction; world = stiction.World('grasp'); world.run(10); print(stiction.__file__, stiction.scenes_folder())")
}
