#!/usr/bin/env python3
"""What is said of each launch of advice.cu about its textures, and of which nothing is.

usage: check_advice.py TILESCOPE COMPILER     (77: the compiler is not installed)
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "compilers"))
import compilers  # noqa: E402

# In the program's order: the kernel, and the variant of the rule "texture"; None: silence.
EXPECTED = [
    ("rows", "plain-load"),
    ("rows_and_edges", None),
    ("linear_rows", "plain-load"),
    ("turned", None),
    ("columns", "into-array"),  # of pitched memory
    ("columns", None),
    ("filtered", None),
    ("filtered_by_hand", "filtered-by-unit"),
]


def main():
    tool, compiler = sys.argv[1:3]
    if not compilers.installed(compiler):
        print(f"skipped: {compiler} is not installed")
        return compilers.SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile.json"
        done = subprocess.run([tool, "run", "-q", "--compiler", compiler, "--json", str(profile), str(HERE / "advice.cu")],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"status {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
        launches = json.loads(profile.read_text())["launches"]
    found = []
    for launch in launches:
        said = [advice for advice in launch.get("advice", []) if advice["rule"] == "texture"]
        variants = [advice["facts"].get("variant") for advice in said]
        found.append((launch["kernel"].split("(")[0], *(variants or [None])))
        for advice in said:
            print(f"{found[-1][0]}: {advice['speedup']:.2f} x, {advice['message']}")
    for expected, ours in zip(EXPECTED, found):
        print(f"{'passed' if expected == ours else 'failed'}: {expected}")
    if found != EXPECTED:
        sys.exit(f"expected {EXPECTED}\nfound {found}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
