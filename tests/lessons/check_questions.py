"""Runs the command of each question of docs/guide/questions.md and looks for its answer in what that prints.

usage: check_questions.py TILESCOPE

From the root of the tree, each command once, with clang; profiles that commands name are those of examples/matmul.cu. A
question without a command is named out of reach, with the reason. Exits with 77 without clang.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST = 70  # questions that have a command
ROW = re.compile(r"\| (\d+) \| (.+?) \| (?:`(tilescope .+?)`|out of reach) \| (.+?) \|")
COMPILES = ("run", "trace", "boundaries", "lesson", "claims")


def words_of(command, folder):
    """As the command is typed, through clang, with profiles in a folder of their own."""
    words = shlex.split(command)[1:]
    words = [str(folder / "p.json") if word.endswith(".json") and "/" not in word else word for word in words]
    if words[0] in COMPILES or "--kernel" in words:
        words[1:1] = ["--compiler", "clang"] if words[0] != "compare" else []
    return words


def main():
    if not any(shutil.which(f"clang++-{release}") for release in range(14, 20)):
        return 77
    text = (ROOT / "docs/guide/questions.md").read_text(encoding="utf-8")
    rows = [ROW.fullmatch(line) for line in text.splitlines() if re.match(r"\| \d+ \|", line)]
    problems = [f"row {number} is none that this test reads" for number, row in enumerate(rows, 1) if row is None]
    rows = [row for row in rows if row is not None]
    if [int(row[1]) for row in rows] != list(range(1, len(rows) + 1)):
        problems.append("the questions are not numbered from 1 on")
    with_command = [row for row in rows if row[3]]
    if len(with_command) < LEAST:
        problems.append(f"{len(with_command)} questions have a command, not {LEAST}")
    printed = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = {**os.environ, "NO_COLOR": "1"}
        subprocess.run([sys.argv[1], "run", "-q", "--compiler", "clang", "--json", str(folder / "p.json"),
                        "examples/matmul.cu"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        for row in with_command:
            command, says = row[3], row[4]
            if command not in printed:
                ran = subprocess.run([sys.argv[1], *words_of(command, folder)], cwd=ROOT, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True, timeout=300, check=False, env=environment)
                printed[command] = f"status {ran.returncode} " + " ".join(ran.stdout.split())
            if " ".join(says.split()) not in printed[command]:
                problems.append(f"{row[1]}: `{command}` does not say \"{says}\" but {printed[command][:600]}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(with_command)} questions by {len(printed)} commands, {len(rows) - len(with_command)} out of reach")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
