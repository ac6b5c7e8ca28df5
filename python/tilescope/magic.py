"""`%%tilescope` for notebooks: a cell of CUDA is compiled and run, and its report is shown.

    %load_ext tilescope
    %%tilescope --device a100 --check races
    __global__ void k(float* x) { ... }
    int main() { ... }

Options are those of `tilescope run`. `--into NAME` names the variable that gets the profile (default `profile`).
"""
from __future__ import annotations

import os
import shlex
import tempfile
from typing import Any

from . import program
from .profile import load


def tilescope_cell(line: str, cell: str, namespace: "dict[str, Any]") -> None:
    words = shlex.split(line)
    into = "profile"
    if "--into" in words:
        at = words.index("--into")
        if at + 1 == len(words) or not words[at + 1].isidentifier():
            raise ValueError("--into takes the name of a variable")
        into = words[at + 1]
        del words[at:at + 2]
    with tempfile.TemporaryDirectory() as folder:
        source, path = os.path.join(folder, "cell.cu"), os.path.join(folder, "profile.json")
        with open(source, "w", encoding="utf-8") as file:
            file.write(cell)
        before = words.index("--") if "--" in words else len(words)
        ended = program.call(["run", "--json", path, *words[:before], source, *words[before:]])
        print(ended.stdout.replace(folder + os.sep, ""), end="")
        if ended.stderr:
            print(ended.stderr.replace(folder + os.sep, ""), end="")
        if os.path.exists(path) and ended.returncode != 2:
            profile = load(path)
            profile.figures()  # asked for while the file is there
            namespace[into] = profile


def load_ipython_extension(ipython: Any) -> None:
    """What `%load_ext tilescope` calls."""

    def tilescope(line: str, cell: str) -> None:
        tilescope_cell(line, cell, ipython.user_ns)

    ipython.register_magic_function(tilescope, "cell", "tilescope")
