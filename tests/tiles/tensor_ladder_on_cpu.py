"""Runs the tensor-core rungs on the CPU and holds each to the counts that its idea promises.

usage: tensor_ladder_on_cpu.py TILESCOPE ROOT     (exit status 77: there is no nvcc)

Results are checked by the program itself, for ragged edges as well; counts are looked at of the first product of a rung.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

MMA, WGMMA = 0, 6  # launches


def nvcc():
    usual = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc")
    return shutil.which("nvcc") or (usual if os.access(usual, os.X_OK) else None)


def promises(launches):
    """(what, whether it holds)."""
    mma, wgmma = launches[MMA]["counters"], launches[WGMMA]["counters"]
    m, n, k = 128, 128, 128
    yield "mma: every factor comes once, by cp.async", mma["global_load_bytes_requested"] == (m + n) * k * 2
    # Every second of its padded rows begins within a sector: an H200 reads five for four (docs/internals/rules/async-copies.md).
    yield "mma: padding costs sectors", mma["global_load_sectors"] * 4 == (m + n) * k * 2 // 32 * 5
    yield "mma: operations", mma["tensor_bf16_operations"] == 2 * m * n * k
    yield "mma: ldmatrix without conflicts", mma["matrix_load_requests"] > 0 and mma["shared_load_bank_conflicts"] == 0
    m, n, k = 128, 256, 320
    yield "wgmma: every factor comes once, by cp.async", wgmma["global_load_sectors"] == (m + n) * k * 2 // 32
    yield "wgmma: operations", wgmma["tensor_bf16_operations"] == 2 * m * n * k
    yield "wgmma: no ldmatrix", wgmma.get("matrix_load_requests", 0) == 0 and wgmma.get("shared_load_requests", 0) == 0
    # Each product of 64 x 256 x 16 reads 64 rows and 256 columns of 32 bytes.
    products = (m // 64) * (k // 16)
    yield "wgmma: what it reads of shared memory", wgmma["factor_load_bytes"] == products * (64 + 256) * 32
    yield "wgmma: 128 bytes a wavefront", wgmma["factor_load_wavefronts"] * 128 == wgmma["factor_load_bytes"]
    yield "wgmma: two neighbours in a store", wgmma["global_store_bytes_requested"] == 4 * 32 * (m * n // 64)
    yield "wgmma: a warp's instruction for each product", wgmma["tensor_instructions"] == 4 * products


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    if not nvcc():
        print("skipped: there is no nvcc")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile.json"
        done = subprocess.run([tool, "run", "-q", "--device", "h100", "--compiler", "nvcc", "--caches", "off", "--json", str(profile),
                               "--compile-flags=-std=c++17", f"-I{root}", str(root / "tests/tiles/tensor_ladder_on_cpu.cu")],
                              capture_output=True, text=True)
        print(done.stdout + done.stderr[-3000:])
        if done.returncode != 0:
            return 1
        launches = json.loads(profile.read_text())["launches"]
    broken = [what for what, holds in promises(launches) if not holds]
    for what in broken:
        print(f"broken: {what}")
    if broken:
        print({name: value for name, value in launches[WGMMA]["counters"].items() if value})
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
