"""Which compilers are installed, by the names that `--compiler` takes."""
import os
import shutil

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def installed(name):
    """Whether `name` ("clang-16", "nvcc") is there for tilescope to find."""
    if name == "nvcc":
        usual = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc")
        return bool(shutil.which("nvcc")) or os.access(usual, os.X_OK)
    return bool(shutil.which(name))
