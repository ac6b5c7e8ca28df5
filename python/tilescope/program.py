"""The program itself: where it is, and runs of it."""
from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, List, Sequence

if TYPE_CHECKING:
    from .profile import Profile

HERE = pathlib.Path(__file__).resolve().parent


class ProgramError(RuntimeError):
    """tilescope ended without a profile; what it said on standard error."""


def find() -> str:
    """TILESCOPE_PROGRAM, else the program that this package brings, else the one in PATH."""
    named = os.environ.get("TILESCOPE_PROGRAM")
    if named:
        return named
    brought = HERE / "tree/bin/tilescope"
    if brought.is_file():
        return str(brought)
    found = shutil.which("tilescope")
    if found is None:
        raise ProgramError("there is no program tilescope: neither in this package nor in PATH")
    return found


def version() -> str:
    """Of the checkout that this package lies in, else of the program."""
    project = HERE.parent.parent / "CMakeLists.txt"
    if project.is_file():
        found = re.search(r"project\(tilescope VERSION ([\d.]+)", project.read_text(encoding="utf-8"))
        if found:
            return found[1]
    said = subprocess.run([find(), "--version"], capture_output=True, text=True, check=False)
    return said.stdout.strip().rpartition(" ")[2]


def call(arguments: Sequence[str], text: str | None = None) -> subprocess.CompletedProcess[str]:
    """The program with these arguments; what it says is kept."""
    return subprocess.run([find(), *arguments], input=text, capture_output=True, text=True, errors="replace", check=False)


def run(*arguments: str) -> Profile:
    """`tilescope run ARGUMENTS`, as its profile. ProgramError where there is none; a program that fails has one, which says
    so (`outcome`, `ended`)."""
    from .profile import load

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        words: List[str] = ["run", "-q", "--json", path, *arguments]
        ended = call(words)
        if not os.path.exists(path):
            raise ProgramError(ended.stderr.strip())
        profile = load(path)
        if not profile.launches and ended.returncode == 2:
            raise ProgramError(ended.stderr.strip())
        profile.figures()  # asked for while the file is there
        return profile


def main() -> None:
    """The command `tilescope`: this process becomes the program."""
    os.execv(find(), ["tilescope", *sys.argv[1:]])
