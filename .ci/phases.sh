# phases.sh - what ./run and ./test share: named phases with their time, and the CMake calls. Sourced, not run.
# A phase prints one line; its output goes to a log that is shown when the phase fails.
# shellcheck shell=bash

# phase NAME LOG COMMAND...: ends the script with status 1 when the command fails.
phase() {
    local name=$1 log=$2 start=$EPOCHREALTIME
    shift 2
    mkdir -p "$(dirname "$log")"
    printf '%-24s ' "$name"
    if "$@" >"$log" 2>&1; then
        awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f s\n", b - a }'
        return
    fi
    echo "FAILED"
    tail -n 100 "$log" >&2
    printf '\n%s: phase "%s" failed; all of its output is in %s\n' "$(basename "$0")" "$name" "$log" >&2
    exit 1
}

# configure PRESET [-DNAME=VALUE...]
configure() {
    local preset=$1 launcher=()
    shift
    # What ccache needs to be told before it accepts precompiled headers; no source uses __TIME__.
    command -v ccache >/dev/null &&
        launcher=("-DCMAKE_CXX_COMPILER_LAUNCHER=env;CCACHE_SLOPPINESS=pch_defines,time_macros;ccache")
    phase "configure ($preset)" "build/$preset/configure.log" cmake --preset "$preset" "${launcher[@]}" "$@"
}

# build PRESET [TARGET...]
build() {
    local preset=$1
    shift
    phase "build ($preset)" "build/$preset/build.log" ninja -C "build/$preset" -j "$(nproc)" "$@"
}
