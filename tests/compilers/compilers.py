"""Which compilers are installed, by the names that `--compiler` takes; and checks that go through each of them."""
import os
import shutil
import sys

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def installed(name):
    """Whether `name` ("clang-16", "nvcc") is there for tilescope to find."""
    if name == "nvcc":
        usual = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc")
        return bool(shutil.which("nvcc")) or os.access(usual, os.X_OK)
    return bool(shutil.which(name))


def check_each(problems):
    """What a check's main gives: problems(tool, compiler), of each compiler that is named and installed, are printed."""
    tool, *names = sys.argv[1:]
    found = [name for name in names if installed(name)]
    if not found:
        print("skipped: none of " + ", ".join(names) + " is installed")
        return SKIPPED
    failed = 0
    for compiler in found:
        for problem in problems(tool, compiler):
            print(f"{compiler}: {problem}", file=sys.stderr)
            failed += 1
    return 1 if failed else 0
