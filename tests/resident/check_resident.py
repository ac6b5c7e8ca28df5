"""check_resident.py TILESCOPE COMPILER PROGRAM.cu     (77: the compiler is not installed)

Runs a program whose blocks wait for each other, with --jobs 1 and 2: output, exit status and profile must be the same
but for times. A program says PASS; never.cu must end with a hazard whose message says what is waited for.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "compilers"))
import compilers  # noqa: E402

# What never.cu is run with, the error that it gets, the hazard, and what its message has to say.
NEVER = [
    ("nobody", "cudaErrorLaunchTimeout", "deadlock",
     "reading signal, which holds 0 and which nobody can change any more; threads 1-63 wait at barrier 0"),
    ("all", "cudaErrorLaunchTimeout", "deadlock", "needs all 5000 blocks resident at once; 1056 fit on the device"),
    ("barrier", "cudaErrorLaunchTimeout", "deadlock", "reading the barrier of the grid, which holds"),
    ("ordinary", "cudaErrorLaunchFailure", "trap", "executed a trap instruction"),
]
TIMES = {"seconds"}


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in TIMES}
    if isinstance(value, list):
        return [without_times(item) for item in value]
    return value


def run(tool, compiler, program, argument, jobs, folder):
    profile = os.path.join(folder, f"profile-{jobs}.json")
    command = [tool, "run", "-q", "--compiler", compiler, "--jobs", str(jobs), "--json", profile, program]
    done = subprocess.run(command + (["--", argument] if argument else []), capture_output=True, text=True)
    with open(profile) as file:
        return done.returncode, done.stdout, done.stderr, without_times(json.load(file))


def problem_of(tool, compiler, program, argument=None, error=None, kind=None, message=None):
    """What is wrong with the program, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        one, two = (run(tool, compiler, program, argument, jobs, folder) for jobs in (1, 2))
    if one != two:
        return f"--jobs 1 and 2 differ:\n{one}\n{two}"
    status, output, errors, profile = one
    if not profile["launches"]:
        return "no launches"
    if argument is None:
        return None if status == 0 and "PASS" in output else f"status {status}\n{output}{errors}"
    if status != 3 or error not in output or message not in errors:
        return f"status {status}, expected 3 and {message!r}\n{output}{errors}"
    kinds = [hazard["kind"] for hazard in profile["launches"][0]["hazards"]]
    return None if kinds == [kind] else f"hazards {kinds}"


def main():
    tool, compiler, program = sys.argv[1:]
    if not compilers.installed(compiler):
        print(f"skipped: {compiler} is not installed")
        return compilers.SKIPPED
    runs = NEVER if pathlib.Path(program).stem == "never" else [()]
    problems = [found for expected in runs if (found := problem_of(tool, compiler, program, *expected))]
    print("\n".join(problems) or "passed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
