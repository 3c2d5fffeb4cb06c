# SPDX-License-Identifier: LGPL-2.1-or-later
# Part of the Sofa-compatible simulation framework; see LICENSE.
#
# shellcheck shell=bash
# Sourced by ./run, ./test and .ci/run after they set `root`, the top folder of the source tree.

# sofa_jobs: how many compilers at once: one per core, and about 1.5 GB of free memory each. $SOFA_JOBS overrides.
sofa_jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo)
    [ "$memory" -ge 1 ] || memory=1
    echo "${SOFA_JOBS:-$((cores < memory ? cores : memory))}"
}

# sofa_progress: from ninja's lines, one line on the terminal that counts.
sofa_progress() {
    local line
    while IFS= read -r line; do
        case "$line" in '['*/*']'*) printf '\r\033[KBuilding %s' "${line%%]*}]" >&2 ;; esac
    done
    printf '\r\033[K' >&2
}

# sofa_build PRESET [TARGET...]: configures where needed and builds (everything, without targets). Quiet: what
# the tools say goes to build/PRESET.log, which is shown when something fails. $SOFA_CONFIGURE: options for CMake.
sofa_build() {
    # shellcheck disable=SC2154 # `root` comes from the sourcing script
    local preset=$1 build="$root/build/$1" log="$root/build/$1.log" status=0 configure=()
    shift
    mkdir -p "$root/build"
    exec {lock}>"$root/build/$preset.lock"
    flock "$lock"
    if [ ! -e "$build/build.ninja" ]; then
        configure=(cmake --preset "$preset" ${SOFA_CONFIGURE:-})
        [ -t 2 ] || echo "Building in $build" >&2
    elif ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
        configure=(cmake --preset "$preset" --fresh ${SOFA_CONFIGURE:-}) # the tree was moved
    elif [ "$root/tools/packages.txt" -nt "$build/build.ninja" ]; then
        configure=(cmake --preset "$preset" ${SOFA_CONFIGURE:-}) # packages came: they may bring parts of the program
    fi
    : >"$log"
    if [ ${#configure[@]} -gt 0 ]; then
        [ -t 2 ] && printf 'Configuring' >&2
        (cd "$root" && "${configure[@]}") >>"$log" 2>&1 || status=$?
        [ -t 2 ] && printf '\r\033[K' >&2
    fi
    if [ "$status" -eq 0 ]; then
        if [ -t 2 ]; then
            ninja -C "$build" -j "$(sofa_jobs)" "$@" 2>&1 | tee -a "$log" | sofa_progress
            status=${PIPESTATUS[0]}
        else
            ninja -C "$build" -j "$(sofa_jobs)" "$@" >>"$log" 2>&1 || status=$?
        fi
    fi
    exec {lock}>&-
    if [ "$status" -ne 0 ]; then
        tail -n 200 "$log" >&2
        echo "The build failed; the whole log is in $log" >&2
        return 1
    fi
}
