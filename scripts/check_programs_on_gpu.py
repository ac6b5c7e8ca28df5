#!/usr/bin/env python3
"""Builds the programs of tests/idioms and tests/public with nvcc and runs them on a GPU: what they claim, a card says, too.

A public program has to end with status 0 and to say PASS; a file of idioms must not say FAIL, and the digest of each idiom
is written, to be held against ours. Programs whose list says that they name something tilescope lacks are left out.

usage: check_programs_on_gpu.py [--digests FILE.json] [--jobs N]         on the machine with the GPU
       check_programs_on_gpu.py --compare FILE.json TILESCOPE COMPILER   anywhere: the card's digests and ours
"""
import argparse
import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent / "tests"
for folder in ("idioms", "public", "compilers"):
    sys.path.insert(0, str(TESTS / folder))
import check_idioms  # noqa: E402
import check_programs  # noqa: E402

LONGEST = 60  # seconds for one program
# CUDA 13's own headers need C++17, and calls that it took away have had other names since CUDA 4.
OLDER_STANDARDS = ("-std=c++11", "-std=c++14")
FOR_CUDA_13 = ["-DcudaThreadSynchronize=cudaDeviceSynchronize", "-DcudaThreadExit=cudaDeviceReset"]


def jobs():
    """Name, sources, flags of everything that is run."""
    for source in sorted((TESTS / "idioms").glob("*.cu")):
        flags = []
        for option in check_idioms.options_of(source):
            flags.append(option.removeprefix("--compile-flags="))
        yield f"idioms/{source.stem}", [source], flags
    for source in sorted((TESTS / "idioms" / "programs").glob("*.cu")):
        yield f"programs/{source.stem}", [source], []
    for name, _, flags, expected in check_programs.programs():
        if expected != "runs":
            continue
        given = shlex.split(flags if flags != "-" else "")
        given = [flag for flag in given if not flag.startswith(("-arch", "-gencode")) and flag not in OLDER_STANDARDS]
        yield f"public/{name}", check_programs.files_of(name), ["-I", str(TESTS / "public" / "helpers"), *FOR_CUDA_13, *given]


def built(folder, job):
    """The program's path, or what nvcc said."""
    name, sources, flags = job
    out = folder / name.replace("/", "_")
    done = subprocess.run(["nvcc", "-arch=native", *flags, *map(str, sources), "-o", str(out), "-lpthread"],
                          capture_output=True, text=True)
    return (out, "") if done.returncode == 0 else (None, done.stdout + done.stderr)


def ran(name, program):
    """Digests by idiom, and what is wrong, or nothing."""
    try:
        done = subprocess.run([str(program)], capture_output=True, text=True, timeout=LONGEST, errors="replace")
    except subprocess.TimeoutExpired:
        return {}, f"ran longer than {LONGEST} s"
    digests, failed = check_idioms.digests_of(done.stdout)
    words = done.stdout.split()
    if done.returncode != 0 or failed or "FAIL" in words:
        return digests, f"status {done.returncode}, failed: {' '.join(failed)}\n{done.stdout[-600:]}{done.stderr[-600:]}"
    if not digests and "PASS" not in words:
        return digests, "says neither PASS nor a digest\n" + done.stdout[-600:]
    return digests, None


def on_the_card(options):
    every = list(jobs())
    found, problems = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
            programs = list(pool.map(lambda job: built(pathlib.Path(folder), job), every))
        for (name, _, _), (program, said) in zip(every, programs):
            digests, problem = ran(name, program) if program else ({}, "nvcc: " + said[-1500:])
            found[name] = digests
            if problem:
                problems += 1
                print(f"{name}: {problem.rstrip()}")
    if options.digests:
        pathlib.Path(options.digests).write_text(json.dumps(found, indent=1))
    print(f"{len(every) - problems} of {len(every)} programs do on this card what they say")
    return 1 if problems else 0


def compare(card_file, tool, compiler):
    card = json.loads(pathlib.Path(card_file).read_text())
    other = same = 0
    for name, digests in card.items():
        if not digests:
            continue
        ours, problem = check_idioms.run(tool, compiler, TESTS / "idioms" / (name.removeprefix("idioms/") + ".cu"))
        if problem:
            print(f"{name}: {problem}")
        for idiom, words in digests.items():
            if ours.get(idiom) == words:
                same += 1
            else:
                other += 1
                print(f"{name} {idiom}: {' '.join(words)} on the card, {' '.join(ours.get(idiom, ['nothing']))} here")
    print(f"{same} digests equal the card's, {other} do not")
    return 1 if other else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--digests")
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--compare", nargs=3, metavar=("FILE", "TILESCOPE", "COMPILER"))
    options = parser.parse_args()
    return compare(*options.compare) if options.compare else on_the_card(options)


if __name__ == "__main__":
    sys.exit(main())
