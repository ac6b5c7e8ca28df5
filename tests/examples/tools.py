"""Which compilers this machine has, as tilescope looks for them."""
import os
import shutil
import sys

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def nvcc():
    """nvcc from the PATH or from CUDA's usual folder; None when there is none."""
    usual = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc")
    return shutil.which("nvcc") or (usual if os.access(usual, os.X_OK) else None)


def clang():
    return next(filter(None, map(shutil.which, ["clang++"] + [f"clang++-{v}" for v in range(19, 13, -1)])), None)


def require(way):
    """Ends the program as skipped when what `way` (clang, nvcc, executable) needs is not there."""
    if not (clang() if way == "clang" else nvcc()):
        print(f"skipped: no {'clang' if way == 'clang' else 'nvcc'} on this machine")
        sys.exit(SKIPPED)
