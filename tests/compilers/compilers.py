"""Which compilers are installed, by the names that `--compiler` takes; and checks that go through each of them."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

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


def check_launches(source, problems_of, by_compiler=False):
    """The same for a program of this folder that ends with PASS: problems_of(launches), of those of its profile; with
    by_compiler problems_of(compiler)(launches)."""
    def problems(tool, compiler):
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder) / "profile.json"
            command = [tool, "run", "-q", "--compiler", compiler, "--json", str(profile), str(pathlib.Path(__file__).parent / source)]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0 or "PASS" not in done.stdout:
                return [f"exit status {done.returncode}: {done.stdout}{done.stderr}"]
            launches = json.loads(profile.read_text())["launches"]
            return problems_of(compiler)(launches) if by_compiler else problems_of(launches)
    return check_each(problems)
