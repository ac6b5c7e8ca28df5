"""Runs the ladder's fp32 rungs on the CPU and holds each to the counts that its idea promises.

usage: ladder_on_cpu.py TILESCOPE ROOT     (exit status 77: there is no nvcc)

The program's first product is 128 x 256 x 64 with whole tiles; that one's counts are looked at. Results are checked by the
program itself, for ragged edges as well.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

M, N, K = 128, 256, 64
FMA = M * N * K


def nvcc():
    usual = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc")
    return shutil.which("nvcc") or (usual if os.access(usual, os.X_OK) else None)


def traffic(tile_m, tile_n):
    """Sectors of A and B that tiles of this size ask of global memory, once each per block."""
    return (M // tile_m) * (N // tile_n) * (tile_m + tile_n) * K * 4 // 32


def promises(counts):
    """(what, whether it holds) for every rung, from the counts by rung."""
    naive, coalesced, shared = counts["f32_naive"], counts["f32_coalesced"], counts["f32_shared_tile"]
    checked, dynamic, coarse = counts["checked_tile"], counts["f32_dynamic_tile"], counts["f32_coarsened"]
    register, vector, pipeline = counts["f32_register_tile"], counts["f32_vectorised"], counts["f32_pipeline"]
    loads, sectors = "global_load_requests", "global_load_sectors"
    yield "naive: a warp's access of A touches 32 sectors", naive[sectors] > 16 * naive[loads]
    yield "coalesced: 1 sector for A and 4 for B", 2 * coalesced[sectors] == 5 * coalesced[loads]
    yield "coalesced: stores of 4 sectors", coalesced["global_store_sectors"] == 4 * coalesced["global_store_requests"]
    yield "shared tile: each tile is read once", shared[sectors] == traffic(32, 32)
    yield "shared tile: 32 times fewer loads", shared[loads] * 32 == coalesced[loads]
    yield "checked: the checks cost no traffic", checked[sectors] == shared[sectors]
    yield "dynamic: half the width, twice the traffic", dynamic[sectors] == traffic(16, 16) == 2 * checked[sectors]
    yield "coarsened: tiles of 64 x 64", coarse[sectors] == traffic(64, 64)
    wide = "shared_load_bytes_requested"
    yield "coarsened: fewer floats from shared memory for each FMA", coarse[wide] < 1.2 * 4 * FMA < shared[wide]
    yield "register tile: tiles of 128 x 128", register[sectors] == traffic(128, 128)
    yield "register tile: 16 floats feed 64 FMA", register[wide] == FMA * 4 * 16 // 64
    yield "vectorised: the same bytes in a quarter of the instructions", (
        vector[wide] == register[wide] and vector["shared_load_instructions"] * 4 == register["shared_load_instructions"])
    yield "vectorised: global loads of 16 bytes", vector[loads] * 4 == register[loads]
    for name, count in counts.items():
        if name != "f32_naive":
            yield f"{name}: no bank conflicts", (
                count["shared_load_bank_conflicts"] == 0 and count["shared_store_bank_conflicts"] == 0)
    yield "pipeline: every tile comes by cp.async, none through registers", (
        pipeline["async_copy_instructions"] == pipeline[loads] > 0
        and pipeline["global_load_instructions"] == pipeline["shared_store_instructions"] == 0)
    yield "pipeline: tiles of 64 x 128, each read once", pipeline["global_load_bytes_requested"] == traffic(64, 128) * 32
    # Rows of B lie 528 bytes apart: every second one begins within a sector, for which an H200 reads one more of each of
    # its four lines (docs/internals/rules/async-copies.md).
    rows = (M // 64) * (N // 128) * K
    yield "pipeline: padding costs sectors", pipeline[sectors] == traffic(64, 128) + rows // 2 * 4


def main():
    tool, root = sys.argv[1:]
    if nvcc() is None:
        print("skipped: no nvcc on this machine")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        program, profile = pathlib.Path(folder) / "ladder", pathlib.Path(folder) / "profile.json"
        subprocess.run([nvcc(), "-std=c++17", "-O3", "-arch=sm_80", "-cudart", "shared", "-I", root, "-o", program,
                        pathlib.Path(root) / "tests/tiles/ladder_on_cpu.cu"], check=True)
        done = subprocess.run([tool, "run", "-q", "--json", profile, program], capture_output=True, text=True)
        sys.stdout.write(done.stdout)
        sys.stderr.write(done.stderr)
        launches = json.loads(profile.read_text())["launches"] if profile.exists() else []
    failed = done.returncode != 0 or "FAIL" in done.stdout or done.stdout.count("PASS") != 17
    counts = {}
    for launch in launches:
        name = launch["kernel"].split("(")[0].split("<")[0].split("::")[-1]
        counts.setdefault(name, launch["counters"])  # the first launch: whole tiles
    for what, holds in promises(counts):
        print("PASS" if holds else "FAIL", what)
        failed |= not holds
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
