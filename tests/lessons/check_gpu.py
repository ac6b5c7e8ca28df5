"""Holds `tilescope lesson --gpu` to what it promises, with an nvcc and a GPU that are scripts of ours.

usage: check_gpu.py TILESCOPE     (77: clang is not installed)
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "examples"))
from tools import require  # noqa: E402

SMI = '#!/bin/sh\necho "Imaginary GPU"\n'
NVCC = r"""#!/bin/sh
case "$*" in
*--version*) echo "nvcc: NVIDIA (R) Cuda compiler driver"; echo "Cuda compilation tools, release 13.0, V13.0.88"; exit 0 ;;
esac
while [ $# -gt 0 ]; do
    [ "$1" = -o ] && out=$2
    shift
done
cat >"$out" <<'PROGRAM'
#!/bin/sh
[ "$LESSON_REPEATS" -gt 1 ] && [ "$1" = naive ] || exit 1
echo "naive first launch microseconds: 99.5"
echo "naive microseconds: 7.25"
PROGRAM
chmod +x "$out"
"""


def run(tool, path):
    return subprocess.run([tool, "lesson", "intensity", "--compiler", "clang", "--gpu", "--json", "-"], capture_output=True,
                          text=True, env={**os.environ, "PATH": path})


def main():
    tool = sys.argv[1]
    require("clang")
    without = run(tool, "/nowhere")
    assert without.returncode == 2, without
    assert "no NVIDIA GPU" in without.stderr and not without.stdout, without
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("nvidia-smi", SMI), ("nvcc", NVCC)):
            file = pathlib.Path(folder) / name
            file.write_text(text)
            file.chmod(0o755)
        ran = run(tool, f"{folder}:{os.environ['PATH']}")
    assert ran.returncode == 0, ran
    lesson = json.loads(ran.stdout)["lessons"][0]
    time = lesson["times"][0]
    assert lesson["gpu"] == "Imaginary GPU", lesson
    assert time["first_launch_microseconds"] == 99.5 and time["measured_microseconds"] == 7.25, time
    assert time["modelled_microseconds"] > 0 and "problem" not in time, time


if __name__ == "__main__":
    main()
