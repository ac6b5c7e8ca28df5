#!/usr/bin/env bash
# Everything that is claimed of tiles, on a machine with a GPU, nvcc, cuBLAS and compute-sanitizer: builds, checks results,
# runs the sanitizers over a covering set, and prints the goal table and the ladder.
#
# usage: tiles/bench/run_all.sh [--quick] [RESULTS]      RESULTS: a file that gets a copy; --quick leaves the sanitizers out
# TILES_ARCHITECTURES: what to build for (90a-real). Exit status 1 when a check failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

quick=false
if [ "${1:-}" = --quick ]; then quick=true; shift; fi
results=${1:-/dev/null}
build=build/tiles
failed=0

heading() { printf '\n== %s\n' "$*"; }
check() { "$@" || { failed=1; echo "FAILED: $*"; }; }

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
    if ! $quick; then
        for tool in memcheck racecheck synccheck; do
            heading "compute-sanitizer $tool"
            check compute-sanitizer --tool "$tool" --error-exitcode 1 "$build/bin/tiles_check_gemm" --covering | tail -n 4
            check compute-sanitizer --tool "$tool" --error-exitcode 1 "$build/bin/tiles_check_small" --covering | tail -n 3
        done
    fi
    heading "goals, each against cuBLAS in turn"
    "$build/bin/tiles_gemm_bench" --goals
    heading "small kernels against a device copy; streamed products"
    "$build/bin/tiles_small_bench" --streamed
    heading ladder
    "$build/bin/tiles" ladder
    [ $failed -eq 0 ] || { echo "some checks FAILED"; exit 1; }
}

everything 2>&1 | tee "$results"
