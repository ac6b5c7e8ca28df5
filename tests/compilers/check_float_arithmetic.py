"""nvcc's flags for floats give the same bits through every compiler.

usage: check_float_arithmetic.py TILESCOPE COMPILER...     (77: none of the compilers is installed)

The row of -use_fast_math is an H200's (28 November 2026, CUDA 13.0). The others are those of nvcc's code, run on the CPU.
"""
import pathlib
import subprocess
import sys

import compilers

SOURCE = pathlib.Path(__file__).parent / "float_arithmetic.cu"
EXPECTED = {
    "-use_fast_math": "00000000 00000000 3f111112 3fa6e43f 3f7dddbe 40000000 00000000 40af2a95 "
                      "00000000 4071288c 00000000 00000000 000116c2 3f4457d1 00000000 3f6f7727",
    "-ftz=true": "00000000 00000000 3f111111 3fa6e43f 3f7dddbf 40000000 00000000 40af2a95 "
                 "00000000 4071288a 00000000 00000000 000116c2 3f4457d1 00000000 3f6f76f8",
    "-prec-div=false -prec-sqrt=false": "00022d84 0001d9e3 3f111112 3fa6e43f 3f7dddbf 40000000 00022d84 40af2a95 "
                                        "00000000 4071288a 000116c2 000116c2 000116c2 3f4457d1 005c8e8b 3f6f76f8",
}


def problems(tool, compiler):
    for flags, expected in EXPECTED.items():
        command = [tool, "run", "-q", "--compiler", compiler, "--compile-flags", flags, str(SOURCE)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0 or done.stdout.strip() != expected:
            yield f"{flags}: {done.stdout.strip()} (status {done.returncode}), should be {expected}{done.stderr}"


if __name__ == "__main__":
    sys.exit(compilers.check_each(problems))
