#!/usr/bin/env bash
# Everything that is claimed of tiles, on a machine with a GPU, nvcc, cuBLAS and compute-sanitizer: builds, checks results,
# measures, runs the sanitizers over a covering set, and says which goals were met.
#
# usage: tiles/bench/run_all.sh [--quick] [RESULTS]      RESULTS: a file that gets a copy; --quick leaves the sanitizers out
# TILES_ARCHITECTURES: what to build for (90a-real). Exit status 1 when a check failed; a missed goal is no failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

quick=false
if [ "${1:-}" = --quick ]; then quick=true; shift; fi
build=build/tiles
results=${1:-$build/results.txt}
mkdir -p "$build"
failed=0

heading() { printf '\n== %s (after %d s)\n' "$*" $SECONDS; }
check() { "$@" || { failed=1; echo "FAILED: $*"; }; }

# The reference products are none of the library's and would take most of the time.
sanitize() {
    local log=$build/$1-$2.log
    compute-sanitizer --tool "$1" --kernel-name-exclude kns=reference --error-exitcode 1 "$build/bin/$2" --covering \
        >"$log" 2>&1 || { tail -n 30 "$log"; return 1; }
    tail -n 2 "$log"
}

everything() {
    date -u '+%Y-%m-%d %H:%M UTC'
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem --format=csv,noheader
    nvcc --version | sed -n 's/^Cuda compilation tools, //p'
    heading build
    cmake -S tiles -B "$build" -DTILES_ARCHITECTURES="${TILES_ARCHITECTURES:-90a-real}" >/dev/null
    if ! cmake --build "$build" -j "$(nproc)" >"$build/log" 2>&1; then tail -n 30 "$build/log"; exit 1; fi
    heading "results against float64"
    check "$build/bin/tiles_check_gemm"
    check "$build/bin/tiles_check_small"
    check "$build/bin/tiles_check_concurrent"
    heading "products against cuBLAS in turn"
    "$build/bin/tiles_gemm_bench" --goals
    heading "small kernels against a device copy; streamed products"
    "$build/bin/tiles_small_bench" --streamed
    heading ladder
    "$build/bin/tiles" ladder
    if ! $quick; then
        for tool in memcheck racecheck synccheck; do
            heading "compute-sanitizer $tool"
            check sanitize "$tool" tiles_check_gemm
            check sanitize "$tool" tiles_check_small
        done
    fi
    [ $failed -eq 0 ] || { echo "some checks FAILED"; exit 1; }
}

set +e # a subshell of its own, so that the first failing command ends it and the goals are read all the same
(set -e; everything) 2>&1 | tee "$results"
status=${PIPESTATUS[0]}
{ heading goals; python3 tiles/bench/goals.py "$results"; } >"$build/goals.txt" 2>&1
tee -a "$results" <"$build/goals.txt"
exit "$status"
