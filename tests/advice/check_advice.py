#!/usr/bin/env python3
"""check_advice.py TILESCOPE PROGRAM.cu COMPILER GOLDEN [words]
   check_advice.py PROFILE.json GOLDEN

Runs a program, or takes the profile of one, and compares the rules that spoke about each launch, with their lines, to a
golden file: one line a launch. What a rule promises is held by tests/models/advice_test.cpp; here it is who speaks, and who keeps silent. With
"words" the golden also has what they say.
TILESCOPE_UPDATE_GOLDENS=1 writes the file anew.
"""
import difflib
import json
import os
import subprocess
import sys
import tempfile


def extent(values):
    values = list(values)
    while len(values) > 1 and values[-1] == 1:
        values.pop()
    return "x".join(map(str, values))


def described(launch):
    name = launch["kernel"].split("(")[0]
    spoke = sorted(f"{a['rule']}@{a['line']}" for a in launch["advice"])
    return f"{name} {extent(launch['grid'])} {extent(launch['block'])}: {' '.join(spoke) or 'silent'}\n"


def words(launch):
    return [f"  {a['rule']}: {a['message']}\n" for a in launch["advice"]]


def launches_in(profile):
    with open(profile, encoding="utf-8") as file:
        return json.load(file)["launches"]


def run(tilescope, program, compiler):
    """The launches of a program that runs now."""
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "profile.json")
        ran = subprocess.run(
            [tilescope, "run", "--quiet", "--compiler", compiler, "--json", profile, program],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if ran.returncode != 0:
            sys.exit(ran.stderr)
        return launches_in(profile)


def main():
    with_words = sys.argv[-1] == "words"
    *source, golden = sys.argv[1:-1] if with_words else sys.argv[1:]
    got = []
    for launch in launches_in(*source) if len(source) == 1 else run(*source):
        got += [described(launch)] + (words(launch) if with_words else [])
    if os.environ.get("TILESCOPE_UPDATE_GOLDENS"):
        with open(golden, "w", encoding="utf-8") as file:
            file.writelines(got)
        return 0
    with open(golden, encoding="utf-8") as file:
        wanted = file.readlines()
    difference = list(difflib.unified_diff(wanted, got, golden, "now"))
    sys.stdout.writelines(difference)
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
